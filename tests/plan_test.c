// SPDX-License-Identifier: GPL-2.0
/* The list of runs, and the scripts that make it. */
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "plan.h"
#include "script.h"
#include "unit.h"

static const char *entry(json_object *plan, size_t i, const char *key)
{
	const char *s = json_string(json_object_array_get_idx(plan, i), key);

	CHECK(s);
	return s;
}

TEST(plan_shards)
{
	json_object *plan = plan_make("k cma all amd64 1G 5\nl none matrix arm64 2G 1\n", 3);

	CHECK(plan);
	CHECK_NUMBER(json_object_array_length(plan), 4);
	CHECK_STRING(entry(plan, 0, "kernel"), "k");
	CHECK_STRING(entry(plan, 0, "shard"), "1/3");
	CHECK_STRING(entry(plan, 2, "shard"), "3/3");
	/* more shares than programs would leave empty ones */
	CHECK_STRING(entry(plan, 3, "shard"), "");
	CHECK_STRING(entry(plan, 3, "arch"), "arm64");
	CHECK_STRING(entry(plan, 3, "memory"), "2G");
	CHECK_NUMBER(json_object_array_length(plan_make("k cma all amd64 1G 5\n", 1)), 1);
	CHECK_NUMBER(json_object_array_length(plan_make("", 1)), 0);
}

TEST(plan_refuses)
{
	CHECK(!plan_make("k cma all amd64 1G\n", 1));
	CHECK(!plan_make("k cma all amd64 1G x\n", 1));
	CHECK(!plan_make("k cma all amd64 1G 0\n", 1));
	CHECK(!plan_make("k cma all amd64 1G 1 more\n", 1));
}

/* The shares of a suite are disjoint and make up all of it, in any number. */
TEST(plan_shares_of_a_suite)
{
	char *out;
	int status = script_run(SCRIPT_LIBRARY
		"suite_tests all ''; suite_programs; all=$PROGRAMS\n"
		"for n in 1 2 3 7; do\n"
		"	have=\n"
		"	for ((i = 1; i <= n; i++)); do\n"
		"		suite_tests all ''; shard_tests $i/$n; suite_programs\n"
		"		have+=\" $PROGRAMS\"\n"
		"	done\n"
		"	want=$(printf '%s\\n' $all | sort)\n"
		"	[ \"$(printf '%s\\n' $have | sort)\" = \"$want\" ] || echo \"$n: $have\"\n"
		"done\n", &out);

	CHECK_STRING(out, "");
	CHECK_NUMBER(status, 0);
}

TEST(plan_shares_that_are_none)
{
	static const char * const bad[] = {
		"0/2", "3/2", "x/2", "1", "/2", "1/", "1/2/2", "01/2", "1/02", "99/99",
	};
	size_t i;
	char *out;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		char *text = text_format(SCRIPT_LIBRARY "suite_tests all ''; shard_tests %s\n",
					 bad[i]);

		if (script_run(text, &out) != 2)
			unit_fail(__FILE__, __LINE__, "took %s: %s", bad[i], out);
	}
}

/*
 * Every kernel that vm/boots does not leave to people, with each profile but bench, and
 * with none unless it says that there is nothing to see.
 */
TEST(plan_of_this_project)
{
	char *out;
	int status = script_run(SCRIPT_LIBRARY
		"table_names \"$TOP/vm/kernels\"\n"
		"lines=$(plan_lines)\n"
		"for k in \"${NAMES[@]}\"; do\n"
		"	grep -q \"^$k none \" <<<\"$lines\" && continue\n"
		"	left='\\*'\n"
		"	grep -q \"^$k \" <<<\"$lines\" && left=none\n"
		"	grep -qE \"^$k[[:space:]]+$left[[:space:]]+-$\" \"$TOP/vm/boots\" || echo \"$k: not planned\"\n"
		"done\n"
		"! grep -E ' (bench|any) ' <<<\"$lines\"\n"
		"! grep 'debian-6.12 cma' <<<\"$lines\"\n"
		"$VMRUN --plan --format github --shards 2 <<<\"$lines\" >/dev/null\n"
		"PLAN_KERNEL='debian-7.[3]' PLAN_PROFILE=cma PLAN_SUITE=pin\n"
		"plan_lines\n", &out);

	CHECK_STRING(out, "debian-7.3 cma pin amd64 1G 3\n");
	CHECK_NUMBER(status, 0);
}

TEST(row_is_one_test)
{
	char *out;
	int status = script_run(SCRIPT_LIBRARY
		"row_tests causal_matrix.mr.anon.held_pin_b ''; printf %s \"$TESTS\"\n"
		"row_tests causal_matrix.pins_balanced 7; printf %s \"$TESTS\"\n"
		"row_tests compat32_caller.x ''; printf %s \"$TESTS\"\n"
		"for r in causal_matrix no_such.a.b 'a b.c' causal_matrix..a causal_matrix.; do\n"
		"	s=0; (row_tests \"$r\" '') 2>/dev/null || s=$?\n"
		"	[ $s = 2 ] || echo \"took $r\"\n"
		"done\n", &out);

	CHECK_STRING(out,
		     "causal_matrix 60 -r mr.anon.held_pin_b\n"
		     "causal_matrix 7\n"
		     "compat32_caller 300\n");
	CHECK_NUMBER(status, 0);
}

/* What becomes of a row, as bisect and first-bad take it. */
TEST(row_states)
{
	char *out, *text;
	int status;

	text = text_format(SCRIPT_LIBRARY
		"d=%s/data/runs/new-movable\n"
		"t() { row_state \"$@\"; echo \"$STATE\"; }\n"
		"t causal.mr.held_b $d 1; t causal.mr.fails $d 1; t causal.mr.skips $d 1\n"
		"t no.such $d 2; t no.such $d 5; t causal.mr.held_b /nonexistent 125\n"
		"ROW_BAD='ok*ENOMEM*'; t causal.mr.held_b $d 1\n"
		"ROW_BAD='skip*'; t causal.mr.skips $d 1; t causal.mr.fails $d 1\n"
		"ROW_BAD='ok*' ROW_GOOD='skip*'; t causal.mr.held_b $d 1\n"
		"t causal.mr.skips $d 1; t causal.mr.fails $d 1\n",
		unit_tests);
	status = script_run(text, &out);
	CHECK_STRING(out, "good\nbad\nskip\nabsent\nskip\nskip\nbad\nbad\ngood\n"
		     "bad\ngood\nskip\n");
	CHECK_NUMBER(status, 0);
}
