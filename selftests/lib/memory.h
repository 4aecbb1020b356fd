/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SELFTESTS_MEMORY_H
#define SELFTESTS_MEMORY_H

#include <stddef.h>

/* An address no mapping covers, one of the kernel, and one that is neither. */
#define UNMAPPED_ADDR		0x1000UL
#define KERNEL_ADDR		0xffff888000100000UL
#define NONCANONICAL_ADDR	0x0100000000000000UL

size_t page_size(void);

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

/* Bytes of [@addr, @addr + @len) in mappings without write permission, or -1. */
long memory_denied(const void *addr, size_t len);

/*
 * Empties this CPU's LRU batches, which hold a reference to each page in them.
 * Means something only to a task that stays on one CPU: memory_stay().
 */
void memory_settle(void);
int memory_stay(void);

#endif /* SELFTESTS_MEMORY_H */
