// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's path, told from recorded traces: ibv_reg_mr() on rxe, on stock
 * Debian kernels 7.3.4 (cma=512M) and 6.12.118 (movablecore=512M) under QEMU's
 * TCG. What the pages were is known from /proc/self/pagemap, read before and
 * after the call. "full" ran with a buffer of 8 KiB, "huge" without the event
 * of pins dropped, "unfiltered" without a filter on pageblocks looked at.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"
#include "unit.h"

/* The library is built for guests; what reads text needs no kernel. */
#include "../selftests/lib/kpath_emit.c"
#include "../selftests/lib/kpath_facts.c"
#include "../selftests/lib/kpath_folios.c"
#include "../selftests/lib/kpath_pages.c"
#include "../selftests/lib/kpath_parse.c"
#include "../selftests/lib/kpath_steps.c"
#include "../selftests/lib/kpath_table.c"

/* As the BTF of the recorded kernels has them. */
static struct kpath_facts facts = {
	.foll = {
		{ "WRITE", 1 << 0 }, { "GET", 1 << 1 }, { "FORCE", 1 << 3 },
		{ "LONGTERM", 1 << 8 }, { "TOUCH", 1 << 16 },
		{ "PIN", 1 << 19 }, { "UNLOCKABLE", 1 << 21 },
	},
	.nr_foll = 7,
	.migratetype = {
		{ "MIGRATE_UNMOVABLE", 0 }, { "MIGRATE_MOVABLE", 1 },
		{ "MIGRATE_RECLAIMABLE", 2 }, { "MIGRATE_HIGHATOMIC", 3 },
		{ "MIGRATE_CMA", 4 }, { "MIGRATE_ISOLATE", 5 },
	},
	.nr_migratetypes = 6,
	.head_bit = 6,
	.struct_page = 64,
};

static struct kpath kp;

static char *recording(const char *name)
{
	return text_format("%s/data/kpath-%s.txt", unit_tests, name);
}

static struct kpath_events events_of(const char *name)
{
	struct kpath_events events = { .nr = 0 };

	CHECK_NUMBER(kpath_parse(unit_read(recording(name), NULL), &events), 0);
	return events;
}

static void zones_of(const char *release)
{
	char *name = text_format("%s-zoneinfo", release);

	kpath_facts_zones(&facts, recording(name));
	CHECK(facts.nr_zones > 0);
}

static void tell(const struct kpath_events *events, bool partial)
{
	memset(&kp, 0, sizeof(kp));
	CHECK_NUMBER(kpath_steps(&kp, &facts, events, partial), 0);
}

static void tell_file(const char *name)
{
	struct kpath_events events = events_of(name);

	tell(&events, false);
}

/* The kinds of all steps, a letter each. */
static char *kinds(void)
{
	static const char letters[] = "-puLtdmrRe";
	struct text t = { 0 };
	size_t i;

	text_puts(&t, "");
	for (i = 0; i < kp.nr_steps; i++)
		text_add(&t, &letters[kp.steps[i].kind], 1);
	return t.s;
}

static const struct kpath_step *step_of(enum kpath_kind kind, size_t nth)
{
	size_t i;

	for (i = 0; i < kp.nr_steps; i++)
		if (kp.steps[i].kind == kind && !nth--)
			return &kp.steps[i];
	unit_fail(__FILE__, __LINE__, "no such step: %s",
		  kpath_kind_name(kind));
}

#define CHECK_SAYS(step, part)						\
	do {								\
		if (!strstr((step)->text, part))			\
			unit_fail(__FILE__, __LINE__, "\"%s\" in \"%s\"",	\
				  part, (step)->text);			\
	} while (0)

static bool anywhere(const char *part)
{
	size_t i;

	for (i = 0; i < kp.nr_steps; i++)
		if (strstr(kp.steps[i].text, part))
			return true;
	return false;
}

TEST(kpath_cma_page_moved)
{
	const struct kpath_step *step;

	zones_of("7.3");
	tell_file("7.3-moved");
	CHECK_STRING(kinds(), "puLtLtdmmrtRupp");

	step = step_of(KPATH_LONGTERM_PIN, 0);
	CHECK_SAYS(step, "pin_user_pages_fast(0x7fb982de6000, 1 page, WRITE|LONGTERM)");
	step = step_of(KPATH_LONGTERM_PIN, 1);
	CHECK_SAYS(step, "WRITE|LONGTERM|TOUCH|PIN|UNLOCKABLE): 1 page pinned for now");
	step = step_of(KPATH_MIGRATETYPE, 1);
	CHECK_SAYS(step, "1 folio must move first: pfn 0x3eee5");
	CHECK_SAYS(step, "MIGRATE_CMA");
	CHECK_NUMBER(step->pfn, 0x3eee5);
	step = step_of(KPATH_UNPIN, 0);
	CHECK_NUMBER(step->pfn, 0x3eee5);
	CHECK_NUMBER(step->nr, 1);

	step = step_of(KPATH_MIGRATE, 0);
	CHECK_NUMBER(step->pfn, 0x3eee5);
	CHECK_NUMBER(step->to_pfn, 0x6446);
	CHECK_NUMBER(step->addr, 0x7fb982de6000);
	CHECK_SAYS(step, "pfn 0x3eee5 → pfn 0x6446 moved");
	CHECK_SAYS(step, "1 reference and 0 mappings");
	CHECK_SAYS(step_of(KPATH_MIGRATE, 1),
		   "reason longterm_pin: 1 page moved, 0 failed");
	CHECK_SAYS(step_of(KPATH_RETRY, 0), "tried again: __get_user_pages");
	CHECK_SAYS(step_of(KPATH_MIGRATETYPE, 2),
		   "nothing has to move: pfn 0x6446 lies in a MIGRATE_UNMOVABLE");
	CHECK_SAYS(step_of(KPATH_RESULT, 0), "pin_user_pages_fast returned 1");
	CHECK(!anywhere("did not move"));
}

TEST(kpath_movable_page_moved)
{
	const struct kpath_step *step;

	zones_of("6.12");
	tell_file("6.12-moved");
	CHECK_STRING(kinds(), "puLLtdmmrtRupp");
	CHECK_SAYS(step_of(KPATH_UMEM, 0), "ib_umem_get(");
	CHECK_SAYS(step_of(KPATH_MIGRATETYPE, 0),
		   "pfn 0x205fd lies in zone Movable");
	step = step_of(KPATH_MIGRATE, 0);
	CHECK_NUMBER(step->pfn, 0x205fd);
	CHECK_NUMBER(step->to_pfn, 0x57a0);
	CHECK(!anywhere("pageblock"));
}

static void check_refused(const char *name, uint64_t pfn)
{
	const struct kpath_step *step;

	tell_file(name);
	step = step_of(KPATH_MIGRATE, 0);
	CHECK_NUMBER(step->pfn, pfn);
	CHECK_SAYS(step, "did not move");
	CHECK_SAYS(step_of(KPATH_MIGRATE, 1), "0 pages moved, 1 failed");
	CHECK_SAYS(step_of(KPATH_RESULT, 0), "no further try");
	CHECK_SAYS(step_of(KPATH_RESULT, 0), "ENOMEM");
	CHECK_SAYS(step_of(KPATH_RESULT, 1),
		   "pin_user_pages_fast returned ENOMEM");
	CHECK_NUMBER(step_of(KPATH_RESULT, 1)->ret, -12);
	CHECK_SAYS(step_of(KPATH_UMEM, 1), "returned ENOMEM");
	CHECK_SAYS(step_of(KPATH_PROVIDER, 2), "rxe_reg_user_mr returned ENOMEM");
	CHECK(!anywhere("tried again"));
	CHECK(!anywhere(" moved: "));
}

/* Both end alike for user space; why the page stayed is what differs. */
TEST(kpath_pinned_page)
{
	zones_of("7.3");
	check_refused("7.3-pin", 0x331a6);
	CHECK_STRING(kinds(), "puLtLtdmmRRupp");
	CHECK_SAYS(step_of(KPATH_MIGRATE, 0),
		   "try_to_migrate_one refused 10 times");
	CHECK_SAYS(step_of(KPATH_MIGRATE, 0),
		   "1026 references and 1 mapping then: taken as pinned");
	zones_of("6.12");
	check_refused("6.12-pin", 0x2096f);
	CHECK_SAYS(step_of(KPATH_MIGRATE, 0),
		   "try_to_migrate_one refused 10 times");
}

TEST(kpath_referenced_page)
{
	zones_of("7.3");
	check_refused("7.3-reference", 0x330e3);
	CHECK_SAYS(step_of(KPATH_MIGRATE, 0),
		   "unmapped, 2 references and 0 mappings then, but moving it ended 10 times with EAGAIN");
	CHECK(!anywhere("refused"));
	CHECK(!anywhere("taken as pinned"));
}

/* The counts of a large folio are others than those of a small one. */
TEST(kpath_pinned_huge_page)
{
	zones_of("7.3");
	tell_file("7.3-huge");
	CHECK_SAYS(step_of(KPATH_MIGRATETYPE, 1),
		   "1 folio must move first: pfn 0x3e400");
	CHECK_NUMBER(step_of(KPATH_MIGRATE, 0)->pfn, 0x3e400);
	CHECK_SAYS(step_of(KPATH_MIGRATE, 0),
		   "refused 10 times to unmap it, 3 references and 1 pin then");
	CHECK_SAYS(step_of(KPATH_MIGRATE, 1), "0 pages moved, 512 failed");
}

TEST(kpath_page_stays)
{
	zones_of("7.3");
	tell_file("7.3-in-place");
	CHECK_STRING(kinds(), "puLtRupp");
	CHECK_SAYS(step_of(KPATH_MIGRATETYPE, 0),
		   "fast path: pfn 0xb88b lies in a MIGRATE_MOVABLE pageblock");
	CHECK_SAYS(step_of(KPATH_RESULT, 0), "pinned where it is");
}

/* Freed pages are looked at with the same function, and are of no interest. */
TEST(kpath_other_pageblocks)
{
	zones_of("7.3");
	check_refused("7.3-unfiltered", 0x330ed);
	CHECK_STRING(kinds(), "puLtLtdmmRRupp");
	CHECK_NUMBER(step_of(KPATH_MIGRATETYPE, 0)->nr, 1);
}

static size_t count_id(const struct kpath_events *events, enum kpath_id id)
{
	size_t i, nr = 0;

	for (i = 0; i < events->nr; i++)
		nr += events->event[i].id == id;
	return nr;
}

TEST(kpath_buffer_full)
{
	struct kpath_events calls = events_of("7.3-full-calls");
	struct kpath_events pages = events_of("7.3-full-pages");
	const struct kpath_step *step;
	size_t i, whole = calls.nr;

	zones_of("7.3");
	CHECK(whole > 20);
	/* What is kept anyway may be in both, and is then one event. */
	for (i = 0; i < calls.nr; i++)
		if (calls.event[i].id == KPATH_UNMAP) {
			*next_event(&pages) = calls.event[i];
			pages.nr++;
		}
	CHECK_NUMBER(kpath_merge(&calls, &pages), 0);
	CHECK(calls.nr > whole);
	for (i = 1; i < calls.nr; i++)
		CHECK(calls.event[i - 1].ts_us <= calls.event[i].ts_us);
	CHECK_NUMBER(count_id(&calls, KPATH_PIN_ENTER), 1);
	CHECK_NUMBER(count_id(&calls, KPATH_COLLECTED), 1);
	CHECK_NUMBER(count_id(&calls, KPATH_MOVE), 10);
	CHECK_NUMBER(count_id(&calls, KPATH_UNMAP), 2);

	tell(&calls, true);
	CHECK_SAYS(step_of(KPATH_MIGRATETYPE, 1), "150 folios must move first");
	step = step_of(KPATH_UNPIN, 0);
	CHECK_SAYS(step, "at least ");
	step = step_of(KPATH_MIGRATE, 0);
	CHECK_NUMBER(step->pfn, 0x331a8);
	CHECK_SAYS(step, "did not move");
	CHECK_SAYS(step, "10 times with EAGAIN");
	CHECK_SAYS(step_of(KPATH_MIGRATE, 1), "149 pages moved, 1 failed");
	CHECK_SAYS(step_of(KPATH_RESULT, 1), "returned ENOMEM");
}

/* Calls that got all they wanted are counted, those that did not are told. */
TEST(kpath_many_calls)
{
	struct kpath_events one = events_of("7.3-moved");
	struct kpath_events bad = events_of("7.3-pin");
	struct kpath_events all = { .nr = 0 };
	size_t i, round;

	zones_of("7.3");
	for (round = 0; round < 5; round++)
		for (i = 2; i < one.nr - 3; i++) {
			*next_event(&all) = one.event[i];
			all.nr++;
		}
	for (i = 2; i < bad.nr; i++) {
		*next_event(&all) = bad.event[i];
		all.nr++;
	}
	tell(&all, false);
	CHECK_STRING(kinds(), "LtLtdmmrtRRLtLtdmmRRupp");
	CHECK_SAYS(step_of(KPATH_RESULT, 1),
		   "4 more calls of pin_user_pages_fast: 4 pages pinned, 4 of them moved first");
}

/* Wherever a trace ends, what is left is told, and nothing is made up. */
TEST(kpath_cut_anywhere)
{
	static const char *const files[] = { "7.3-moved", "7.3-pin" };
	size_t n, len, cut;
	char *text, *part;

	zones_of("7.3");
	for (n = 0; n < 2; n++) {
		text = unit_read(recording(files[n]), &len);
		for (cut = 0; cut < len; cut += 7) {
			struct kpath_events events = { .nr = 0 };

			part = strndup(text, cut);
			CHECK_NUMBER(kpath_parse(part, &events), 0);
			tell(&events, false);
			if (cut * 2 < len)
				CHECK(!anywhere("pin_user_pages_fast returned"));
			CHECK(n == 0 || !anywhere(" moved: "));
			free(events.event);
			free(kp.steps);
			free(part);
		}
	}
}

TEST(kpath_no_trace)
{
	struct kpath_events none = { .nr = 0 };

	tell(&none, false);
	CHECK_NUMBER(kp.nr_steps, 0);
}

TEST(kpath_odd_lines)
{
	static const char odd[] =
		"# comment: kp_pin_enter: (f+0x0/0x1) addr=1\n"
		": kp_move: ret=1\n"
		"kp_move: ret=1\n\n"
		"  a: kp_move: b-7  [000] .....  2.000001: kp_pin_enter: (f+0x4/0x60) addr=4096 nr=1 flags=0x101\n"
		"  demo-7 [000] .....  2.000002: kp_drop: (g+0x0/0x70) page=(fault) refs=(fault)\n"
		"  demo-7 [000] .....  2.000003: kp_umem_return: (h+0x1/0x2 [ib_core] <- f) ret=-12\n"
		"  demo-7 [000] .....  2.000004: sched_switch: prev_comm=kp_move ret=1\n"
		"CPU:1 [LOST 12 EVENTS]\n";
	struct kpath_events events = { .nr = 0 };
	char *text = strdup(odd);

	CHECK_NUMBER(kpath_parse(text, &events), 0);
	CHECK_NUMBER(events.nr, 3);
	CHECK_NUMBER(events.event[0].id, KPATH_PIN_ENTER);
	CHECK_NUMBER(events.event[0].ts_us, 2000001);
	CHECK_NUMBER(events.event[0].value[KPATH_V_FLAGS], 0x101);
	CHECK_NUMBER(events.event[1].present, 0);
	CHECK_STRING(events.event[2].symbol, "f");
	CHECK_STRING(events.event[2].caller, "h");
	CHECK_NUMBER(events.event[2].value[KPATH_V_RET], -12);
	tell(&events, false);
	CHECK_SAYS(step_of(KPATH_LONGTERM_PIN, 0), "f(0x1000, 1 page, WRITE|LONGTERM)");
}

/* Without BTF: numbers, and no PFN that was never read. */
TEST(kpath_no_names)
{
	static const struct kpath_facts nothing = { .head_bit = -1 };
	struct kpath_events events = events_of("7.3-moved");

	memset(&kp, 0, sizeof(kp));
	CHECK_NUMBER(kpath_steps(&kp, &nothing, &events, false), 0);
	CHECK_SAYS(step_of(KPATH_LONGTERM_PIN, 0), "1 page, 0x101)");
	CHECK_SAYS(step_of(KPATH_MIGRATETYPE, 0), "migratetype 4");
	CHECK_NUMBER(step_of(KPATH_MIGRATE, 0)->pfn, 0);
	CHECK(!anywhere("pfn"));
}

TEST(kpath_lines)
{
	char got[4096] = "";
	int fds[2];

	memset(&kp, 0, sizeof(kp));
	kpath_add(&kp, KPATH_RESULT, 1234, "a \"b\" \\ c\n→")->pfn = 0x20;
	kpath_add(&kp, KPATH_UNTRACEABLE, 0, "unseen");
	CHECK_NUMBER(pipe(fds), 0);
	CHECK_NUMBER(kpath_emit(&kp, fds[1], "t.\"1\"", "B'"), 0);
	CHECK(read(fds[0], got, sizeof(got) - 1) > 0);
	CHECK_STRING(got,
		     "@record {\"type\":\"trace\",\"test\":\"t.\\\"1\\\"\",\"case\":\"B'\",\"seq\":1,\"ts_us\":1234,\"step\":\"result\",\"pfn\":\"0x20\",\"text\":\"a \\\"b\\\" \\\\ c →\"}\n"
		     "@print     B'    1     +1.234 ms  a \"b\" \\ c →\n"
		     "@record {\"type\":\"trace\",\"test\":\"t.\\\"1\\\"\",\"case\":\"B'\",\"seq\":2,\"ts_us\":0,\"step\":\"untraceable\",\"text\":\"unseen\"}\n"
		     "@print          - unseen\n");
	CHECK_NUMBER(close(fds[0]), 0);
}
