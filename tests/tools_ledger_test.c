// SPDX-License-Identifier: GPL-2.0
/* Who holds which pages, from made-up events. */
#include <stdlib.h>
#include <string.h>
#include "unit.h"
#include "../tools/ledger.c"
#include "../tools/ledger_umem.c"

#define MIB	(1u << 20)

static struct trace_pages event(uint32_t kind, uint32_t tgid, uint64_t pfn,
				uint64_t pages)
{
	struct trace_pages e = { .kind = kind, .tgid = tgid, .tid = tgid,
				 .time = 1000 * tgid, .api = TRACE_PIN, .runs = 1 };

	if (kind == TRACE_EVENT_LEFT_RANGE) {
		e.run[0].pfn = pfn;
		e.addr = pages;
		return e;
	}
	e.run[0].pfn = pfn;
	e.run[0].pages = pages - 1;
	return e;
}

static void happen(struct ledger *l, uint32_t kind, uint32_t tgid, uint64_t pfn,
		   uint64_t pages)
{
	struct trace_pages e = event(kind, tgid, pfn, pages);

	ledger_event(l, &e);
}

struct seen {
	unsigned int calls;
	uint32_t tgid[8];
	uint64_t held;
};

static void see(void *ctx, const struct ledger_call *call)
{
	struct seen *seen = ctx;

	if (seen->calls < 8)
		seen->tgid[seen->calls] = call->tgid;
	seen->calls++;
	seen->held += call->held;
}

static struct seen holders(struct ledger *l, uint64_t pfn, uint64_t pages)
{
	struct seen seen = {};

	ledger_find(l, pfn, pages, see, &seen);
	return seen;
}

TEST(tools_ledger_names_who_holds_a_page)
{
	struct ledger *l = ledger_new(64 * MIB, NULL, NULL);
	struct seen seen;

	happen(l, TRACE_EVENT_HELD, 1, 1000, 100);	/* over two blocks */
	happen(l, TRACE_EVENT_HELD, 2, 1050, 1);
	seen = holders(l, 1050, 1);
	CHECK_NUMBER(seen.calls, 2);
	CHECK_NUMBER(seen.tgid[0], 1);
	CHECK_NUMBER(seen.tgid[1], 2);
	CHECK_NUMBER(holders(l, 999, 1).calls, 0);
	CHECK_NUMBER(holders(l, 1000, 1).calls, 1);
	CHECK_NUMBER(holders(l, 1099, 1).calls, 1);
	CHECK_NUMBER(holders(l, 1100, 1).calls, 0);
	/* A folio, of which one page is held. */
	CHECK_NUMBER(holders(l, 1024, 512).calls, 2);
	ledger_free(l);
}

TEST(tools_ledger_page_is_left)
{
	struct ledger *l = ledger_new(64 * MIB, NULL, NULL);
	struct ledger_totals totals;

	happen(l, TRACE_EVENT_HELD, 1, 1000, 100);
	happen(l, TRACE_EVENT_LEFT, 1, 1040, 10);
	CHECK_NUMBER(holders(l, 1039, 1).calls, 1);
	CHECK_NUMBER(holders(l, 1040, 10).calls, 0);
	CHECK_NUMBER(holders(l, 1050, 1).calls, 1);
	CHECK_NUMBER(holders(l, 1000, 1).held, 90);
	happen(l, TRACE_EVENT_LEFT_RANGE, 1, 1050, 50);
	happen(l, TRACE_EVENT_LEFT, 1, 1000, 40);
	CHECK_NUMBER(holders(l, 0, 4096).calls, 0);
	happen(l, TRACE_EVENT_LEFT, 1, 1000, 3);
	ledger_totals(l, &totals);
	CHECK_NUMBER(totals.taken, 100);
	CHECK_NUMBER(totals.left, 100);
	CHECK_NUMBER(totals.unknown, 3);
	CHECK_NUMBER(totals.dropped, 0);
	ledger_free(l);
}

TEST(tools_ledger_own_pin_is_left_first)
{
	struct ledger *l = ledger_new(64 * MIB, NULL, NULL);

	happen(l, TRACE_EVENT_HELD, 1, 7, 1);
	happen(l, TRACE_EVENT_HELD, 2, 7, 1);
	happen(l, TRACE_EVENT_HELD, 3, 7, 1);
	happen(l, TRACE_EVENT_LEFT, 2, 7, 1);
	CHECK_NUMBER(holders(l, 7, 1).calls, 2);
	CHECK_NUMBER(holders(l, 7, 1).tgid[1], 3);
	/* Of nobody's who is known: the oldest. */
	happen(l, TRACE_EVENT_LEFT, 9, 7, 1);
	CHECK_NUMBER(holders(l, 7, 1).calls, 1);
	CHECK_NUMBER(holders(l, 7, 1).tgid[0], 3);
	ledger_free(l);
}

TEST(tools_ledger_reference_is_not_left_by_an_unpin)
{
	struct ledger *l = ledger_new(64 * MIB, NULL, NULL);
	struct trace_pages e = event(TRACE_EVENT_HELD, 1, 7, 1);

	e.api = TRACE_GET_FAST;
	ledger_event(l, &e);
	happen(l, TRACE_EVENT_LEFT, 1, 7, 1);
	CHECK_NUMBER(holders(l, 7, 1).calls, 1);
	ledger_free(l);
}

static unsigned int ended;
static uint64_t ended_at;

static void end(void *ctx, const struct ledger_call *call, uint64_t time)
{
	(void)ctx;
	(void)call;
	ended++;
	ended_at = time;
}

TEST(tools_ledger_tells_when_a_call_has_let_all_go)
{
	struct ledger *l = ledger_new(64 * MIB, end, NULL);

	happen(l, TRACE_EVENT_HELD, 1, 10, 4);
	happen(l, TRACE_EVENT_LEFT, 5, 10, 2);
	CHECK_NUMBER(ended, 0);
	happen(l, TRACE_EVENT_LEFT, 5, 12, 2);
	CHECK_NUMBER(ended, 1);
	CHECK_NUMBER(ended_at, 5000);
	ledger_free(l);
	CHECK_NUMBER(ended, 1);
}

/* Bounded, and what is dropped is counted: none is lost silently. */
TEST(tools_ledger_is_bounded)
{
	struct ledger *l = ledger_new(MIB, NULL, NULL);
	struct ledger_totals totals;
	uint64_t i;

	for (i = 0; i < 100000; i++)
		happen(l, TRACE_EVENT_HELD, 1, i * 3, 1);
	ledger_totals(l, &totals);
	CHECK(totals.bytes < 2 * MIB);
	CHECK(totals.dropped > 0);
	CHECK_NUMBER(totals.taken, 100000);
	/* The newest is still there, the oldest is not. */
	CHECK_NUMBER(holders(l, 99999 * 3, 1).calls, 1);
	CHECK_NUMBER(holders(l, 0, 1).calls, 0);
	ledger_free(l);
}

TEST(tools_ledger_drops_references_first)
{
	struct ledger *l = ledger_new(MIB, NULL, NULL);
	struct trace_pages e;
	uint64_t i;

	happen(l, TRACE_EVENT_HELD, 1, 1, 1);
	for (i = 0; i < 50000; i++) {
		e = event(TRACE_EVENT_HELD, 2, 10 + i, 1);
		e.api = TRACE_GET_FAST;
		ledger_event(l, &e);
	}
	CHECK_NUMBER(holders(l, 1, 1).calls, 1);
	ledger_free(l);
}

static void add_run(void *ctx, uint64_t pfn, uint64_t pages)
{
	(void)pfn;
	*(uint64_t *)ctx += pages;
}

static void all_runs(void *ctx, struct ledger_call *call)
{
	uint64_t pages = 0;

	ledger_runs(ctx, call, add_run, &pages);
	CHECK_NUMBER(pages, call->held);
}

TEST(tools_ledger_runs_are_what_is_held)
{
	struct ledger *l = ledger_new(MIB, NULL, NULL);

	happen(l, TRACE_EVENT_HELD, 1, 500, 100);
	happen(l, TRACE_EVENT_HELD, 2, 500, 30);
	happen(l, TRACE_EVENT_LEFT, 1, 510, 20);
	ledger_each(l, all_runs, l);
	ledger_free(l);
}

#define UMEM	0xffff888000001000ull

static void of_umem(struct ledger *l, uint32_t kind, uint32_t tid, uint64_t umem,
		    uint64_t pfn, uint64_t pages)
{
	struct trace_pages e = event(kind, tid, pfn, pages ? pages : 1);

	e.umem = umem;
	e.runs = pages ? 1 : 0;
	ledger_event(l, &e);
}

/* Many calls of the kernel, one of a person; let go by one event. */
TEST(tools_ledger_region_is_left_as_a_whole)
{
	struct ledger *l = ledger_new(64 * MIB, end, NULL);
	struct ledger_totals totals;
	size_t empty;

	ended = 0;
	ledger_totals(l, &totals);
	empty = totals.bytes;
	of_umem(l, TRACE_EVENT_HELD, 1, TRACE_UMEM_MAKING, 1000, 512);
	of_umem(l, TRACE_EVENT_HELD, 2, TRACE_UMEM_MAKING, 9000, 1);
	of_umem(l, TRACE_EVENT_HELD, 1, TRACE_UMEM_MAKING, 1512, 512);
	of_umem(l, TRACE_EVENT_HELD, 1, TRACE_UMEM_MAKING, 5000, 1);
	CHECK_NUMBER(holders(l, 2023, 1).calls, 1);
	CHECK_NUMBER(holders(l, 2024, 1).calls, 0);
	of_umem(l, TRACE_EVENT_UMEM, 1, UMEM, 0, 0);
	CHECK_NUMBER(holders(l, 5000, 1).held, 1025);
	ledger_each(l, all_runs, l);
	/* Another thread's may end meanwhile, and its own next begin. */
	of_umem(l, TRACE_EVENT_UMEM, 2, 0, 0, 0);
	CHECK_NUMBER(holders(l, 9000, 1).calls, 0);
	of_umem(l, TRACE_EVENT_HELD, 1, UMEM + 64, 5000, 1);
	CHECK_NUMBER(holders(l, 5000, 1).calls, 2);
	of_umem(l, TRACE_EVENT_UMEM_LEFT, 7, UMEM, 0, 0);
	CHECK_NUMBER(holders(l, 5000, 1).calls, 1);
	CHECK_NUMBER(holders(l, 1000, 1024).calls, 0);
	of_umem(l, TRACE_EVENT_UMEM_LEFT, 7, UMEM + 64, 0, 0);
	CHECK_NUMBER(ended, 3);
	/* One from before: nobody was seen to take it. */
	of_umem(l, TRACE_EVENT_UMEM_LEFT, 7, UMEM, 0, 0);
	ledger_totals(l, &totals);
	CHECK_NUMBER(totals.taken, 1027);
	CHECK_NUMBER(totals.left, 1027);
	CHECK_NUMBER(totals.whole, 1026);
	CHECK_NUMBER(totals.unknown, 0);
	CHECK_NUMBER(totals.bytes, empty);
	CHECK(totals.peak > empty);
	ledger_free(l);
}

/* An address that is there again: that the first was let go was not seen. */
TEST(tools_ledger_region_is_there_once)
{
	struct ledger *l = ledger_new(64 * MIB, NULL, NULL);

	of_umem(l, TRACE_EVENT_HELD, 1, UMEM, 1000, 4);
	of_umem(l, TRACE_EVENT_HELD, 1, UMEM, 2000, 4);
	CHECK_NUMBER(holders(l, 1000, 4).calls, 0);
	CHECK_NUMBER(holders(l, 2000, 4).calls, 1);
	of_umem(l, TRACE_EVENT_HELD, 1, TRACE_UMEM_MAKING, 3000, 4);
	of_umem(l, TRACE_EVENT_UMEM, 1, UMEM, 0, 0);
	CHECK_NUMBER(holders(l, 2000, 4).calls, 0);
	CHECK_NUMBER(holders(l, 3000, 4).calls, 1);
	ledger_free(l);
}

TEST(tools_ledger_regions_are_bounded)
{
	struct ledger *l = ledger_new(MIB, NULL, NULL);
	struct ledger_totals totals;
	uint64_t i;

	for (i = 0; i < 20000; i++)
		of_umem(l, TRACE_EVENT_HELD, 1, UMEM + i * 64, i * 32, 16);
	ledger_totals(l, &totals);
	CHECK(totals.peak < MIB + 4096);
	CHECK(totals.dropped > 0);
	CHECK_NUMBER(holders(l, 19999 * 32, 1).calls, 1);
	CHECK_NUMBER(holders(l, 0, 1).calls, 0);
	ledger_free(l);
}
