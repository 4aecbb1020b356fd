// SPDX-License-Identifier: GPL-2.0
/*
 * Who holds which pages.
 *
 * Pages are kept as runs, in a list for each block of 512 frames: that is where a
 * page that is left is looked for. A call may outlive none of its runs.
 */
#include <stdlib.h>
#include <string.h>

#include "ledger_internal.h"

void ledger_charge(struct ledger *l, size_t less, size_t more)
{
	l->totals.bytes += more;
	l->totals.bytes -= less;
	if (l->totals.bytes > l->totals.peak)
		l->totals.peak = l->totals.bytes;
}

void *ledger_get(struct ledger *l, size_t size)
{
	/* Not calloc(), which looks in no cache of the thread. */
	void *p = malloc(size);

	if (!p)
		return NULL;
	memset(p, 0, size);
	ledger_charge(l, 0, ledger_cost(size));
	return p;
}

void ledger_put(struct ledger *l, void *p, size_t size)
{
	free(p);
	ledger_charge(l, ledger_cost(size), 0);
}

static struct block **bucket_of(struct ledger *l, uint64_t number)
{
	return &l->bucket[ledger_hash(number)];
}

static struct block *block_find(struct ledger *l, uint64_t number)
{
	struct block *b = *bucket_of(l, number);

	while (b && b->number != number)
		b = b->next;
	return b;
}

static struct block *block_get(struct ledger *l, uint64_t number)
{
	struct block *b = block_find(l, number);

	if (b)
		return b;
	b = ledger_get(l, sizeof(*b));
	if (!b)
		return NULL;
	b->number = number;
	b->next = *bucket_of(l, number);
	*bucket_of(l, number) = b;
	return b;
}

static void block_put(struct ledger *l, struct block *b)
{
	struct block **at = bucket_of(l, b->number);

	while (*at != b)
		at = &(*at)->next;
	*at = b->next;
	ledger_put(l, b, sizeof(*b));
}

void ledger_call_unlink(struct ledger *l, struct call *call)
{
	ledger_umem_free(l, call);
	*(call->older ? &call->older->newer : &l->oldest) = call->newer;
	*(call->newer ? &call->newer->older : &l->newest) = call->older;
	ledger_put(l, call, sizeof(*call));
}

/* Pages of a call are no longer held. */
void ledger_call_less(struct ledger *l, struct call *call, uint64_t pages,
		      uint64_t time)
{
	call->c.held -= pages;
	if (call->c.held)
		return;
	if (l->ended && time)
		l->ended(l->ctx, &call->c, time);
	ledger_call_unlink(l, call);
}

struct call *ledger_call_new(struct ledger *l, const struct trace_pages *e)
{
	struct call *call = ledger_get(l, sizeof(*call));

	if (!call)
		return NULL;
	call->c = (struct ledger_call){
		.time = e->time, .tgid = e->tgid, .tid = e->tid, .api = e->api,
		.flags = e->flags, .stack = e->stack, .addr = e->addr,
	};
	memcpy(call->c.comm, e->comm, sizeof(call->c.comm));
	call->older = l->newest;
	*(l->newest ? &l->newest->newer : &l->oldest) = call;
	l->newest = call;
	return call;
}

static bool hold(struct ledger *l, struct call *call, uint64_t pfn,
		 uint32_t pages)
{
	struct block *b = block_get(l, pfn >> BLOCK_SHIFT);
	struct run *run = b ? ledger_get(l, sizeof(*run)) : NULL;

	if (!run)
		return false;
	*run = (struct run){
		.next = b->runs, .call = call,
		.first = pfn & (BLOCK_PAGES - 1), .pages = pages,
	};
	b->runs = run;
	call->c.taken += pages;
	call->c.held += pages;
	return true;
}

/* How many of a run that begins at @pfn lie in the same block. */
static uint32_t in_block(uint64_t pfn, uint64_t pages)
{
	uint32_t left = BLOCK_PAGES - (pfn & (BLOCK_PAGES - 1));

	return pages < left ? pages : left;
}

/* Everything that a call holds is forgotten, which takes a look at all blocks. */
static void forget_marked(struct ledger *l)
{
	struct call *call, *newer;
	unsigned int i;

	for (call = l->oldest; call; call = newer) {
		newer = call->newer;
		if (!call->umem || !call->c.marked)
			continue;
		l->totals.dropped += call->c.held;
		ledger_call_less(l, call, call->c.held, 0);
	}

	for (i = 0; i < BUCKETS; i++) {
		struct block *b, *next;

		for (b = l->bucket[i]; b; b = next) {
			struct run **at = &b->runs;

			next = b->next;
			while (*at) {
				struct run *run = *at;

				if (!run->call->c.marked) {
					at = &run->next;
					continue;
				}
				*at = run->next;
				l->totals.dropped += run->pages;
				ledger_call_less(l, run->call, run->pages, 0);
				ledger_put(l, run, sizeof(*run));
			}
			if (!b->runs)
				block_put(l, b);
		}
	}
}

/*
 * The older half goes, references before pins: they may be gone by now. All at
 * once, for a walk over all blocks is slow.
 */
void ledger_make_room(struct ledger *l)
{
	uint64_t calls = 0, references = 0, quota;
	struct call *call;

	for (call = l->oldest; call; call = call->newer) {
		calls++;
		references += call->c.api >= TRACE_GET;
	}
	quota = references > calls / 4 ? references : calls;
	quota = quota / 2 + 1;
	for (call = l->oldest; call; call = call->newer) {
		bool out = quota && (references <= calls / 4 ||
				     call->c.api >= TRACE_GET);

		call->c.marked = out;
		quota -= out;
	}
	forget_marked(l);
}

static void held(struct ledger *l, const struct trace_pages *e)
{
	struct call *call = ledger_call_new(l, e);
	uint32_t i;

	for (i = 0; call && i < e->runs; i++) {
		uint64_t pfn = e->run[i].pfn, pages = e->run[i].pages + 1ull;

		while (pages) {
			uint32_t part = in_block(pfn, pages);

			if (hold(l, call, pfn, part))
				l->totals.taken += part;
			else
				l->totals.dropped += part;
			pfn += part;
			pages -= part;
		}
	}
	if (call && !call->c.held)
		ledger_call_unlink(l, call);
	if (l->totals.bytes > l->limit)
		ledger_make_room(l);
}

/*
 * Which run to take a page from: a pin of the same process, the oldest, or else
 * of any. References are not left this way.
 */
static struct run **choose(struct block *b, uint32_t at, uint32_t tgid)
{
	struct run **i, **best = NULL;

	for (i = &b->runs; *i; i = &(*i)->next) {
		struct run *run = *i;

		if (run->call->c.api >= TRACE_GET || at < run->first ||
		    at >= run->first + run->pages)
			continue;
		if (!best || run->call->c.tgid == tgid ||
		    (*best)->call->c.tgid != tgid)
			best = i;
	}
	return best;
}

/* Frames [at, at + pages) leave a run, which may leave two. */
static bool split(struct ledger *l, struct run **place, uint32_t at,
		  uint32_t pages)
{
	struct run *run = *place;
	uint32_t behind = run->first + run->pages - at - pages;
	struct run *rest;

	if (behind && at > run->first) {
		rest = ledger_get(l, sizeof(*rest));
		if (!rest)
			return false;
		*rest = *run;
		rest->first = at + pages;
		rest->pages = behind;
		run->next = rest;
		run->pages = at - run->first;
	} else if (behind) {
		run->first = at + pages;
		run->pages = behind;
	} else if (at > run->first) {
		run->pages = at - run->first;
	} else {
		*place = run->next;
		ledger_put(l, run, sizeof(*run));
	}
	return true;
}

static void leave(struct ledger *l, struct block *b, uint32_t at,
		  uint32_t pages, const struct trace_pages *e)
{
	while (pages) {
		struct run **place = choose(b, at, e->tgid);
		struct call *call;
		uint32_t part;

		if (!place) {
			l->totals.unknown++;
			at++;
			pages--;
			continue;
		}
		call = (*place)->call;
		part = (*place)->first + (*place)->pages - at;
		if (part > pages)
			part = pages;
		if (!split(l, place, at, part))
			return;
		l->totals.left += part;
		ledger_call_less(l, call, part, e->time);
		at += part;
		pages -= part;
	}
}

static void left(struct ledger *l, uint64_t pfn, uint64_t pages,
		 const struct trace_pages *e)
{
	while (pages) {
		uint32_t part = in_block(pfn, pages);
		struct block *b = block_find(l, pfn >> BLOCK_SHIFT);

		if (b)
			leave(l, b, pfn & (BLOCK_PAGES - 1), part, e);
		else
			l->totals.unknown += part;
		if (b && !b->runs)
			block_put(l, b);
		pfn += part;
		pages -= part;
	}
}

void ledger_event(struct ledger *l, const struct trace_pages *e)
{
	uint32_t i;

	if (e->kind == TRACE_EVENT_HELD && e->umem && e->runs)
		ledger_umem_held(l, e);
	else if (e->kind == TRACE_EVENT_HELD)
		held(l, e);
	else if (e->kind == TRACE_EVENT_UMEM)
		ledger_umem_made(l, e);
	else if (e->kind == TRACE_EVENT_UMEM_LEFT)
		ledger_umem_gone(l, e);
	else if (e->kind == TRACE_EVENT_LEFT_RANGE)
		left(l, e->run[0].pfn, e->addr, e);
	else
		for (i = 0; i < e->runs; i++)
			left(l, e->run[i].pfn, e->run[i].pages + 1ull, e);
}

struct ledger *ledger_new(size_t limit,
			  void (*ended)(void *ctx, const struct ledger_call *call,
					uint64_t time),
			  void *ctx)
{
	struct ledger *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->limit = limit;
	l->ended = ended;
	l->ctx = ctx;
	l->totals.bytes = l->totals.peak = sizeof(*l);
	return l;
}

void ledger_free(struct ledger *l)
{
	struct call *call;

	if (!l)
		return;
	for (call = l->oldest; call; call = call->newer)
		call->c.marked = true;
	forget_marked(l);
	free(l);
}

void ledger_each(struct ledger *l,
		 void (*each)(void *ctx, struct ledger_call *call), void *ctx)
{
	struct call *call;

	for (call = l->oldest; call; call = call->newer)
		each(ctx, &call->c);
}

void ledger_find(struct ledger *l, uint64_t pfn, uint64_t nr,
		 void (*each)(void *ctx, const struct ledger_call *call),
		 void *ctx)
{
	struct call *call;
	uint64_t at, part;

	for (call = l->oldest; call; call = call->newer)
		call->c.marked = ledger_umem_holds(call, pfn, nr);
	for (at = pfn; at < pfn + nr; at += part) {
		struct block *b = block_find(l, at >> BLOCK_SHIFT);
		uint32_t first = at & (BLOCK_PAGES - 1);
		struct run *run;

		part = in_block(at, pfn + nr - at);
		for (run = b ? b->runs : NULL; run; run = run->next)
			if (run->first < first + part &&
			    first < run->first + (uint32_t)run->pages)
				run->call->c.marked = true;
	}
	for (call = l->oldest; call; call = call->newer)
		if (call->c.marked)
			each(ctx, &call->c);
}

void ledger_runs(struct ledger *l, const struct ledger_call *call,
		 void (*each)(void *ctx, uint64_t pfn, uint64_t pages), void *ctx)
{
	const struct call *one = (const struct call *)call;
	unsigned int i;

	for (i = 0; i < one->runs; i++)
		each(ctx, one->run[i].pfn, one->run[i].pages + 1ull);
	for (i = 0; i < BUCKETS && !one->umem; i++) {
		struct block *b;
		struct run *run;

		for (b = l->bucket[i]; b; b = b->next)
			for (run = b->runs; run; run = run->next)
				if (&run->call->c == call)
					each(ctx, (b->number << BLOCK_SHIFT) +
					     run->first, run->pages);
	}
}

void ledger_totals(const struct ledger *l, struct ledger_totals *totals)
{
	*totals = l->totals;
}
