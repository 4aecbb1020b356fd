// SPDX-License-Identifier: GPL-2.0
/* The contract, from evidence made up for the purpose. */
#include "../tools/litmus_decide.c"
#include "litmus_evidence.h"

TEST(litmus_four_rungs)
{
	struct litmus_evidence e = longterm();

	CHECK_RUNG(e, "PIN+LONGTERM");
	e = short_pin();
	CHECK_RUNG(e, "PIN");
	e = reference();
	CHECK_RUNG(e, "GET");
	e = nothing();
	CHECK_RUNG(e, "takes no page");
}

TEST(litmus_no_evidence_is_no_answer)
{
	struct litmus_evidence e = { 0 };

	CHECK_BOUNDS(e, "takes no page", "PIN+LONGTERM");
	CHECK_WRITE(e, "unknown");
}

/* Each piece is enough alone, where the others were not to be had. */
TEST(litmus_pins_by_count_alone)
{
	struct litmus_evidence e = longterm();

	because(e.fork.why_not, "none");
	CHECK_RUNG(e, "PIN+LONGTERM");
	e = reference();
	because(e.fork.why_not, "none");
	CHECK_RUNG(e, "GET");
}

TEST(litmus_pins_by_fork_alone)
{
	struct litmus_evidence e = longterm();

	because(e.count.why_not, "none");
	CHECK_RUNG(e, "PIN+LONGTERM");
	e = reference();
	because(e.count.why_not, "none");
	CHECK_RUNG(e, "GET");
	e.fork = share(63, 64);
	CHECK_WEIGHED(e, "fork", "unknown");
	CHECK_BOUNDS(e, "GET", "PIN");
}

/* Long-term pins need both, so that one without the other is a riddle. */
TEST(litmus_longterm_without_a_pin_is_a_contradiction)
{
	struct litmus_evidence e = longterm();
	struct litmus_finding f;

	e.count = counted(0, 0, 0, 0);
	e.fork = share(0, 64);
	f = decide(&e);
	CHECK_STRING(litmus_rung_name(f.rung), "unknown");
	CHECK(strstr(f.why_not, "contradict"));
}

TEST(litmus_pieces_that_contradict)
{
	struct litmus_evidence e = longterm();
	struct litmus_finding f;

	e.fork = share(0, 64);
	f = decide(&e);
	CHECK_STRING(litmus_rung_name(f.rung), "unknown");
	CHECK_STRING(litmus_answer_name(f.pins), "unknown");
	CHECK(strstr(f.why_not, "contradict"));

	e = short_pin();
	e.untouched = share(16, 16);
	f = decide(&e);
	CHECK_STRING(litmus_rung_name(f.rung), "unknown");
	CHECK(strstr(f.why_not, "contradict"));

	/* What is pinned cannot leave. */
	e = short_pin();
	e.evict = share(0, 64);
	e.orphan = share(0, 64);
	f = decide(&e);
	CHECK_STRING(litmus_rung_name(f.rung), "unknown");
	CHECK(strstr(f.why_not, "contradict"));
}

/* Others only add: one round without a rise is enough for no. */
TEST(litmus_count_amid_noise)
{
	struct litmus_evidence e = longterm();

	e.count = counted(3, 90000, 90000, 0);
	CHECK_WEIGHED(e, "count", "no");
	e.count = counted(4096, 90000, 90000, 0);
	CHECK_WEIGHED(e, "count", "unknown");
	e.count = counted(4096, 4400, 512, 0);
	CHECK_WEIGHED(e, "count", "yes");
	e.count = counted(4096, 4400, 513, 0);
	CHECK_WEIGHED(e, "count", "unknown");
}

TEST(litmus_count_that_lags)
{
	struct litmus_evidence e = longterm();

	e.count = counted(4087, 4148, 0, 250);
	CHECK_WEIGHED(e, "count", "yes");
	/* The lag was refreshed away: then none may be missing. */
	e.count = counted(4087, 4148, 0, 0);
	CHECK_WEIGHED(e, "count", "unknown");
	e.count = counted(4096, 4096, 0, 512);
	CHECK_WEIGHED(e, "count", "yes");
	e.count = counted(4096, 4096, 0, 513);
	CHECK_WEIGHED(e, "count", "unknown");
	e.count = counted(0, 0, 0, 513);
	CHECK_WEIGHED(e, "count", "unknown");
	e.count = counted(512, 512, 0, 0);
	CHECK_WEIGHED(e, "count", "no");
	e.count = counted(513, 513, 0, 0);
	CHECK_WEIGHED(e, "count", "unknown");
}

TEST(litmus_count_of_few_rounds)
{
	struct litmus_evidence e = longterm();

	e.count.rounds = LITMUS_ROUNDS - 1;
	CHECK_WEIGHED(e, "count", "unknown");
	e.count = counted(0, 0, 0, 0);
	e.count.rounds = LITMUS_ROUNDS - 1;
	CHECK_WEIGHED(e, "count", "unknown");
	e.count = (struct litmus_count){ .rounds = LITMUS_ROUNDS };
	CHECK_WEIGHED(e, "count", "unknown");
}

TEST(litmus_when_to_count_more)
{
	struct litmus_count c = counted(4096, 4096, 512, 512);

	CHECK(litmus_count_sure(&c));
	c.lag = 513;
	CHECK(!litmus_count_sure(&c));
	c.lag = 0;
	c.quiet_max = 513;
	CHECK(!litmus_count_sure(&c));
}

TEST(litmus_holds_by_either)
{
	struct litmus_evidence e = reference();

	because(e.evict.why_not, "none");
	CHECK_RUNG(e, "GET");
	e = reference();
	because(e.orphan.why_not, "none");
	CHECK_RUNG(e, "GET");
	because(e.evict.why_not, "none");
	CHECK_BOUNDS(e, "takes no page", "GET");
	e = nothing();
	e.evict = share(1, 64);
	CHECK_WEIGHED(e, "evict", "unknown");
	e.evict = share(0, 64);
	e.orphan = share(8, 64);
	CHECK_WEIGHED(e, "orphan", "no");
	e.orphan = share(9, 64);
	CHECK_WEIGHED(e, "orphan", "unknown");
	e.orphan = share(63, 64);
	CHECK_WEIGHED(e, "orphan", "unknown");
}

/* Why it cannot be told is what the pieces that could have told say. */
TEST(litmus_says_why_not)
{
	struct litmus_evidence e = reference();
	struct litmus_finding f;

	because(e.evict.why_not, "no disk here");
	because(e.orphan.why_not, "not root");
	f = decide(&e);
	CHECK(strstr(f.why_not, "no disk here"));
	CHECK(strstr(f.why_not, "not root"));

	e = longterm();
	e.file_write = (struct litmus_try){ .said = "no disk here" };
	because(e.untouched.why_not, "pagemap is closed");
	f = decide(&e);
	CHECK_BOUNDS(e, "PIN", "PIN+LONGTERM");
	CHECK(strstr(f.why_not, "no disk here"));
	CHECK(strstr(f.why_not, "pagemap is closed"));
	CHECK(strstr(f.why_not, "no such place"));
}

static const char *against(const struct litmus_evidence *e, enum litmus_rung rung)
{
	struct litmus_finding f = decide(e);
	const struct litmus_reason *reason = litmus_refuted(&f, rung);

	return reason ? reason->name : "nothing";
}

TEST(litmus_evidence_against_a_known_contract)
{
	struct litmus_evidence e = longterm();

	CHECK_STRING(against(&e, LITMUS_RUNG_LONGTERM), "nothing");
	CHECK_STRING(against(&e, LITMUS_RUNG_PIN), "file_write");
	CHECK_STRING(against(&e, LITMUS_RUNG_GET), "count");
	e = nothing();
	CHECK_STRING(against(&e, LITMUS_RUNG_NONE), "nothing");
	CHECK_STRING(against(&e, LITMUS_RUNG_GET), "evict");
	e = reference();
	CHECK_STRING(against(&e, LITMUS_RUNG_GET), "nothing");
	/* Also where it is outvoted. */
	e.orphan = share(0, 64);
	CHECK_STRING(against(&e, LITMUS_RUNG_GET), "orphan");
}

TEST(litmus_kernel_versions)
{
	CHECK(litmus_release_has("6.5.0", 6, 5));
	CHECK(litmus_release_has("6.12.117+deb12-amd64", 6, 5));
	CHECK(litmus_release_has("7.3-rc1", 6, 5));
	CHECK(!litmus_release_has("6.1.0-50-amd64", 6, 5));
	CHECK(!litmus_release_has("5.10.262", 6, 5));
	CHECK(!litmus_release_has("rubbish", 6, 5));
}
