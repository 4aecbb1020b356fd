// SPDX-License-Identifier: GPL-2.0
/*
 * Follows calls that take pages, by tasks of choice, and writes down who takes
 * and leaves which pages, whoever it is.
 *
 * Each hook is there twice: as fentry/fexit programs, which are quick, and as
 * probes, for kernels without them. The command loads one of the two and says
 * where to, see tools/hooks.c: functions have other names in other kernels.
 */
#include <linux/bpf.h>
#include <stddef.h>
#include "kernel.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "events.h"
#include "state.h"
#include "look.h"
#include "record.h"
#include "ledger.h"
#include "hook.h"

char LICENSE[] SEC("license") = "GPL";

/* Calls that take pages. */

static __always_inline void take_args(__u32 api, struct args *a, struct take *t)
{
	switch (api) {
	case TRACE_PIN_REMOTE:
	case TRACE_GET_REMOTE:
		t->addr = a->a[1];
		t->nr = a->a[2];
		t->flags = a->a[3];
		t->pages = a->a[4];
		break;
	case TRACE_PIN_UNLOCKED:
	case TRACE_GET_UNLOCKED:
		t->addr = a->a[0];
		t->nr = a->a[1];
		t->pages = a->a[2];
		t->flags = a->a[3];
		break;
	default:
		t->addr = a->a[0];
		t->nr = a->a[1];
		t->flags = a->a[2];
		t->pages = a->a[3];
	}
	/* An int, the rest of the register being anything. */
	if (api == TRACE_PIN_FAST || api == TRACE_GET_FAST)
		t->nr = (__s32)t->nr;
	if (api < TRACE_GET)
		t->flags |= foll_pin;
}

/* What GUP itself pins for a moment and lets go is not written down. */
static __always_inline void unpins_ignored(__u32 why, bool ignored)
{
	struct trace_task *t = ignored ? task_get() : task_find();

	if (!t)
		return;
	if (ignored)
		t->ignored |= why;
	else
		t->ignored &= ~why;
}

static __always_inline void take_enter(void *ctx, __u32 api, struct args *a)
{
	struct trace_task *task = NULL;
	struct trace_record *r;
	struct take t = {};

	take_args(api, a, &t);
	if (ledger && (t.flags & foll_longterm)) {
		task = task_get();
		if (task)
			task->ignored |= IGNORED_GUP;
	}
	/* References are taken all the time; alone they are no registration. */
	if (api >= TRACE_GET && !record_of(task ?: task_find()))
		return;
	r = step_enter_task(task, TRACE_TAKE);
	if (!r)
		return;
	if (!r->step[TRACE_TAKE].calls)
		r->first_addr = t.addr;
	r->api = api;
	r->addr = t.addr;
	r->pages = t.nr;
	r->flags = t.flags;
}

static __always_inline void take_exit(void *ctx, __u32 api, struct args *a,
				      __u64 ret)
{
	__s64 got = api == TRACE_PIN_FAST || api == TRACE_GET_FAST ?
		    (__s64)(__s32)ret : (__s64)ret;
	struct trace_task *task = task_find();
	struct trace_record *r = record_of(task);
	struct take t = {};
	__u64 now = 0;

	take_args(api, a, &t);
	if (task) {
		now = bpf_ktime_get_ns();
		task->ignored &= ~IGNORED_GUP;
	}
	if (task && task->making && api < TRACE_GET)
		umem_took(ctx, task, api, &t, got, now);
	else
		ledger_held(ctx, api, api, t.flags, t.addr, t.pages, got);
	if (!r || !r->step[TRACE_TAKE].entered)
		return;
	if (got > 0)
		r->taken += got;
	if (got != (__s64)t.nr) {
		r->stack = bpf_get_stackid(ctx, &stacks, 0);
		measure_memlock(r);
		look_up_mapping(r, t.addr + (got > 0 ? (__u64)got << page_shift : 0));
	}
	step_note_at(r, TRACE_TAKE, got, now);
	step_end(r);
}

AROUND(pin, TRACE_PIN, 4, take_enter, take_exit)
AROUND(pin_fast, TRACE_PIN_FAST, 4, take_enter, take_exit)
AROUND(pin_remote, TRACE_PIN_REMOTE, 5, take_enter, take_exit)
AROUND(pin_unlocked, TRACE_PIN_UNLOCKED, 4, take_enter, take_exit)
AROUND(get, TRACE_GET, 4, take_enter, take_exit)
AROUND(get_fast, TRACE_GET_FAST, 4, take_enter, take_exit)
AROUND(get_remote, TRACE_GET_REMOTE, 5, take_enter, take_exit)
AROUND(get_unlocked, TRACE_GET_UNLOCKED, 4, take_enter, take_exit)

/* memfd_pin_folios(memfd, start, end, folios, ...): bytes of the file. */
static __always_inline void memfd_enter(void *ctx, __u32 id, struct args *a)
{
	struct trace_record *r = step_enter(TRACE_TAKE);

	if (!r)
		return;
	r->api = TRACE_PIN_MEMFD;
	r->addr = a->a[1];
	r->pages = (a->a[2] - a->a[1] + page_bytes) >> page_shift;
	r->flags = foll_pin | foll_longterm;
}

static __always_inline void memfd_exit(void *ctx, __u32 id, struct args *a,
				       __u64 ret)
{
	struct trace_record *r = record_of_task();

	ledger_held(ctx, id, TRACE_PIN_MEMFD, foll_pin | foll_longterm, a->a[1],
		    a->a[3], ret);
	if (!r || !r->step[TRACE_TAKE].entered)
		return;
	if ((__s64)ret < 0) {
		r->stack = bpf_get_stackid(ctx, &stacks, 0);
		measure_memlock(r);
	} else {
		r->taken += ret;
	}
	step_note(r, TRACE_TAKE, ret);
	step_end(r);
}

AROUND(pin_memfd, TRACE_PIN_MEMFD, 4, memfd_enter, memfd_exit)

/* Calls that let pages go. */

static __always_inline bool ignored(__u32 why)
{
	struct trace_task *t = task_find();

	return t && (t->ignored & why);
}

static __always_inline void unpin_pages(void *ctx, __u32 id, struct args *a)
{
	if (!ignored(IGNORED_GUP))
		ledger_left(id, a->a[0], a->a[1]);
}

/* (pages, nr, make_dirty): if not, unpin_user_pages(), inlined or not. */
static __always_inline void unpin_dirty(void *ctx, __u32 id, struct args *a)
{
	ledger_left(id, a->a[0], a->a[1]);
	if (!(a->a[2] & 0xff))
		unpins_ignored(IGNORED_GUP, true);
}

static __always_inline void unpin_dirty_end(void *ctx, __u32 id,
					    struct args *a, __u64 ret)
{
	if (!(a->a[2] & 0xff))
		unpins_ignored(IGNORED_GUP, false);
}

static __always_inline void unpin_range(void *ctx, __u32 id, struct args *a)
{
	if (!ignored(IGNORED_GUP | IGNORED_UMEM))
		ledger_left_range(id, a->a[0], a->a[1]);
}

static __always_inline void unpin_page(void *ctx, __u32 id, struct args *a)
{
	if (!ignored(IGNORED_GUP))
		ledger_left_range(id, a->a[0], 1);
}

ENTRY_ONLY(unpin_pages, HOOK_UNPIN_PAGES, 2, unpin_pages)
AROUND(unpin_dirty, HOOK_UNPIN_DIRTY, 3, unpin_dirty, unpin_dirty_end)
ENTRY_ONLY(unpin_range, HOOK_UNPIN_RANGE, 2, unpin_range)
ENTRY_ONLY(unpin_page, HOOK_UNPIN_PAGE, 1, unpin_page)
ENTRY_ONLY(unpin_folio, HOOK_UNPIN_FOLIO, 2, unpin_range)
ENTRY_ONLY(unpin_folios, HOOK_UNPIN_FOLIOS, 2, unpin_pages)

/* What a registration passes through. */

/* Some charge when they have the pages, and look at the limit then. */
static __always_inline void note_limit(__s64 ret)
{
	struct trace_record *r = is_error(ret) ? record_of_task() : NULL;

	if (r && !r->measured)
		measure_memlock(r);
}

#define LAYER(name, id, layer, nr)					\
static __always_inline void name##_on(void *ctx, __u32 hook, struct args *a) \
{									\
	step_enter(layer);						\
}									\
static __always_inline void name##_off(void *ctx, __u32 hook,		\
				       struct args *a, __u64 ret)	\
{									\
	note_limit(ret);						\
	step_exit(layer, (__s64)ret);					\
}									\
AROUND(name, id, nr, name##_on, name##_off)

/* The same, for functions that return an int. */
#define LAYER_INT(name, id, layer, nr)					\
static __always_inline void name##_on(void *ctx, __u32 hook, struct args *a) \
{									\
	step_enter(layer);						\
}									\
static __always_inline void name##_off(void *ctx, __u32 hook,		\
				       struct args *a, __u64 ret)	\
{									\
	note_limit((__s64)(__s32)ret);					\
	step_exit(layer, (__s32)ret);					\
}									\
AROUND(name, id, nr, name##_on, name##_off)

LAYER_INT(uverbs, HOOK_UVERBS, TRACE_UVERBS, 1)
LAYER_INT(uverbs_again, HOOK_UVERBS_AGAIN, TRACE_UVERBS, 1)
LAYER_INT(uverbs_method, HOOK_UVERBS_METHOD, TRACE_UVERBS, 1)
LAYER_INT(uverbs_dmabuf, HOOK_UVERBS_DMABUF, TRACE_UVERBS, 1)
LAYER_INT(io_uring, HOOK_IO_URING, TRACE_IO_URING, 1)
LAYER(vfio, HOOK_VFIO, TRACE_VFIO, 1)
LAYER(xdp, HOOK_XDP, TRACE_XDP, 1)
LAYER(udmabuf, HOOK_UDMABUF, TRACE_UDMABUF, 1)

/*
 * The RDMA driver's part, which the layer above calls at once, and is timed from there. All
 * that goes well there is not looked at: that it took place is known from ib_umem_get().
 */
static __always_inline void provider_refused(__s64 ret)
{
	struct trace_record *r = is_error(ret) ? record_of_task() : NULL;

	if (!r)
		return;
	if (!r->measured)
		measure_memlock(r);
	r->step[TRACE_PROVIDER].entered = r->step[TRACE_UVERBS].entered;
	step_note(r, TRACE_PROVIDER, ret);
}

SEC("fexit") int provider_fexit(__u64 *ctx)
{
	__u64 ret = 0;

	bpf_get_func_ret(ctx, &ret);
	provider_refused((__s64)ret);
	return 0;
}

SEC("kretprobe") int provider_kretprobe(struct pt_regs *ctx)
{
	provider_refused((__s64)BPF_CORE_READ(ctx, REG_RESULT));
	return 0;
}

/* Its name; the one that was read last, if it is that again and nothing fails. */
static __always_inline void note_device(struct trace_task *t, __u64 device, bool again)
{
	if (!bpf_core_field_exists(((struct ib_device *)0)->name))
		return;
	if (again || t->device_at != device) {
		t->device_at = device;
		bpf_probe_read_kernel_str(t->device, sizeof(t->device),
					  (void *)(device +
					  bpf_core_field_offset(struct ib_device, name)));
	}
	__builtin_memcpy(t->record.device, t->device, sizeof(t->device));
}

/* ib_umem_get(device, addr, size, access) */
static __always_inline void umem_enter(void *ctx, __u32 id, struct args *a)
{
	struct trace_task *t = ledger ? task_get() : NULL;
	struct trace_record *r = step_enter_task(t, TRACE_UMEM);

	if (t)
		umem_begins(t);
	if (!r)
		return;
	r->umem_addr = a->a[1];
	r->umem_len = a->a[2];
	r->umem_access = a->a[3];
	note_device(task_of(r), a->a[0], false);
}

static __always_inline void umem_exit(void *ctx, __u32 id, struct args *a,
				      __u64 ret)
{
	struct trace_task *t = task_find();
	struct trace_record *r;

	if (!t)
		return;
	if (t->making)
		umem_ends(t, id, is_error(ret) ? 0 : ret);
	r = &t->record;
	if (!r->began || !r->step[TRACE_UMEM].entered)
		return;
	/* It has taken back what it charged. */
	if (is_error(ret)) {
		measure_memlock(r);
		note_device(t, a->a[0], true);
	}
	step_note(r, TRACE_UMEM, ret);
	step_end(r);
}

AROUND(umem, HOOK_UMEM, 4, umem_enter, umem_exit)

/* dma_buf_get(fd), on behalf of a registration. */
static __always_inline void dmabuf_got(__u64 ret)
{
	struct trace_record *r = record_of_task();

	if (r && !is_error((__s64)ret))
		note_exporter(r, ret);
}

SEC("fexit") int dmabuf_fexit(__u64 *ctx)
{
	__u64 ret = 0;

	bpf_get_func_ret(ctx, &ret);
	dmabuf_got(ret);
	return 0;
}

SEC("kretprobe") int dmabuf_kretprobe(struct pt_regs *ctx)
{
	dmabuf_got(BPF_CORE_READ(ctx, REG_RESULT));
	return 0;
}

/* Of a dma-buf or on demand it has no pins, and is not known to the ledger. */
static __always_inline void umem_release(void *ctx, __u32 id, struct args *a)
{
	if (!ledger || !a->a[0] || !vmemmap)
		return;
	if (ranges)
		unpins_ignored(IGNORED_UMEM, true);
	umem_left(a->a[0]);
}

ENTRY_ONLY(umem_release, HOOK_UMEM_RELEASE, 1, umem_release)

SEC("fexit") int umem_release_fexit(__u64 *ctx)
{
	unpins_ignored(IGNORED_UMEM, false);
	return 0;
}

SEC("kretprobe") int umem_release_kretprobe(struct pt_regs *ctx)
{
	unpins_ignored(IGNORED_UMEM, false);
	return 0;
}

/* offline_pages(start_pfn, nr_pages, ...), alloc_contig_range(start, end, ...) */
static __always_inline void offline_enter(void *ctx, __u32 id, struct args *a)
{
	struct trace_record *r = step_enter(TRACE_OFFLINE);

	if (!r)
		return;
	r->area_start = a->a[0];
	r->area_pages = a->a[1];
}

static __always_inline void offline_exit(void *ctx, __u32 id, struct args *a,
					 __u64 ret)
{
	step_exit(TRACE_OFFLINE, (__s32)ret);
}

AROUND(offline, HOOK_OFFLINE, 2, offline_enter, offline_exit)

static __always_inline void contig_enter(void *ctx, __u32 id, struct args *a)
{
	struct trace_record *r = step_enter(TRACE_CONTIG);

	if (!r)
		return;
	r->area_start = a->a[0];
	r->area_pages = a->a[1] - a->a[0];
}

static __always_inline void contig_exit(void *ctx, __u32 id, struct args *a,
					__u64 ret)
{
	struct trace_record *r = record_of_task();

	if (r && (__s32)ret == -16)
		r->busy++;
	step_exit(TRACE_CONTIG, (__s32)ret);
}

AROUND(contig, HOOK_CONTIG, 2, contig_enter, contig_exit)

/* cma_alloc(cma, count, ...): a page, or NULL */
static __always_inline void cma_enter(void *ctx, __u32 id, struct args *a)
{
	struct trace_record *r = step_enter(TRACE_CMA);

	if (!r)
		return;
	r->area_pages = a->a[1];
	if (bpf_core_field_exists(((struct cma *)0)->name))
		bpf_probe_read_kernel_str(r->area, sizeof(r->area),
					  (void *)(a->a[0] +
					  bpf_core_field_offset(struct cma, name)));
}

static __always_inline void cma_exit(void *ctx, __u32 id, struct args *a,
				     __u64 ret)
{
	step_exit(TRACE_CMA, ret ? 0 : -12);
}

AROUND(cma, HOOK_CMA, 2, cma_enter, cma_exit)

/*
 * Migration: only of calls that are followed already, and only for what they want. A
 * call that allocates may have to compact memory, which moves pages of anybody.
 */
static __always_inline bool moved_for_the_call(__u32 reason)
{
	return reason < 32 && (migrate_reasons >> reason & 1);
}

static __always_inline void migrate_enter(void *ctx, __u32 id, struct args *a)
{
	if (record_of_task())
		step_enter(TRACE_MIGRATE);
}

static __always_inline void migrate_exit(void *ctx, __u32 id, struct args *a,
					 __u64 ret)
{
	struct trace_record *r = record_of_task();

	if (!r || !r->step[TRACE_MIGRATE].entered)
		return;
	if (moved_for_the_call(r->reason)) {
		if ((__s32)ret)
			note_stuck(r, a->a[0]);
		step_note(r, TRACE_MIGRATE, (__s32)ret);
	}
	r->step[TRACE_MIGRATE].entered = 0;
	step_end(r);
}

AROUND(migrate, HOOK_MIGRATE, 1, migrate_enter, migrate_exit)

SEC("raw_tp/mm_migrate_pages")
int migrate_counts(struct bpf_raw_tracepoint_args *ctx)
{
	struct trace_record *r = record_of_task();
	__u64 reason = 0;

	if (!r)
		return 0;
	/* Where it is differs, and a changed context pointer may not be read through. */
	bpf_probe_read_kernel(&reason, sizeof(reason),
			      (void *)ctx + migrate_reason_at * sizeof(reason));
	r->reason = reason;
	if (!moved_for_the_call(reason))
		return 0;
	r->moved += ctx->args[0];
	r->stuck += ctx->args[1];
	if (ctx->args[1])
		r->last_stuck = ctx->args[1];
	return 0;
}

/* The return of system calls that are known to register. */

#define LATE_RETURN(name)						\
SEC("fexit") int name##_fexit(__u64 *ctx)				\
{									\
	__u64 ret = 0;							\
									\
	if (!waiting)							\
		return 0;						\
	bpf_get_func_ret(ctx, &ret);					\
	syscall_exit((__s64)ret);					\
	return 0;							\
}									\
SEC("kretprobe") int name##_kretprobe(struct pt_regs *ctx)		\
{									\
	if (waiting)							\
		syscall_exit((__s64)BPF_CORE_READ(ctx, REG_RESULT));	\
	return 0;							\
}

LATE_RETURN(late_ioctl)
LATE_RETURN(late_io_uring)
LATE_RETURN(late_setsockopt)
/* Of 32-bit programs. */
LATE_RETURN(late_compat_ioctl)
LATE_RETURN(late_compat_io_uring)

SEC("raw_tp/sched_process_fork")
int follow_fork(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 parent = BPF_CORE_READ((struct task_struct *)ctx->args[0], tgid);
	__u32 child = BPF_CORE_READ((struct task_struct *)ctx->args[1], tgid);
	__u32 one = 1;

	if (parent != child && bpf_map_lookup_elem(&targets, &parent))
		bpf_map_update_elem(&targets, &child, &one, BPF_ANY);
	return 0;
}

SEC("raw_tp/sched_process_exit")
int forget(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (void *)ctx->args[0];
	__u32 tid = BPF_CORE_READ(task, pid);
	struct trace_task *t = task_of_thread(tid);

	if (!t)
		return 0;
	waits_no_more(t);
	task_forget(tid);
	return 0;
}

/* By itself or another, before it has the new name. */
SEC("raw_tp/task_rename")
int renamed(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 tid = BPF_CORE_READ((struct task_struct *)ctx->args[0], pid);
	struct trace_task *t = task_of_thread(tid);

	if (t)
		t->named = 0;
	return 0;
}

#include "ask.h"
