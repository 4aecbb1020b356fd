// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "script.h"
#include "unit.h"

#define OUTPUT_MAX	65536

int script_run(const char *text, char **out)
{
	char *cache = unit_path("cache"), *command, *buf;
	size_t len;
	FILE *f;

	setenv("XDG_CACHE_HOME", cache, 1);
	setenv("VM", unit_vm, 1);
	setenv("VMRUN", unit_vmrun, 1);
	unit_write("script", text, strlen(text));
	command = text_format("rm -rf '%s'; exec 2>&1; exec bash '%s'", cache,
			      unit_path("script"));
	f = popen(command, "r");
	CHECK(f);
	buf = text_alloc(OUTPUT_MAX);
	len = fread(buf, 1, OUTPUT_MAX - 1, f);
	buf[len] = '\0';
	*out = buf;
	return WEXITSTATUS(pclose(f));
}
