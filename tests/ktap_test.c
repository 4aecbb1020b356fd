// SPDX-License-Identifier: GPL-2.0
/* The KTAP parser: what each document of a test program comes to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ktap.h"
#include "unit.h"

static struct results results;

static void parse_lines(struct ktap *k, const char *document)
{
	char *copy = text_dup(document), *rest = copy, *line;
	double now = 0;

	memset(&results, 0, sizeof(results));
	ktap_begin(k, "prog", &results, now);
	while ((line = strsep(&rest, "\n")))
		if (rest)
			ktap_line(k, line, ++now);
	free(copy);
}

static struct counts parse(const char *document, int exit_code)
{
	struct counts n;
	struct ktap k;

	parse_lines(&k, document);
	ktap_end(&k, exit_code, 100);
	results_check_names(&results);
	results_count(&results, &n);
	return n;
}

static struct counts parse_lost(const char *document)
{
	struct counts n;
	struct ktap k;

	parse_lines(&k, document);
	ktap_lost(&k, "the guest was lost", 100);
	results_count(&results, &n);
	return n;
}

static const struct result *find(const char *name)
{
	size_t i;

	for (i = 0; i < results.count; i++)
		if (!strcmp(results.all[i].name, name))
			return &results.all[i];
	unit_fail(__FILE__, __LINE__, "no result %s", name);
}

#define CHECK_COUNTS(n, p, f, s)			\
	do {						\
		struct counts got = n;			\
							\
		CHECK_NUMBER(got.passed, p);		\
		CHECK_NUMBER(got.failed, f);		\
		CHECK_NUMBER(got.skipped, s);		\
	} while (0)

/* stdout and stderr of tools/testing/selftests/kselftest_harness.h in 7.3 */
TEST(ktap_harness)
{
	CHECK_COUNTS(parse("TAP version 13\n"
			   "1..5\n"
			   "# Starting 5 tests from 3 test cases.\n"
			   "#  RUN           global.skips ...\n"
			   "#      SKIP      no-cma: none here\n"
			   "#            OK  global.skips\n"
			   "ok 1 global.skips # SKIP no-cma: none here\n"
			   "#  RUN           page.small.moves ...\n"
			   "#            OK  page.small.moves\n"
			   "ok 2 page.small.moves\n"
			   "#  RUN           page.large.moves ...\n"
			   "# demo.c:13:moves:Expected variant->size (8) == 4 (4)\n"
			   "# moves: Test terminated by assertion\n"
			   "#          FAIL  page.large.moves\n"
			   "not ok 3 page.large.moves\n"
			   "ok 4 page.large.known # XFAIL unknown\n"
			   "ok 5 page.small.known # XPASS unknown\n"
			   "# FAILED: 4 / 5 tests passed.\n"
			   "# Totals: pass:1 fail:1 xfail:1 xpass:1 skip:1 error:0\n",
			   1), 2, 2, 1);
	CHECK_STRING(find("prog.global.skips")->reason, "no-cma: none here");
	CHECK(find("prog.page.small.moves")->status == STATUS_PASSED);
	CHECK(!find("prog.page.small.moves")->diag);
	CHECK_STRING(find("prog.page.large.moves")->diag,
		     "#  RUN           page.large.moves ...\n"
		     "# demo.c:13:moves:Expected variant->size (8) == 4 (4)\n"
		     "# moves: Test terminated by assertion\n"
		     "#          FAIL  page.large.moves\n");
	CHECK_STRING(find("prog.page.large.moves")->reason,
		     "demo.c:13:moves:Expected variant->size (8) == 4 (4)");
	CHECK(find("prog.page.large.known")->status == STATUS_PASSED);
	CHECK(find("prog.page.small.known")->status == STATUS_FAILED);
}

TEST(ktap_all_passed)
{
	CHECK_COUNTS(parse("TAP version 13\n1..2\nok 1 a.b\nok 2 - c.d\n", 0),
		     2, 0, 0);
	find("prog.a.b");
	find("prog.c.d");
}

TEST(ktap_plan_at_the_end)
{
	CHECK_COUNTS(parse("ok 1 a\nok 2 b\n1..2\n", 0), 2, 0, 0);
}

TEST(ktap_no_numbers)
{
	CHECK_COUNTS(parse("1..2\nok a\nok - b\n", 0), 2, 0, 0);
	find("prog.a");
	find("prog.b");
}

TEST(ktap_no_plan)
{
	CHECK_COUNTS(parse("TAP version 13\nok 1 a\n", 0), 1, 1, 0);
	CHECK_STRING(find("prog.completed")->reason, "no plan line; 1 results");
}

TEST(ktap_fewer_than_planned)
{
	CHECK_COUNTS(parse("1..3\nok 1 a\nok 2 b\n", 0), 2, 1, 0);
	CHECK_STRING(find("prog.completed")->reason,
		     "2 results where 3 were planned");
}

TEST(ktap_more_than_planned)
{
	CHECK_COUNTS(parse("1..1\nok 1 a\nok 2 b\n", 0), 2, 1, 0);
}

TEST(ktap_two_plans)
{
	CHECK_COUNTS(parse("1..1\nok 1 a\n1..1\n", 0), 1, 1, 0);
}

TEST(ktap_second_document)
{
	CHECK_COUNTS(parse("TAP version 13\n1..1\nok 1 a\nTAP version 13\n", 0),
		     1, 1, 0);
}

TEST(ktap_lost_line)
{
	CHECK_COUNTS(parse("1..3\nok 1 a\nok 3 c\n", 0), 2, 1, 0);
	CHECK_STRING(find("prog.completed")->reason,
		     "result 3 where 2 was due");
}

TEST(ktap_duplicate_names)
{
	CHECK_COUNTS(parse("1..3\nok 1 a\nok 2 a\nok 3 a\n", 0), 1, 2, 0);
	CHECK(find("prog.a")->status == STATUS_PASSED);
	CHECK(find("prog.a.duplicate_2")->status == STATUS_FAILED);
	CHECK(find("prog.a.duplicate_3")->status == STATUS_FAILED);
}

/* The name given to a duplicate may be taken. */
TEST(ktap_duplicate_of_duplicate)
{
	CHECK_COUNTS(parse("1..3\nok 1 a\nok 2 a\nok 3 a.duplicate_2\n", 0),
		     1, 2, 0);
}

TEST(ktap_nothing)
{
	CHECK_COUNTS(parse("", 0), 0, 1, 0);
	CHECK_STRING(find("prog.completed")->reason,
		     "printed no KTAP, exit code 0");
}

TEST(ktap_no_ktap)
{
	CHECK_COUNTS(parse("all is well\nok, really\nokay\n", 0), 0, 1, 0);
	CHECK(strstr(find("prog.completed")->diag, "all is well\n"));
}

TEST(ktap_empty_plan)
{
	CHECK_COUNTS(parse("1..0\n", 0), 0, 1, 0);
}

TEST(ktap_skip_all)
{
	CHECK_COUNTS(parse("TAP version 13\n1..0 # SKIP no-rxe: none\n", 4),
		     0, 0, 1);
	CHECK_STRING(find("prog")->reason, "no-rxe: none");
}

/* ksft_exit_skip() after the plan */
TEST(ktap_skip_rest)
{
	CHECK_COUNTS(parse("1..3\nok 1 a\nok 2 # SKIP no-thp: never\n", 4),
		     1, 0, 1);
	CHECK_STRING(find("prog")->reason, "no-thp: never");
}

TEST(ktap_skip_all_but_exit_code)
{
	CHECK_COUNTS(parse("1..0 # SKIP no-rxe: none\n", 0), 0, 1, 0);
	CHECK_COUNTS(parse("1..0 # SKIP no-rxe: none\n", 139), 0, 1, 0);
}

TEST(ktap_exit_code_disagrees)
{
	static const int codes[] = { 1, 2, 4, 77, 124, 127, 134, 137, 139 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(codes); i++)
		CHECK_COUNTS(parse("1..1\nok 1 a\n", codes[i]), 1, 1, 0);
	CHECK_STRING(find("prog.completed")->reason, "ended by signal 11");
}

/* A program that has said that it failed need not say so twice. */
TEST(ktap_exit_code_agrees)
{
	CHECK_COUNTS(parse("1..1\nnot ok 1 a\n", 1), 0, 1, 0);
	CHECK_COUNTS(parse("1..1\nnot ok 1 a\n", 0), 0, 1, 0);
	CHECK_COUNTS(parse("1..1\nnot ok 1 a\n", 139), 0, 2, 0);
}

TEST(ktap_crash_midway)
{
	CHECK_COUNTS(parse("1..4\nok 1 a\n#  RUN           b ...\n", 139),
		     1, 1, 0);
	CHECK(strstr(find("prog.completed")->diag, "RUN           b ..."));
}

TEST(ktap_lost_in_a_test)
{
	CHECK_COUNTS(parse_lost("1..4\nok 1 a\n#  RUN           b.c ...\n# x\n"),
		     1, 1, 0);
	CHECK_STRING(find("prog.b.c")->reason, "the guest was lost");
	CHECK(strstr(find("prog.b.c")->diag, "1 of 4 results had come"));
}

TEST(ktap_lost_after_all_results)
{
	CHECK_COUNTS(parse_lost("1..1\nok 1 a\n"), 1, 1, 0);
	find("prog.completed");
}

TEST(ktap_lost_at_once)
{
	CHECK_COUNTS(parse_lost(""), 0, 1, 0);
}

TEST(ktap_nested)
{
	CHECK_COUNTS(parse("KTAP version 1\n"
			   "1..2\n"
			   "  KTAP version 1\n"
			   "  # Subtest: suite\n"
			   "  1..2\n"
			   "    KTAP version 1\n"
			   "    1..1\n"
			   "    ok 1 deep\n"
			   "  ok 1 middle\n"
			   "  not ok 2 other\n"
			   "not ok 1 suite\n"
			   "ok 2 plain\n", 1), 2, 1, 0);
	CHECK(find("prog.suite.middle.deep")->status == STATUS_PASSED);
	CHECK(find("prog.suite.other")->status == STATUS_FAILED);
	CHECK(find("prog.plain")->status == STATUS_PASSED);
}

TEST(ktap_nested_fewer_than_planned)
{
	CHECK_COUNTS(parse("1..1\n  1..2\n  ok 1 a\nok 1 suite\n", 0), 1, 1, 0);
	find("prog.suite.a");
	find("prog.suite.completed");
}

TEST(ktap_nested_parent_failed)
{
	CHECK_COUNTS(parse("1..1\n  1..1\n  ok 1 a\nnot ok 1 suite\n", 1),
		     1, 1, 0);
	CHECK(find("prog.suite")->status == STATUS_FAILED);
}

TEST(ktap_nested_parent_missing)
{
	CHECK_COUNTS(parse("1..1\n  # Subtest: suite\n  1..1\n  ok 1 a\n", 0),
		     1, 1, 0);
	find("prog.suite.a");
}

TEST(ktap_nested_nothing)
{
	CHECK_COUNTS(parse("1..2\n  1..0\nok 1 suite\nok 2 a\n", 0), 1, 1, 0);
	CHECK(strstr(find("prog.suite.completed")->diag, "ran no test"));
	CHECK_COUNTS(parse("1..1\n  # Subtest: suite\n  1..0\nnot ok 1 suite\n", 1),
		     0, 1, 0);
	CHECK_COUNTS(parse("1..2\n  1..0 # SKIP no-thp: never\n"
			   "ok 1 suite # SKIP no-thp: never\nok 2 a\n", 0),
		     1, 0, 1);
	CHECK_STRING(find("prog.suite")->reason, "no-thp: never");
}

/* What a parent says of itself is not lost behind its subtests. */
TEST(ktap_nested_parent_strange)
{
	CHECK_COUNTS(parse("1..1\n  1..1\n  ok 1 a\nok 1 suite # TIMEOUT\n", 0),
		     1, 1, 0);
	CHECK_COUNTS(parse("1..1\n  1..1\n  ok 1 a\nok 1 suite # XPASS x\n", 0),
		     1, 1, 0);
	CHECK_COUNTS(parse("1..1\n  1..1\n  ok 1 a # SKIP no-thp\n"
			   "ok 1 suite # SKIP no-thp\n", 0), 0, 0, 1);
}

TEST(ktap_nested_too_deep)
{
	struct text t = { 0 };
	struct counts n;
	int i;

	for (i = 0; i < 40; i++)
		text_printf(&t, "%*s1..1\n", 2 * i, "");
	text_printf(&t, "%*sok 1 a\n", 80, "");
	n = parse(t.s, 0);
	CHECK(n.failed);
	text_free(&t);
}

TEST(ktap_strange_results)
{
	/* not ok is never anything but a failure */
	CHECK_COUNTS(parse("1..3\nnot ok 1 a # SKIP no-cma\nnot ok 2 b # XFAIL x\n"
			   "not ok 3 c # TODO\n", 1), 0, 3, 0);
	CHECK_COUNTS(parse("1..2\nok 1 a # TODO later\nok 2 b # TIMEOUT\n", 1),
		     0, 2, 0);
	/* a comment that is no directive */
	CHECK_COUNTS(parse("1..2\nok 1 a # 12 ms\nok 2 b # skipping is fun\n", 0),
		     2, 0, 0);
	find("prog.a");
	/* no name */
	CHECK_COUNTS(parse("1..1\nok 1\n", 0), 0, 1, 0);
	/* blanks and rubbish in the name */
	CHECK_COUNTS(parse("1..1\nok 1 a b\x01\xff\n", 0), 1, 0, 0);
	find("prog.a_b??");
}

TEST(ktap_bail_out)
{
	CHECK_COUNTS(parse("1..1\nok 1 a\nBail out! no device\n", 0), 1, 1, 0);
	CHECK_STRING(find("prog.completed")->reason, "Bail out! no device");
}

TEST(ktap_durations)
{
	parse("1..2\nok 1 a\n# x\n# y\nok 2 b\n", 0);
	CHECK_NUMBER(find("prog.a")->seconds, 2);
	CHECK_NUMBER(find("prog.b")->seconds, 3);
}

TEST(ktap_floods_are_bounded)
{
	struct counts n;
	struct ktap k;
	char line[32];
	int i;

	memset(&results, 0, sizeof(results));
	ktap_begin(&k, "prog", &results, 0);
	ktap_line(&k, "1..3", 0);
	for (i = 0; i < RESULTS_MAX + 10; i++) {
		snprintf(line, sizeof(line), "ok %d x%d", i + 2, i);
		ktap_line(&k, line, 0);
	}
	for (i = 0; i < 100000; i++)
		ktap_line(&k, "# a line of diagnostics", 0);
	CHECK(k.diag.room < 4 * RESULTS_DIAG_MAX);
	CHECK(k.faults.room < 65536);
	ktap_end(&k, 0, 0);
	CHECK_NUMBER(results.count, RESULTS_MAX);
	CHECK(results.dropped >= 10);
	results_count(&results, &n);
	CHECK(n.failed >= results.dropped);
	results_check_names(&results);
}
