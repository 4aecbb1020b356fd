// SPDX-License-Identifier: GPL-2.0
/*
 * What a umem of the RDMA subsystem holds is left as a whole. Such a call has its runs
 * in an array of its own, is found by the umem (or by the thread that is still making it),
 * and its pages are looked for only when somebody asks.
 */
#include <stdlib.h>

#include "ledger_internal.h"

static struct call *umem_find(struct ledger *l, uint64_t umem)
{
	struct call *call = l->umem[ledger_hash(umem)];

	while (call && call->umem != umem)
		call = call->next;
	return call;
}

static void umem_link(struct ledger *l, struct call *call, uint64_t umem)
{
	struct call **bucket = &l->umem[ledger_hash(umem)];

	call->umem = umem;
	call->next = *bucket;
	*bucket = call;
}

static void umem_unlink(struct ledger *l, struct call *call)
{
	struct call **at = &l->umem[ledger_hash(call->umem)];

	while (*at != call)
		at = &(*at)->next;
	*at = call->next;
}

void ledger_umem_free(struct ledger *l, struct call *call)
{
	if (call->umem)
		umem_unlink(l, call);
	if (call->run)
		ledger_put(l, call->run, call->room * sizeof(*call->run));
}

static bool run_add(struct ledger *l, struct call *call, struct trace_run run)
{
	struct trace_run *last = call->run + call->runs - 1, *more;
	size_t room = call->room;

	if (call->runs && last->pfn + last->pages + 1 == run.pfn &&
	    last->pages + run.pages + 2u <= 4096) {
		last->pages += run.pages + 1;
		return true;
	}
	if (call->runs == room) {
		room = room * 2;
		more = realloc(call->run, room * sizeof(*more));
		if (!more)
			return false;
		ledger_charge(l, ledger_cost(call->room * sizeof(*more)), ledger_cost(room * sizeof(*more)));
		call->run = more;
		call->room = room;
	}
	call->run[call->runs++] = run;
	return true;
}

static void umem_left(struct ledger *l, struct call *call, uint64_t time)
{
	l->totals.left += call->c.held;
	ledger_call_less(l, call, call->c.held, time);
}

static struct call *umem_new(struct ledger *l, const struct trace_pages *e,
			     uint64_t umem)
{
	struct call *call = ledger_call_new(l, e);

	if (!call)
		return NULL;
	call->run = ledger_get(l, e->runs * sizeof(*call->run));
	if (!call->run) {
		ledger_call_unlink(l, call);
		return NULL;
	}
	call->room = e->runs;
	umem_link(l, call, umem);
	return call;
}

void ledger_umem_held(struct ledger *l, const struct trace_pages *e)
{
	bool making = e->umem == TRACE_UMEM_MAKING;
	uint64_t umem = making ? e->tid : e->umem, pages;
	struct call *call = umem_find(l, umem);
	uint32_t i;

	/* There cannot be two: the end of the first was lost. */
	if (call && !making) {
		umem_left(l, call, e->time);
		call = NULL;
	}
	if (!call)
		call = umem_new(l, e, umem);
	for (i = 0; i < e->runs; i++) {
		pages = e->run[i].pages + 1ull;
		if (!call || !run_add(l, call, e->run[i])) {
			l->totals.dropped += pages;
			continue;
		}
		l->totals.taken += pages;
		call->c.taken += pages;
		call->c.held += pages;
	}
	if (call && !call->c.held)
		ledger_call_unlink(l, call);
	if (l->totals.bytes > l->limit)
		ledger_make_room(l);
}

/* It has been made, or not, of what its thread took. */
void ledger_umem_made(struct ledger *l, const struct trace_pages *e)
{
	struct call *call = umem_find(l, e->tid), *old;

	old = e->umem ? umem_find(l, e->umem) : NULL;
	if (old)
		umem_left(l, old, e->time);
	if (!call)
		return;
	if (!e->umem) {
		umem_left(l, call, e->time);
		return;
	}
	umem_unlink(l, call);
	umem_link(l, call, e->umem);
}

void ledger_umem_gone(struct ledger *l, const struct trace_pages *e)
{
	struct call *call = umem_find(l, e->umem);

	if (!call)
		return;
	l->totals.whole += call->c.held;
	umem_left(l, call, e->time);
}

bool ledger_umem_holds(const struct call *call, uint64_t pfn, uint64_t nr)
{
	size_t i;

	for (i = 0; i < call->runs; i++)
		if (call->run[i].pfn < pfn + nr &&
		    pfn <= call->run[i].pfn + call->run[i].pages)
			return true;
	return false;
}
