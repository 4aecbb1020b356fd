/* SPDX-License-Identifier: GPL-2.0 */
/* Every page that anybody takes or lets go, as runs of page frames. */
#ifndef PINPROBE_BPF_LEDGER_H
#define PINPROBE_BPF_LEDGER_H

#define CHUNKS_MAX	4096	/* of TRACE_RUNS pages, in one call */

/* Why pages that a thread lets go are not told. */
#define IGNORED_GUP	1	/* what GUP pins for a moment; or told already */
#define IGNORED_UMEM	2	/* told as those of a umem */

struct take {
	__u64 addr, nr, pages;
	__u32 flags;
};

struct chunk {
	struct trace_pages *e;
	__u64 pages;		/* array of pointers */
	__u64 nr;
	__u64 left;		/* of these, in @e */
	__u64 odd;		/* those in @e do not follow each other */
	__u32 lost;		/* counter for what there is no room for */
};

#define GROUP		8

#define ASKED_EVERY	16

/*
 * Woken when half of it is full; the command looks by itself, too. Who reads takes
 * time of those that it watches, where no other CPU is idle.
 */
static __always_inline __u64 wake(void)
{
	if (++unasked % ASKED_EVERY)
		return BPF_RB_NO_WAKEUP;
	return bpf_ringbuf_query(&events, BPF_RB_AVAIL_DATA) > RING_BYTES / 2 ?
	       BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
}

static __always_inline void emit(struct trace_pages *e, __u64 pages, __u32 lost)
{
	__u64 size = sizeof(*e) - sizeof(e->run) + e->runs * sizeof(e->run[0]);

	/* The register that is compared is to be the one that is used. */
	barrier_var(size);
	if (size > sizeof(*e))
		return;
	if (bpf_ringbuf_output(&events, e, size, wake()))
		count(lost, pages);
}

/* Eight at a time, for a call of the callback costs more than a comparison. */
static long one_group(__u32 i, struct chunk *c)
{
	struct trace_pages *e = c->e;
	__u64 at = (__u64)i * GROUP, page, odd = 0;
	int k;

	if (at + GROUP > c->left)
		at = c->left - GROUP;
	/* The register that is compared is to be the one that is used. */
	barrier_var(at);
	if (at > TRACE_RUNS - GROUP)
		return 1;
	page = e->page[0] + at * struct_page;
#pragma unroll
	for (k = 0; k < GROUP; k++) {
		odd |= e->page[at + k] ^ page;
		page += struct_page;
	}
	c->odd = odd;
	return odd != 0;
}

/* Whether they follow each other: one run then, or else the command makes runs of them. */
static __always_inline bool consecutive(struct chunk *c)
{
	struct trace_pages *e = c->e;
	__u64 last = (c->left - 1) & (TRACE_RUNS - 1);

	if (c->left < GROUP ||
	    e->page[last] - e->page[0] != last * struct_page)
		return c->left == 1;
	c->odd = 0;
	bpf_loop((c->left + GROUP - 1) / GROUP, one_group, c, 0);
	return !c->odd;
}

static long one_chunk(__u32 index, struct chunk *c)
{
	struct trace_pages *e = c->e;
	__u64 done = (__u64)index * TRACE_RUNS;
	__u64 left = c->nr - done, pfn;

	if (done >= c->nr)
		return 1;
	barrier_var(left);
	if (left > TRACE_RUNS)
		left = TRACE_RUNS;
	if (bpf_probe_read_kernel(e->page, left * 8,
				  (void *)(c->pages + done * 8))) {
		count(c->lost, left);
		return 0;
	}
	c->left = left;
	if (consecutive(c)) {
		pfn = pfn_of(e->page[0]);
		e->run[0].pfn = pfn;
		e->run[0].pages = left - 1;
		e->runs = 1;
		e->raw = 0;
	} else {
		e->runs = left;
		e->raw = vmemmap;
	}
	emit(e, left, c->lost);
	e->addr += left << page_shift;
	return 0;
}

static __always_inline void fill_event(struct trace_pages *e, __u32 kind, __u64 now)
{
	__u64 both = bpf_get_current_pid_tgid();

	e->kind = kind;
	e->runs = 0;
	e->time = now;
	e->tgid = both >> 32;
	e->tid = both;
	e->api = 0;
	e->flags = 0;
	e->addr = 0;
	e->raw = 0;
	e->umem = 0;
	e->stack = -1;
	e->zero = 0;
}

static __always_inline struct trace_pages *begin_event(__u32 hook, __u32 kind)
{
	struct trace_pages *e;

	if (hook >= SCRATCHES)
		return NULL;
	e = bpf_map_lookup_elem(&scratch, &hook);
	if (!e)
		return NULL;
	fill_event(e, kind, bpf_ktime_get_ns());
	bpf_get_current_comm(e->comm, sizeof(e->comm));
	return e;
}

static __always_inline void emit_array(struct trace_pages *e, __u64 pages,
				       __u64 nr, __u32 lost)
{
	struct chunk c = { .e = e, .pages = pages, .nr = nr, .lost = lost };
	__u64 chunks = (nr + TRACE_RUNS - 1) / TRACE_RUNS;

	if (chunks > CHUNKS_MAX) {
		count(lost, nr - (__u64)CHUNKS_MAX * TRACE_RUNS);
		chunks = CHUNKS_MAX;
	}
	if (chunks == 1)
		one_chunk(0, &c);
	else
		bpf_loop(chunks, one_chunk, &c, 0);
}

static __always_inline void ledger_held(void *ctx, __u32 hook, __u32 api,
					__u32 flags, __u64 addr, __u64 pages,
					__s64 nr)
{
	struct trace_pages *e;

	if (!ledger || nr <= 0 || !pages || !vmemmap)
		return;
	count(TRACE_COUNT_TAKEN, nr);
	if (api >= TRACE_GET && ledger < LEDGER_ALL)
		return;
	e = begin_event(hook, TRACE_EVENT_HELD);
	if (!e)
		return;
	e->api = api;
	e->flags = flags;
	e->addr = addr;
	e->stack = bpf_get_stackid(ctx, &stacks, 0);
	emit_array(e, pages, nr, TRACE_COUNT_LOST_HELD);
}

static __always_inline void ledger_left(__u32 hook, __u64 pages, __u64 nr)
{
	struct trace_pages *e;

	if (!ledger || !nr || !vmemmap)
		return;
	count(TRACE_COUNT_LEFT, nr);
	e = begin_event(hook, TRACE_EVENT_LEFT);
	if (e)
		emit_array(e, pages, nr, TRACE_COUNT_LOST_LEFT);
}

/* @nr consecutive pages from @page on, which may be more than a run can have. */
static __always_inline void ledger_left_range(__u32 hook, __u64 page, __u64 nr)
{
	struct trace_pages *e;
	__u64 pfn;

	if (!ledger || !nr || !vmemmap)
		return;
	count(TRACE_COUNT_LEFT, nr);
	e = begin_event(hook, TRACE_EVENT_LEFT_RANGE);
	if (!e)
		return;
	pfn = pfn_of(page);
	e->run[0].pfn = pfn;
	e->run[0].pages = 0;
	e->runs = 1;
	e->addr = nr;
	emit(e, nr, TRACE_COUNT_LOST_LEFT);
}

/*
 * Regions of the RDMA subsystem: what ib_umem_get() takes is let go as a whole, by
 * ib_umem_release(). That is told in one event, and not page by page, as the pages are let
 * go: for scattered memory that would be one call for each page.
 */

static __always_inline __s32 umem_stack(void *ctx, __u32 api)
{
	__s32 id;

	if (api >= TRACE_APIS)
		return -1;
	if (umem_stacks[api] > 0)
		return umem_stacks[api] - 1;
	id = bpf_get_stackid(ctx, &stacks, 0);
	if (id >= 0)
		umem_stacks[api] = id + 1;
	return id;
}

/* The fewest, and nearly all: without a copy by a helper. */
#define FEW	16

static __always_inline bool emit_few(const struct trace_pages *e)
{
	const __u64 size = offsetof(struct trace_pages, page) + FEW * sizeof(__u64);
	struct trace_pages *to = bpf_ringbuf_reserve(&events, size, 0);

	if (!to)
		return false;
	__builtin_memcpy(to, e, size);
	bpf_ringbuf_submit(to, wake());
	return true;
}

static __always_inline void emit_small(struct trace_task *t, __u64 umem)
{
	struct trace_pages *e = t->small.head;
	__u64 nr = t->pages, size;

	t->pages = 0;
	barrier_var(nr);
	if (!nr || nr > TRACE_SMALL)
		return;
	size = sizeof(*e) - sizeof(e->run) + nr * sizeof(__u64);
	e->runs = nr;
	e->raw = vmemmap;
	e->umem = umem;
	if (nr <= FEW ? !emit_few(e) : !!bpf_ringbuf_output(&events, e, size, wake()))
		count(TRACE_COUNT_LOST_HELD, nr);
}

static __always_inline void umem_call(void *ctx, struct trace_pages *e, __u32 api,
				      __u32 flags, __u64 addr)
{
	e->api = api;
	e->flags = flags;
	e->addr = addr;
	e->stack = umem_stack(ctx, api);
}

static __always_inline void umem_took(void *ctx, struct trace_task *t, __u32 api,
				      const struct take *by, __s64 nr, __u64 now)
{
	struct trace_pages *e = t->small.head;
	__u64 small = nr;

	if (nr <= 0 || !by->pages || !vmemmap)
		return;
	count(TRACE_COUNT_TAKEN, nr);
	t->taken += nr;
	barrier_var(small);
	if (!t->told && !t->pages && small <= TRACE_SMALL &&
	    !bpf_probe_read_kernel(e->page, small * 8, (void *)by->pages)) {
		fill_event(e, TRACE_EVENT_HELD, now);
		/* Until it is called otherwise: see renamed(). */
		if (!t->named) {
			t->named = 1;
			bpf_get_current_comm(e->comm, sizeof(e->comm));
		}
		t->pages = small;
		umem_call(ctx, e, api, by->flags, by->addr);
		return;
	}
	emit_small(t, TRACE_UMEM_MAKING);
	t->told = 1;
	e = begin_event(api, TRACE_EVENT_HELD);
	if (!e)
		return;
	umem_call(ctx, e, api, by->flags, by->addr);
	e->umem = TRACE_UMEM_MAKING;
	emit_array(e, by->pages, nr, TRACE_COUNT_LOST_HELD);
}

static __always_inline void umem_begins(struct trace_task *t)
{
	if (!ledger)
		return;
	t->making = 1;
	t->told = 0;
	t->pages = 0;
	t->taken = 0;
	t->ignored |= IGNORED_UMEM;
}

static __always_inline void umem_ends(struct trace_task *t, __u32 hook, __u64 umem)
{
	struct trace_pages *e;

	t->making = 0;
	t->ignored &= ~IGNORED_UMEM;
	if (!umem) {
		count(TRACE_COUNT_LEFT, t->taken);
		t->pages = 0;
	}
	emit_small(t, umem);
	e = t->told ? begin_event(hook, TRACE_EVENT_UMEM) : NULL;
	if (!e)
		return;
	e->umem = umem;
	emit(e, t->taken, TRACE_COUNT_LOST_HELD);
}

/* How many pages that were is known to the command. */
static __always_inline void umem_left(__u64 umem)
{
	const __u64 size = offsetof(struct trace_pages, tgid);
	struct trace_pages *e = bpf_ringbuf_reserve(&events, size, 0);

	if (!e) {
		count(TRACE_COUNT_LOST_LEFT, 1);
		return;
	}
	e->kind = TRACE_EVENT_UMEM_LEFT;
	e->runs = 0;
	/* How long it held them is asked by those who want pins alone. */
	e->time = ledger == LEDGER_ALL ? 0 : bpf_ktime_get_ns();
	e->umem = umem;
	bpf_ringbuf_submit(e, wake());
}

#endif
