/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SELFTESTS_MEMORY_H
#define SELFTESTS_MEMORY_H

#include <stddef.h>

/*
 * An address no mapping covers, the kernel's map of all memory, its code, the
 * page of the kernel's that get_user_pages() hands out (only x86 has one), and
 * one that is neither the user's nor the kernel's.
 */
#define UNMAPPED_ADDR		0x1000UL
#if defined(__x86_64__)
#define KERNEL_ADDR		0xffff888000100000UL
#define KERNEL_CODE_ADDR	0xffffffff81000000UL
#define KERNEL_GATE_ADDR	0xffffffffff600000UL
#elif defined(__aarch64__)
#define KERNEL_ADDR		0xffff000000100000UL
#define KERNEL_CODE_ADDR	0xffff800080010000UL
#define KERNEL_GATE_ADDR	0xffffffffff600000UL
#else
#error "Where does the kernel lie on this architecture?"
#endif
#define NONCANONICAL_ADDR	0x0100000000000000UL

size_t page_size(void);

/* What one entry of the second lowest page table maps: a huge page. */
size_t pmd_size(void);

/* Private anonymous memory of small pages, not touched; NULL on failure. */
void *memory_map(size_t len);

/* The same, each page touched. */
void *memory_touched(size_t len);

/* Shared anonymous memory, each page touched. */
void *memory_shared(size_t len);

/*
 * @size bytes, zeroed, whose last byte is the last of a mapped page, with
 * nothing mapped for some pages behind it. Not meant to be freed.
 */
void *memory_before_hole(size_t size);

/* Reads a byte of each page: the zero page where there was none. */
void memory_read(const void *addr, size_t len);

/* Bytes of [@addr, @addr + @len) in mappings without write permission, or -1. */
long memory_denied(const void *addr, size_t len);

/*
 * Empties this CPU's LRU batches, which hold a reference to each page in them.
 * Means something only to a task that stays on one CPU: memory_stay().
 */
void memory_settle(void);
int memory_stay(void);

#endif /* SELFTESTS_MEMORY_H */
