// SPDX-License-Identifier: GPL-2.0
/* vmrun --judge and vmrun --sum. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"
#include "unit.h"
#include "vmrun_cli.h"

static void judge_copy(const char *folder)
{
	char *command = text_format("cp -r %s/data/guests/%s %s/run",
				    unit_tests, folder, unit_scratch);

	CHECK(!system(command));
	free(command);
}

TEST(vmrun_judge)
{
	char *deny = text_format("%s/console-deny", unit_vm);
	const char *words[WORDS_MAX] = {
		"--judge", unit_path("run"), "--deny", deny, "--ended",
		"test deadline", NULL
	};

	judge_copy("hang");
	CHECK_NUMBER(cli_finish(cli_start_words(words)), 124);
	CHECK_STRING(cli_result_string("outcome"), "timeout");
	/* what it was is in result.json now */
	words[4] = NULL;
	CHECK_NUMBER(cli_finish(cli_start_words(words)), 124);
	words[2] = NULL;
	CHECK_NUMBER(cli_finish(cli_start_words(words)), 2);
}

TEST(vmrun_judge_is_the_same_again)
{
	char *deny = text_format("%s/console-deny", unit_vm);
	const char *words[WORDS_MAX] = { "--judge", unit_path("run"), "--deny", deny, NULL };
	static const char * const fakes[] = {
		"pass", "dies", "panic", "abort", "no_done", "refuses",
	};
	int code;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fakes); i++) {
		code = RUN(fakes[i]);
		CHECK_NUMBER(cli_finish(cli_start_words(words)), code);
	}
}

TEST(vmrun_judge_of_nothing)
{
	char *deny = text_format("%s/console-deny", unit_vm);
	const char *words[WORDS_MAX] = { "--judge", unit_scratch, "--deny", deny, NULL };

	CHECK_NUMBER(cli_finish(cli_start_words(words)), 2);
}

static int add_up(const char *first, ...)
{
	const char *words[WORDS_MAX] = { "--sum", first };
	va_list args;
	int n = 2;

	va_start(args, first);
	while (first && (words[n] = va_arg(args, const char *)))
		n++;
	va_end(args);
	return cli_finish(cli_start_words(words));
}

TEST(vmrun_sum)
{
	char *run = unit_path("run"), *other = unit_path("other");

	CHECK_NUMBER(RUN("pass"), 0);
	CHECK(!rename(run, other));
	CHECK_NUMBER(RUN("panic"), 5);
	CHECK_NUMBER(add_up(other, NULL), 0);
	CHECK_STRING(cli_out, "1 passed, 0 failed, 0 skipped\n");
	CHECK_NUMBER(add_up(other, "--extra", "100,0,3", NULL), 0);
	CHECK_STRING(cli_out, "101 passed, 0 failed, 3 skipped\n");
	CHECK_NUMBER(add_up(other, run, "--extra", "100,0,3", NULL), 5);
	CHECK_STRING(cli_last_line(cli_out), "101 passed, 2 failed, 3 skipped");
	CHECK_NUMBER(add_up(other, "--extra", "100,1,0", NULL), 1);
	CHECK_NUMBER(add_up(other, "--extra", "0,0,0", NULL), 1);
	CHECK_NUMBER(add_up(other, unit_scratch, NULL), 126);
	CHECK_STRING(cli_last_line(cli_out), "1 passed, 1 failed, 0 skipped");
	CHECK_NUMBER(add_up(NULL), 2);
	CHECK_NUMBER(add_up(other, "--extra", NULL), 2);
	CHECK_NUMBER(add_up(other, "--extra", "1,2", NULL), 2);
	CHECK_NUMBER(add_up(other, "--extra", "1,-2,3", NULL), 2);
	CHECK_NUMBER(add_up(other, "--extra", "1,2,3x", NULL), 2);
}

/* A run that was killed, or whose result was cut off, is lost. */
TEST(vmrun_sum_of_unfinished_runs)
{
	static const char * const bad[] = {
		"", "{", "{}", "[]", "{\"outcome\":\"passed\"}",
		"{\"outcome\":\"incomplete\",\"exit_code\":126}",
		"{\"outcome\":\"passed\",\"exit_code\":1,\"counts\":{\"passed\":1,\"failed\":0,\"skipped\":0}}",
		"{\"outcome\":\"failed\",\"exit_code\":0,\"counts\":{\"passed\":1,\"failed\":0,\"skipped\":0}}",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		unit_write("result.json", bad[i], strlen(bad[i]));
		CHECK_NUMBER(add_up(unit_scratch, NULL), 126);
	}
}
