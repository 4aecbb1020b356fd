/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the BPF programs tell the command: records of calls that failed, of
 * pages held and let go. Both sides compile this; there is no padding.
 */
#ifndef PINPROBE_BPF_EVENTS_H
#define PINPROBE_BPF_EVENTS_H

#include <linux/types.h>

#define TRACE_COMM	16
#define TRACE_NAME	32
#define TRACE_FAILED	8	/* folios that could not be moved, in a record */
#define TRACE_RUNS	512	/* runs of pages in one event */

/* The call families that take pages. */
enum trace_api {
	TRACE_PIN,
	TRACE_PIN_FAST,
	TRACE_PIN_REMOTE,
	TRACE_PIN_UNLOCKED,
	TRACE_PIN_MEMFD,
	TRACE_GET,
	TRACE_GET_FAST,
	TRACE_GET_REMOTE,
	TRACE_GET_UNLOCKED,
	TRACE_APIS
};

/* What a call passes through, outermost first. */
enum trace_layer {
	TRACE_SYSCALL,
	TRACE_UVERBS,		/* ib_uverbs_reg_mr() and its like */
	TRACE_PROVIDER,		/* the RDMA driver's reg_user_mr() */
	TRACE_UMEM,		/* ib_umem_get() or what replaced it */
	TRACE_IO_URING,		/* io_sqe_buffers_register() */
	TRACE_VFIO,		/* the type 1 driver's ioctl */
	TRACE_XDP,		/* xdp_umem_create() */
	TRACE_UDMABUF,
	TRACE_OFFLINE,		/* offline_pages() */
	TRACE_CMA,		/* cma_alloc() */
	TRACE_CONTIG,		/* alloc_contig_range() */
	TRACE_TAKE,		/* GUP: trace_record.api tells which */
	TRACE_MIGRATE,		/* migrate_pages() */
	TRACE_LAYERS
};

/* struct trace_look.have */
#define TRACE_HAVE_PAGE		1	/* flags and counts */
#define TRACE_HAVE_BLOCK	2	/* migratetype */

/*
 * One folio as it was at that moment. Reading it takes no reference, so the
 * values need not be of the same instant.
 */
struct trace_look {
	__u64 pfn;		/* of the head page */
	__u64 flags;		/* the word of struct page */
	__u64 mapping;		/* with its low bits: 1 is anonymous */
	__u64 index;
	__s32 refcount;
	__s32 mapcount;		/* as stored: -1 is none, for a small folio */
	__s32 pincount;		/* of a large folio */
	__u32 order;
	__u32 migratetype;	/* as the pageblock's bits have it */
	__u32 have;		/* TRACE_HAVE_* */
};

struct trace_step {
	__u64 entered;		/* ns of CLOCK_MONOTONIC; 0: not now */
	__u64 spent;		/* ns, of all calls that returned */
	__s64 ret;		/* of the last call that returned */
	__u32 calls;
	__u32 zero;
};

struct trace_mapping {
	__u64 start, end;	/* bytes */
	__u64 flags;		/* vm_flags */
	__u64 pgoff;
	__u64 size;		/* of the file, bytes */
	__u64 magic;		/* of its file system */
	__u32 inode_flags;
	__u32 mode;
	__s32 found;		/* 1; 0: no mapping there, < 0: not looked up */
	__u32 zero;
	char fs[TRACE_NAME];
	char name[TRACE_NAME];
};

/* One call of a task from its outermost hook to the end. */
struct trace_record {
	__u64 began, ended;	/* ns of CLOCK_MONOTONIC */
	__u32 tgid, tid;
	char comm[TRACE_COMM];
	__s32 syscall;		/* number, -1: none */
	__u32 depth;		/* hooks entered and not left */
	__u64 args[3];		/* of the system call */
	struct trace_step step[TRACE_LAYERS];
	/* ib_umem_get() */
	__u64 umem_addr, umem_len;	/* bytes */
	__u32 umem_access;
	__u32 api;		/* enum trace_api, of the last GUP call */
	char device[TRACE_NAME];
	/* cma_alloc(), alloc_contig_range(), offline_pages(): pages */
	__u64 area_start, area_pages;
	char area[TRACE_NAME];
	__u64 busy;		/* cma_alloc() met a busy range so often */
	/* GUP: of the last call */
	__u64 addr, pages;
	__u64 first_addr;	/* of the first call */
	__u32 flags;		/* as the kernel has them */
	__s32 stack;		/* id, < 0: none */
	__u64 taken;		/* pages, by all calls */
	/* migrate_pages() by this task */
	__u64 moved, stuck;	/* pages; stuck of all calls */
	__u64 last_stuck;	/* pages, of the last call with a page stuck */
	__u32 reason;		/* enum migrate_reason, of the last call */
	__u32 failed;		/* folios on the list, at most TRACE_FAILED told */
	struct trace_look folio[TRACE_FAILED];
	struct trace_mapping mapping;	/* of @addr */
	char exporter[TRACE_NAME];	/* of the dma-buf that is mapped or given */
	/* memlock, in pages but @memlock (bytes, ~0: unlimited) */
	__u64 pinned_vm, locked_vm, user_locked;
	__u64 memlock;
	__u32 exempt;		/* CAP_IPC_LOCK in the initial namespace */
	__u32 measured;		/* memlock was read */
	/* of the task, at the begin and the end */
	__u64 faults[2], switches[2], cpu_ns[2];
};

enum trace_event_kind {
	TRACE_EVENT_RECORD,
	TRACE_EVENT_HELD,
	TRACE_EVENT_LEFT,
	TRACE_EVENT_LEFT_RANGE,	/* one run, of @addr pages */
	TRACE_EVENT_UMEM,	/* what the thread took is that of @umem, 0: failed */
	TRACE_EVENT_UMEM_LEFT,	/* all that @umem has */
};

/* struct trace_pages.umem: of the one that the thread is making. */
#define TRACE_UMEM_MAKING	1

/* Consecutive page frames. */
struct trace_run {
	__u64 pfn : 52;
	__u64 pages : 12;	/* less 1 */
};

/*
 * Pages that were taken or let go; followed by @runs of struct trace_run or, if @raw
 * is the address of the first struct page, by as many addresses of struct page.
 */
struct trace_pages {
	__u32 kind;		/* enum trace_event_kind */
	__u32 runs;
	__u64 time;		/* ns of CLOCK_MONOTONIC */
	__u64 umem;		/* of the RDMA subsystem; 0: none */
	/* Of TRACE_EVENT_UMEM_LEFT, that was all. */
	__u32 tgid, tid;
	char comm[TRACE_COMM];
	__u32 api;
	__u32 flags;		/* as the kernel has them */
	__u64 addr;
	__u64 raw;
	__s32 stack;
	__u32 zero;
	union {
		struct trace_run run[TRACE_RUNS];
		__u64 page[TRACE_RUNS];
	};
};

#define TRACE_SMALL	64	/* pages of a region that is told as a whole */

/* What is kept of a thread that takes pages. */
struct trace_task {
	struct trace_record record;	/* began is 0: of no call */
	__u32 outermost;	/* enum trace_layer that the record began with */
	__u32 errors;		/* layers whose last call had one, by bits */
	__u32 waits;		/* for the return of its system call */
	__u32 ignored;		/* why pages that it lets go are not: IGNORED_* */
	__u32 making;		/* it is in ib_umem_get() */
	__u32 told;		/* and some of its pages were told */
	__u32 pages;		/* in @small */
	__u32 named;		/* @small has the name that the thread has */
	__u64 taken;		/* pages, by that */
	__u64 device_at;	/* the struct ib_device that @device was read from */
	__u64 device[TRACE_NAME / 8];
	struct {
		struct trace_pages head[0];
		__u64 room[(sizeof(struct trace_pages) / 8) - TRACE_RUNS + TRACE_SMALL];
	} small;
};

#define TRACE_SLOTS	512	/* a power of two */

/* Of the thread whose number has this place, the first that came. */
struct trace_slot {
	__u32 owner;		/* its number; 0: nobody */
	__u32 zero;
	struct trace_task task;
};

struct trace_done {
	__u32 kind;
	__u32 zero;
	struct trace_record record;
};

/* Counters that only grow. */
enum trace_count {
	TRACE_COUNT_RECORDS,	/* calls that were followed */
	TRACE_COUNT_ERRORS,	/* of these, with an error at the end */
	TRACE_COUNT_TAKEN,	/* pages taken, by anybody */
	TRACE_COUNT_LEFT,
	TRACE_COUNT_LOST_RECORDS,	/* no room */
	TRACE_COUNT_LOST_HELD,	/* pages of events for which there was no room */
	TRACE_COUNT_LOST_LEFT,
	TRACE_COUNT_MIGRATIONS,	/* of followed calls, pages */
	TRACE_COUNT_PINNED,	/* by followed calls, pages */
	TRACE_COUNTS
};

/* In and out of the program that looks at page frames. */
struct trace_ask {
	__u64 pfn;
	__u32 nr;		/* pages or, of @blocks, pageblocks from there on */
	__u32 blocks;		/* 1: migratetypes alone */
};

#define TRACE_ASK_BLOCKS	4096
#endif
