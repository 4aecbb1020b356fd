// SPDX-License-Identifier: GPL-2.0
/* Two kernels side by side, and the program vmrun over run folders. */
#include <stdlib.h>
#include <string.h>

#include "grid_diff.h"
#include "unit.h"
#include "vmrun_cli.h"

static char *saved(const char *name)
{
	return text_format("%s/data/runs/%s", unit_tests, name);
}

static int vmrun(const char *a, const char *b, const char *c, const char *d,
		 const char *e)
{
	const char *words[6] = { a, b, c, d, e, NULL };

	return cli_finish(cli_start_words(words));
}

static bool has_line(const char *mark, const char *what, const char *a,
		     const char *b)
{
	char *copy = text_dup(cli_out), *rest = copy, *line;

	while ((line = strsep(&rest, "\n")))
		if (text_starts(line, mark) && strstr(line, what) &&
		    strstr(line, a) && strstr(line, b))
			return true;
	return false;
}

TEST(diff_names_what_differs)
{
	CHECK_NUMBER(vmrun("--diff", saved("old-movable"), saved("new-movable"),
			   NULL, NULL), 1);
	CHECK(has_line("  ", "", "debian-6.12/movable", "debian-7.3/movable"));
	CHECK(has_line("  ", "release", "6.12.118+deb13", "7.3.4+deb13"));
	CHECK(has_line("* ", "cma_total_kb", "none", "  0"));
	CHECK(has_line("  ", "mem_kb", "984756", "980000"));
	CHECK(has_line("* ", "causal.mr.verdict", "ok A ENOMEM REFS",
		       "ok A ENOMEM TARGET"));
	CHECK(has_line("* ", "causal.mr.fails", "ok", "FAIL: wanted 1, got 2"));
	CHECK(has_line("* ", "causal.mr.skips", "ok", "skip: no-odp: rxe0 has none"));
	CHECK(has_line("* ", "plain.only_old", "ok", "(no such row)"));
	CHECK(has_line("* ", "outcome", "passed", "failed"));
	CHECK(has_line("  ", "only debian-7.3/movable ran extra", "", ""));
	CHECK(!strstr(cli_out, "causal.mr.held_b"));
	CHECK(!strstr(cli_out, "uptime_s"));
	CHECK_STRING(cli_last_line(cli_out), "7 differences, 11 rows compared");
}

TEST(diff_of_the_same)
{
	CHECK_NUMBER(vmrun("--diff", saved("old-movable"), saved("old-movable"),
			   NULL, NULL), 0);
	CHECK(!strstr(cli_out, "\n* "));
	CHECK_STRING(cli_last_line(cli_out), "0 differences, 11 rows compared");
}

TEST(diff_usage)
{
	CHECK_NUMBER(vmrun("--diff", saved("old-movable"), NULL, NULL, NULL), 2);
	CHECK_NUMBER(vmrun("--diff", saved("old-movable"), "/nonexistent", NULL, NULL), 2);
	CHECK_NUMBER(vmrun("--diff", saved("README"), saved("old-movable"), NULL, NULL), 2);
	/* several columns on one side only */
	CHECK_NUMBER(vmrun("--diff", saved(""), saved("old-movable"), NULL, NULL), 2);
	CHECK(strstr(cli_err, "FILE#kernel/profile"));
}

/* Nothing in common is not "the same". */
TEST(diff_needs_something_in_common)
{
	static const char other[] =
		"{\"outcome\":\"passed\",\"exit_code\":0,\"counts\":{\"passed\":1,\"failed\":0,\"skipped\":0},\"asked\":{\"kernel_name\":\"k\",\"profile\":\"cma\"},\"facts\":{},\"tests\":[{\"name\":\"other.one\",\"status\":\"passed\"}]}";

	unit_write("result.json", other, strlen(other));
	CHECK_NUMBER(vmrun("--diff", unit_scratch, saved("old-movable"), NULL, NULL), 2);
	CHECK(strstr(cli_err, "nothing to compare"));
}

TEST(diff_of_merged_files)
{
	char *file = unit_path("all/results.json"), *one, *two;

	CHECK_NUMBER(vmrun("--table", "--out", unit_path("all"), saved(""), NULL), 1);
	CHECK_STRING(cli_last_line(cli_out), "19 passed, 1 failed, 2 skipped");
	unit_read(unit_path("all/table.html"), NULL);
	unit_read(unit_path("all/results.xml"), NULL);
	CHECK_NUMBER(vmrun("--diff", file, file, NULL, NULL), 0);
	one = text_format("%s#debian-6.12/movable", file);
	two = text_format("%s#debian-7.3/movable", file);
	CHECK_NUMBER(vmrun("--diff", one, two, NULL, NULL), 1);
	CHECK(has_line("* ", "causal.mr.verdict", "REFS", "TARGET"));
	CHECK_NUMBER(vmrun("--diff", one, saved("old-movable"), NULL, NULL), 0);
	two = text_format("%s#debian-9/movable", file);
	CHECK_NUMBER(vmrun("--diff", one, two, NULL, NULL), 2);
}

TEST(merge_command)
{
	CHECK_NUMBER(vmrun("--merge", saved("old-movable"), NULL, NULL, NULL), 0);
	CHECK_NUMBER(vmrun("--merge", saved("old-movable"), saved("old-movable"),
			   NULL, NULL), 2);
	CHECK(strstr(cli_err, "the same suite twice"));
	CHECK_NUMBER(vmrun("--merge", unit_scratch, NULL, NULL, NULL), 2);
	CHECK_NUMBER(vmrun("--merge", NULL, NULL, NULL, NULL), 2);
	unit_write("plan", "{\"include\":[{\"kernel\":\"debian-6.12\",\"profile\":\"movable\",\"suite\":\"demo\",\"shard\":\"\"}]}",
		   85);
	CHECK_NUMBER(vmrun("--merge", "--plan", unit_path("plan"),
			   saved("old-movable"), NULL), 0);
	CHECK_NUMBER(vmrun("--merge", "--plan", unit_path("plan"),
			   unit_scratch, NULL), 126);
	CHECK_STRING(cli_last_line(cli_out), "0 passed, 1 failed, 0 skipped");
	CHECK_NUMBER(vmrun("--merge", "--plan", "/nonexistent",
			   saved("old-movable"), NULL), 2);
}

TEST(cell_command)
{
	CHECK_NUMBER(vmrun("--cell", "causal.mr.skips", saved("new-movable"), NULL, NULL), 0);
	CHECK_STRING(cli_out, "skip: no-odp: rxe0 has none\n");
	CHECK_NUMBER(vmrun("--cell", "causal.mr.held_b", saved("new-movable"), NULL, NULL), 0);
	CHECK_STRING(cli_out, "ok B ENOMEM REFS, B' ok OK\n");
	CHECK_NUMBER(vmrun("--cell", "no.such", saved("new-movable"), NULL, NULL), 0);
	CHECK(text_starts(cli_out, "none: failed: "));
}
