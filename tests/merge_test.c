// SPDX-License-Identifier: GPL-2.0
/* Shares of a test run: only a whole is a pass. */
#include <stdlib.h>
#include <string.h>

#include "grid_merge.h"
#include "unit.h"

static struct grid_runs runs;

/* A share of a suite of the programs one, two, three. */
static struct grid_run *add(const char *kernel, const char *suite,
			    const char *shard, const char *programs)
{
	char *dir = text_format("run%zu", runs.count), *name, *word;
	struct grid_run *r = grid_run_new(&runs, dir);

	r->kernel = text_dup(kernel);
	r->profile = text_dup("cma");
	r->note = text_dup("stock");
	r->release = text_dup("7.3.4");
	r->accel = text_dup("tcg");
	r->began = text_dup("?");
	r->suite = text_dup(suite);
	r->shard = shard ? text_dup(shard) : NULL;
	r->programs = text_dup("one two three");
	r->outcome = text_dup("passed");
	r->diagnosis = text_dup("");
	facts_add(&r->facts, "release=7.3.4");
	while ((word = text_word(&programs))) {
		name = text_format("%s.test", word);
		grid_test_add(r, name, STATUS_PASSED, NULL);
		free(name);
		free(word);
	}
	return r;
}

static const char *whole(const char *plan)
{
	json_object *j = plan ? json_tokener_parse(plan) : NULL;
	char *error;

	CHECK(!plan || j);
	error = grid_merge_check(&runs, j);
	return error ? error : "";
}

static unsigned long failed(void)
{
	struct counts c;

	grid_runs_count(&runs, &c);
	return c.failed;
}

TEST(merge_whole)
{
	add("k", "all", "1/2", "one three");
	add("k", "all", "2/2", "two");
	add("l", "all", NULL, "one two three");
	CHECK_STRING(whole(NULL), "");
	CHECK_NUMBER(failed(), 0);
	CHECK_NUMBER(grid_runs_exit(&runs), 0);
}

TEST(merge_missing_shard_fails)
{
	add("k", "all", "1/3", "one");
	add("k", "all", "3/3", "three");
	CHECK_STRING(whole(NULL), "");
	CHECK_NUMBER(failed(), 1);
	CHECK_STRING(runs.all[2].tests[0].name, "run-all-2/3.missing");
	CHECK_STRING(runs.all[2].diagnosis,
		     "no result came for k/cma, suite all, share 2/3");
	CHECK_NUMBER(grid_runs_exit(&runs), 126);
}

TEST(merge_missing_program_fails)
{
	add("k", "all", "1/2", "one");
	add("k", "all", "2/2", "two");
	CHECK_STRING(whole(NULL), "");
	CHECK_NUMBER(grid_runs_exit(&runs), 126);
	CHECK(grid_run_find(&runs.all[0], "three.missing"));
}

/* What a panic kept from running was said by the run that panicked. */
TEST(merge_panic_is_not_missing)
{
	struct grid_run *r = add("k", "all", NULL, "one");

	grid_test_add(r, "guest.end", STATUS_FAILED, "panic");
	r->rank = OUTCOME_PANIC;
	r->exit_code = 5;
	CHECK_STRING(whole(NULL), "");
	CHECK_NUMBER(failed(), 1);
	CHECK_NUMBER(grid_runs_exit(&runs), 5);
}

static void check_refused(const char *why)
{
	if (!strstr(whole(NULL), why))
		unit_fail(__FILE__, __LINE__, "got \"%s\", want \"%s\"",
			  whole(NULL), why);
	runs.count = 0;
}

/* What every guest of a kernel ends with is no test that two suites share. */
TEST(merge_leaks_of_two_guests)
{
	struct grid_run *r;
	struct grid g;
	size_t i;

	add("k", "all", NULL, "one leaks");
	r = add("k", "more", NULL, "two leaks");
	for (i = 0; i < r->count; i++)
		if (!strcmp(r->tests[i].name, "leaks.test"))
			r->tests[i].status = STATUS_FAILED;
	CHECK_STRING(whole(NULL), "");
	grid_build(&g, &runs);
	CHECK_NUMBER(g.nr_columns, 1);
	for (i = 0; i < g.nr_rows; i++)
		if (!strcmp(g.rows[i].name, "leaks.test"))
			break;
	CHECK(i < g.nr_rows);
	CHECK_NUMBER(grid_cell(&g, i, 0), CELL_FAILED);
	grid_free(&g);
	runs.count = 0;
}

TEST(merge_refuses)
{
	add("k", "all", "1/2", "one three");
	add("k", "all", "1/2", "two");
	check_refused("the same share twice");
	add("k", "all", NULL, "one two three");
	add("k", "all", NULL, "one two three");
	check_refused("the same suite twice");
	add("k", "all", "1/2", "one");
	add("k", "all", NULL, "two three");
	check_refused("the same suite twice");
	add("k", "all", "1/2", "one three");
	add("k", "all", "2/3", "two");
	check_refused("shares of different divisions");
	add("k", "all", "1/2", "one two");
	add("k", "all", "2/2", "two three");
	check_refused("both have two.test");
	add("k", "all", NULL, "one two three");
	add("k", "more", NULL, "three");
	check_refused("both have three.test");
	add("k", "all", "1/2", "one three");
	add("k", "all", "2/2", "two")->programs = text_dup("one two");
	check_refused("the suite was not the same");
	add("k", "all", "1/2", "one three");
	add("k", "all", "2/2", "two")->release = text_dup("7.3.5");
	check_refused("not of the same kernel release");
	add("k", "all", "0/2", "one three");
	add("k", "all", "2/2", "two");
	check_refused("a share that is none");
}

#define ENTRY(k, s, sh)	\
	"{\"kernel\":\"" k "\",\"profile\":\"cma\",\"suite\":\"" s "\",\"shard\":\"" sh "\"}"

TEST(merge_plan)
{
	add("k", "all", "1/2", "one three");
	add("k", "all", "2/2", "two");
	CHECK_STRING(whole("{\"include\":[" ENTRY("k", "all", "1/2") ","
			   ENTRY("k", "all", "2/2") "]}"), "");
	CHECK_NUMBER(failed(), 0);
	/* another kernel, of which nothing came */
	CHECK_STRING(whole("{\"include\":[" ENTRY("k", "all", "1/2") ","
			   ENTRY("k", "all", "2/2") "," ENTRY("l", "all", "")
			   "]}"), "");
	CHECK_NUMBER(failed(), 1);
	CHECK_NUMBER(grid_runs_exit(&runs), 126);
}

TEST(merge_plan_alone)
{
	CHECK_STRING(whole("{\"include\":[" ENTRY("k", "all", "") "]}"), "");
	CHECK_NUMBER(runs.count, 1);
	CHECK_NUMBER(grid_runs_exit(&runs), 126);
}

TEST(merge_plan_refuses)
{
	add("k", "all", NULL, "one two three");
	CHECK(strstr(whole("{\"include\":[" ENTRY("k", "other", "") "]}"),
		     "the plan has no such run"));
	CHECK(strstr(whole("{\"include\":[" ENTRY("k", "all", "1/2") "]}"),
		     "the plan has no such run"));
	CHECK(*whole("{\"include\":[]}"));
	CHECK(*whole("[]"));
	CHECK(*whole("{\"include\":[{\"kernel\":\"k\",\"profile\":\"cma\",\"suite\":\"all\"}]}"));
}

TEST(merge_nothing_is_no_pass)
{
	CHECK_NUMBER(grid_runs_exit(&runs), 1);
}

TEST(shard_is_parsed)
{
	static const char * const bad[] = {
		"", "1", "1/", "/2", "0/2", "3/2", "1/2/3", "a/b", "-1/2",
		"1/2 ", "1 /2", "1/1001",
	};
	long number, of;
	size_t i;

	CHECK(grid_shard_parse("2/3", &number, &of));
	CHECK_NUMBER(number, 2);
	CHECK_NUMBER(of, 3);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		if (grid_shard_parse(bad[i], &number, &of))
			unit_fail(__FILE__, __LINE__, "took \"%s\"", bad[i]);
}
