// SPDX-License-Identifier: GPL-2.0
/* Whether a program is there, before anything is done for it. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "unit.h"
#include "../tools/process.c"

const char *fdinfo_value(const char *fdinfo, const char *key)
{
	const char *at = fdinfo ? strstr(fdinfo, key) : NULL;

	return at ? at + strlen(key) + 2 : NULL;
}

void out_error(const char *fmt, ...)
{
	(void)fmt;
}

TEST(process_find_program_as_execvp)
{
	unit_write("program", "#!/bin/sh\n", 10);
	CHECK_NUMBER(process_find_program(unit_path("program")), -EACCES);
	chmod(unit_path("program"), 0755);
	CHECK_NUMBER(process_find_program(unit_path("program")), 0);
	CHECK_NUMBER(process_find_program("/no/such/program"), -ENOENT);
	CHECK_NUMBER(process_find_program("program-that-is-nowhere"), -ENOENT);
	setenv("PATH", text_format("/no/such:%s", unit_scratch), 1);
	CHECK_NUMBER(process_find_program("program"), 0);
	chmod(unit_path("program"), 0644);
	CHECK_NUMBER(process_find_program("program"), -EACCES);
	unsetenv("PATH");
	CHECK_NUMBER(process_find_program("sh"), 0);
}
