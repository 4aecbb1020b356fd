/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fields of the kernel's structures that are looked at, no more: where they
 * lie is found out when the programs are loaded (CO-RE).
 */
#ifndef PINPROBE_BPF_KERNEL_H
#define PINPROBE_BPF_KERNEL_H

#include <linux/types.h>
#include <stdbool.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	long long counter;
} atomic64_t;

struct list_head {
	struct list_head *next;
};

/* The flags are its first word everywhere; their type is not the same. */
struct page {
	unsigned long compound_head;
	atomic_t _refcount;
};

/* compound_head as it is called in 7.x, where it may be a mask. */
struct page___info {
	unsigned long compound_info;
};

struct folio {
	struct list_head lru;
	void *mapping;
	unsigned long index;
	atomic_t _mapcount;
	atomic_t _refcount;
	unsigned long _flags_1;
	atomic_t _pincount;
};

/* The order moved into the low byte of _flags_1 in v6.6. */
struct folio___order {
	unsigned char _folio_order;
};

/* Of large folios, mappings of the whole and of parts; since v6.9 in one. */
struct folio___large_mapcount {
	atomic_t _large_mapcount;
};

struct folio___total_mapcount {
	atomic_t _total_mapcount;
};

struct mem_section_usage {
	unsigned long subsection_map[1];
	unsigned long pageblock_flags[];
};

struct mem_section {
	unsigned long section_mem_map;
	struct mem_section_usage *usage;
};

struct rlimit {
	unsigned long rlim_cur;
};

struct signal_struct {
	struct rlimit rlim[16];
};

struct user_struct {
	atomic64_t locked_vm;
};

struct user_namespace {
	int level;
};

/* Two words, or one of 64 bits: what is below 32 comes first. */
typedef struct {
	unsigned int word[2];
} kernel_cap_t;

struct cred {
	kernel_cap_t cap_effective;
	struct user_struct *user;
	struct user_namespace *user_ns;
};

struct file_system_type {
	const char *name;
};

struct super_block {
	unsigned long s_magic;
	struct file_system_type *s_type;
};

struct inode {
	unsigned short i_mode;
	unsigned int i_flags;
	long long i_size;
	struct super_block *i_sb;
};

struct qstr {
	const unsigned char *name;
};

struct dentry {
	struct qstr d_name;
};

struct path {
	struct dentry *dentry;
};

/* Behind a struct file of a dma-buf. */
struct dma_buf {
	const char *exp_name;
};

struct file {
	void *private_data;
	struct path f_path;
	struct inode *f_inode;
};

struct vm_area_struct {
	unsigned long vm_start;
	unsigned long vm_end;
	unsigned long vm_flags;
	unsigned long vm_pgoff;
	struct file *vm_file;
};

struct mm_struct {
	unsigned long locked_vm;
	atomic64_t pinned_vm;
};

struct sched_entity {
	unsigned long long sum_exec_runtime;
};

struct task_struct {
	int pid;
	int tgid;
	unsigned int flags;
	struct mm_struct *mm;
	struct signal_struct *signal;
	const struct cred *cred;
	struct sched_entity se;
	unsigned long nvcsw;
	unsigned long min_flt;
	unsigned long maj_flt;
};

struct ib_device {
	char name[64];
};

struct cma {
	char name[64];
};

#ifdef __TARGET_ARCH_x86
struct pt_regs {
	unsigned long r9, r8, cx, dx, si, di, orig_ax, ax;
};
#define REG_SYSCALL	orig_ax
#define REG_0		di
#define REG_1		si
#define REG_2		dx
#define REG_3		cx
#define REG_4		r8
#define REG_5		r9
#define REG_RESULT	ax
#else
struct pt_regs {
	unsigned long regs[31];
	int syscallno;
};
#define REG_SYSCALL	syscallno
#define REG_0		regs[0]
#define REG_1		regs[1]
#define REG_2		regs[2]
#define REG_3		regs[3]
#define REG_4		regs[4]
#define REG_5		regs[5]
#define REG_RESULT	regs[0]
#endif

#pragma clang attribute pop

#define DMA_BUF_MAGIC		0x444d4142
#define PF_IO_WORKER		0x00000010
#define PF_KTHREAD		0x00200000
#define CAP_IPC_LOCK		14
#define RLIMIT_MEMLOCK		8

#endif
