/* SPDX-License-Identifier: GPL-2.0 */
/* Every page that anybody takes or lets go, as runs of page frames. */
#ifndef PINPROBE_BPF_LEDGER_H
#define PINPROBE_BPF_LEDGER_H

#define CHUNKS_MAX	4096	/* of TRACE_RUNS pages, in one call */

struct chunk {
	struct trace_pages *e;
	__u64 pages;		/* array of pointers */
	__u64 nr;
	__u64 expected;		/* frame that would make a run longer */
	__u32 lost;		/* counter for what there is no room for */
};

static __always_inline void emit(struct trace_pages *e, __u64 pages, __u32 lost)
{
	__u64 size = sizeof(*e) - sizeof(e->run) + e->runs * sizeof(e->run[0]);

	/* The register that is compared is to be the one that is used. */
	barrier_var(size);
	if (size > sizeof(*e))
		return;
	/* Woken when there is much to do; the command looks by itself, too. */
	if (bpf_ringbuf_output(&events, e, size,
			       bpf_ringbuf_query(&events, BPF_RB_AVAIL_DATA) >
			       RING_BYTES / 4 ? BPF_RB_FORCE_WAKEUP :
			       BPF_RB_NO_WAKEUP))
		count(lost, pages);
}

/*
 * Adds a page to the last run or begins one. By bpf_loop(), for which the verifier
 * looks at it once: of a loop it would look at each turn, in every program.
 */
static long one_page(__u32 i, struct chunk *c)
{
	struct trace_pages *e = c->e;
	__u32 at = e->runs;
	__u64 pfn;

	if (i >= TRACE_RUNS)
		return 1;
	/* Pointers were read to where the runs go, of which there are no more. */
	pfn = pfn_of(*(__u64 *)&e->run[i]);
	if (at && pfn == c->expected) {
		e->run[(at - 1) & (TRACE_RUNS - 1)].pages++;
	} else {
		e->run[at & (TRACE_RUNS - 1)].pfn = pfn;
		e->run[at & (TRACE_RUNS - 1)].pages = 0;
		e->runs = at + 1;
	}
	c->expected = pfn + 1;
	return 0;
}

static long one_chunk(__u32 index, struct chunk *c)
{
	struct trace_pages *e = c->e;
	__u64 done = (__u64)index * TRACE_RUNS;
	__u64 left = c->nr - done;

	if (done >= c->nr)
		return 1;
	if (left > TRACE_RUNS)
		left = TRACE_RUNS;
	if (bpf_probe_read_kernel(e->run, left * 8,
				  (void *)(c->pages + done * 8))) {
		count(c->lost, left);
		return 0;
	}
	e->runs = 0;
	c->expected = 0;
	bpf_loop(left, one_page, c, 0);
	emit(e, left, c->lost);
	e->addr += left << page_shift;
	return 0;
}

static __always_inline struct trace_pages *begin_event(__u32 hook, __u32 kind)
{
	struct trace_pages *e;

	if (hook >= SCRATCHES)
		return NULL;
	e = bpf_map_lookup_elem(&scratch, &hook);
	if (!e)
		return NULL;
	e->kind = kind;
	e->runs = 0;
	e->time = bpf_ktime_get_ns();
	e->tgid = this_tgid();
	e->tid = this_tid();
	e->api = 0;
	e->flags = 0;
	e->addr = 0;
	e->stack = -1;
	e->zero = 0;
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

	if (!ledger || !nr || !vmemmap)
		return;
	count(TRACE_COUNT_LEFT, nr);
	e = begin_event(hook, TRACE_EVENT_LEFT_RANGE);
	if (!e)
		return;
	e->run[0].pfn = pfn_of(page);
	e->run[0].pages = 0;
	e->runs = 1;
	e->addr = nr;
	emit(e, nr, TRACE_COUNT_LOST_LEFT);
}

#endif
