// SPDX-License-Identifier: GPL-2.0
/* vm/bisect under git bisect, with a kernel tree that builds in no time. */
#include <stdlib.h>
#include <string.h>

#include "script.h"
#include "unit.h"

#define ROW	"causal_matrix.mr.anon.unheld_a"

/* Each commit's file "behaviour" is built into "built", unless it is "broken". */
#define TREE								\
	"mkdir tree; cd tree; touch Makefile Kconfig .config\n"		\
	"export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1\n"	\
	"git init -q; git config user.email a@b; git config user.name a\n"	\
	"n=0\n"								\
	"for b in $HISTORY; do\n"					\
	"	n=$((n + 1)); echo $b >behaviour; echo $n >number\n"	\
	"	git add behaviour number; git commit -qm \"change $n\"\n"	\
	"done\n"							\
	"bisect=\"$VM/bisect " ROW " --results $PWD/../results\n"		\
	"	--runner $TESTS/data/fake-runner --build\"\n"		\
	"build='! grep -q broken behaviour && cp behaviour built'\n"

static char *in_tree(const char *history, const char *text, int *status)
{
	char *all, *out;

	setenv("HISTORY", history, 1);
	setenv("TESTS", unit_tests, 1);
	all = text_format("set -e; cd '%s'; rm -rf tree\n" TREE "%s", unit_scratch, text);
	*status = script_run(all, &out);
	free(all);
	return out;
}

static char *bisected(const char *history)
{
	char *out;
	int status;

	out = in_tree(history, "git bisect start HEAD $(git rev-list HEAD | tail -n 1) >/dev/null\n"
		      "git bisect run $bisect \"$build\" >log 2>&1 || { cat log; exit 1; }\n"
		      "git bisect log | sed -n 's/^# first bad commit: .*\\] //p'\n"
		      "git bisect log | grep -c '^git bisect skip' || :\n",
		      &status);
	CHECK_NUMBER(status, 0);
	return out;
}

TEST(bisect_finds_the_commit)
{
	/* a splat beside a good row is not what was asked for */
	CHECK_STRING(bisected("good good splat bad bad"), "change 4\n0\n");
}

/* The middle, which is asked first, cannot be told. */
TEST(bisect_skips)
{
	CHECK_STRING(bisected("good good broken good bad"), "change 5\n1\n");
}

static int one(const char *behaviour, const char *text)
{
	int status;

	in_tree(behaviour, text, &status);
	return status;
}

TEST(bisect_exit_codes)
{
	static const char plain[] = "$bisect \"$build\"\n";

	CHECK_NUMBER(one("good", plain), 0);
	CHECK_NUMBER(one("bad", plain), 1);
	CHECK_NUMBER(one("splat", plain), 0);
	CHECK_NUMBER(one("splat", "$bisect \"$build\" --splats\n"), 1);
	CHECK_NUMBER(one("good", "$bisect \"$build\" --bad 'ok*'\n"), 1);
	CHECK_NUMBER(one("skip", plain), 125);
	CHECK_NUMBER(one("skip", "$bisect \"$build\" --bad 'skip*'\n"), 1);
	CHECK_NUMBER(one("broken", plain), 125);
	CHECK_NUMBER(one("noboot", plain), 125);
	CHECK_NUMBER(one("panic", plain), 125);
	CHECK_NUMBER(one("interrupted", plain), 130);
}

/* Nothing that the user got wrong may read as good or bad. */
TEST(bisect_stops_on_usage_errors)
{
	CHECK_NUMBER(one("absent", "$bisect \"$build\"\n"), 128);
	CHECK_NUMBER(one("good", "\"$VM/bisect\"\n"), 128);
	CHECK_NUMBER(one("good", "\"$VM/bisect\" no_such.a.b\n"), 128);
	CHECK_NUMBER(one("good", "\"$VM/bisect\" causal_matrix\n"), 128);
	CHECK_NUMBER(one("good", "$bisect \"$build\" --profile nope\n"), 128);
	CHECK_NUMBER(one("good", "$bisect \"$build\" --nope\n"), 128);
	CHECK_NUMBER(one("good", "rm .config; $bisect \"$build\"\n"), 128);
	CHECK_NUMBER(one("good", "cd /; $bisect \"$build\"\n"), 128);
	CHECK_NUMBER(one("good", "touch ../results2; $bisect \"$build\" --results $PWD/../results2/x\n"), 128);
}
