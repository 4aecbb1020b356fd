// SPDX-License-Identifier: GPL-2.0
/* The command pinprobe itself: commands, help, what it refuses. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "doctor_run.h"

static char *out, *err;

static int run(const char *words)
{
	int status = system(text_format("'%s' %s >'%s' 2>'%s'", doctor_path(),
					words, unit_path("o"), unit_path("e")));

	CHECK(WIFEXITED(status));
	out = unit_read(unit_path("o"), NULL);
	err = unit_read(unit_path("e"), NULL);
	return WEXITSTATUS(status);
}

TEST(pinprobe_commands)
{
	CHECK_NUMBER(run(""), 2);
	CHECK_STRING(out, "");
	CHECK(text_starts(err, "usage: pinprobe COMMAND"));
	CHECK_NUMBER(run("--help"), 0);
	CHECK(text_starts(out, "usage: pinprobe COMMAND"));
	CHECK(strstr(out, "\n  doctor "));
	CHECK(strstr(out, "\n  explain "));
	CHECK(strstr(out, "Examples:"));
	CHECK_STRING(err, "");
	CHECK_NUMBER(run("--version"), 0);
	CHECK(text_starts(out, "pinprobe "));
	CHECK_NUMBER(run("doctors"), 2);
	CHECK_STRING(out, "");
	CHECK(text_starts(err, "pinprobe: no command 'doctors'; there are: "));
	CHECK_NUMBER(run("help doctor"), 0);
	CHECK(text_starts(out, "usage: pinprobe doctor"));
	CHECK_NUMBER(run("help doctors"), 2);
}
