/* SPDX-License-Identifier: GPL-2.0 */
/* Maps, and what the command sets before it loads the programs. */
#ifndef PINPROBE_BPF_STATE_H
#define PINPROBE_BPF_STATE_H

#define MAX_TASKS	4096
#define MAX_THREADS	16384
#define MAX_STACKS	4096
#define STACK_DEPTH	16
#define RING_BYTES	(16 << 20)

/* Which pins are written down, whoever takes them. */
#define LEDGER_OFF	0
#define LEDGER_PINS	1
#define LEDGER_ALL	2	/* references too */

const volatile __u32 everybody;		/* follow all tasks, not targets alone */
const volatile __u32 ledger;		/* LEDGER_* */
const volatile __u32 ranges;		/* unpin_user_page_range_dirty_lock() is hooked */
const volatile __u32 own_tgid;		/* of the command: never looked at */
const volatile __u32 foll_pin;		/* 0: the value is not known */
const volatile __u32 foll_longterm;
const volatile __u64 page_bytes = 4096;
const volatile __u32 page_shift = 12;
const volatile __u32 section_shift;	/* 0: pageblocks cannot be looked at */
const volatile __u32 block_shift;	/* pages of a pageblock, as a power of two */
const volatile __u32 block_bits = 4;	/* of the bitmap, for each */
const volatile __u32 type_mask = 7;	/* of these, the migratetype */
const volatile __u32 isolate_bit;	/* 0: isolation is a type of its own */
const volatile __u64 mem_section_at;	/* address of the variable; 0: not known */
const volatile __u64 mem_section_roots;	/* its value; 0: read it */
const volatile __u32 struct_page;	/* bytes */
const volatile __u32 head_bit = 6;	/* PG_head */
const volatile __u32 migrate_reasons;	/* bits: for which pages are moved for the call */
const volatile __u32 migrate_reason_at;	/* argument of mm_migrate_pages */
/* System calls whose return is hooked; -1: none. */
#define LATE	4
const volatile __s32 late[LATE] = { -1, -1, -1, -1 };

/* Address of the struct page of frame 0, found out by look_at(). */
__u64 vmemmap;

/*
 * Records that only the return of a system call ends. Nearly always there is none, and who
 * calls ioctl() is not looked up. A thread that the command forgot may stay counted.
 */
__u32 waiting;

/* Events since somebody asked how full the ring is, more or less. */
__u32 unasked;

/* Stacks in ib_umem_get(), which is who calls there; 0: none yet, or less 1. */
__s32 umem_stacks[TRACE_APIS];

struct args {
	__u64 a[6];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_TASKS);
	__type(key, __u32);		/* tgid */
	__type(value, __u32);
} targets SEC(".maps");

/*
 * What is kept of threads, from their first call that takes pages to their end. An array is
 * looked up by a few instructions, and a hash by more than all else here takes: that is for
 * those whose place is taken by another.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, TRACE_SLOTS);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, __u32);
	__type(value, struct trace_slot);
} slots SEC(".maps");

/* Whose places are: two threads cannot make the same entry. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, TRACE_SLOTS);
	__type(key, __u32);
	__type(value, __u32);
} claims SEC(".maps");

/* Some thread is in the hash. */
__u32 crowded;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_THREADS);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u32);
	__type(value, struct trace_task);
} tasks SEC(".maps");

/* What a new one begins with: all zero. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct trace_task);
} blank SEC(".maps");

struct saved_key {
	__u32 tid;
	__u32 hook;
};

/* Arguments from the entry to the return, where both are probes. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_TASKS);
	__type(key, struct saved_key);
	__type(value, struct args);
} saved SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, MAX_STACKS);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, STACK_DEPTH * sizeof(__u64));
} stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, RING_BYTES);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, TRACE_COUNTS);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

/*
 * Where an event is put together, one for each hook: a program does not run
 * twice at the same time on a CPU, but two may.
 */
#define SCRATCHES	32
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SCRATCHES);
	__type(key, __u32);
	__type(value, struct trace_pages);
} scratch SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct trace_done);
} done SEC(".maps");

/* Answers of the program that looks. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct trace_look);
} looked SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, TRACE_ASK_BLOCKS);
	__type(key, __u32);
	__type(value, __u32);
} blocks SEC(".maps");

static __always_inline void count(__u32 what, __u64 add)
{
	__u64 *value = bpf_map_lookup_elem(&counts, &what);

	if (value)
		*value += add;
}

static __always_inline __u32 this_tid(void)
{
	return (__u32)bpf_get_current_pid_tgid();
}

static __always_inline bool followed(__u32 tgid)
{
	if (tgid == own_tgid)
		return false;
	return everybody || bpf_map_lookup_elem(&targets, &tgid);
}

#endif
