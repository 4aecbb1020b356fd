// SPDX-License-Identifier: GPL-2.0
/* Processes, and programs that are to become one. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "holders_internal.h"
#include "out.h"
#include "process.h"

/* Somebody in a container goes by the number that he sees. */
void process_say_none(const struct source *source, pid_t pid)
{
	struct source_names names;
	size_t i;

	out_error("there is no process %d", pid);
	source_list(source, &names, "/proc");
	for (i = 0; i < names.count; i++) {
		struct text status = { 0 };
		const char *line, *end;
		char last[32];

		source_read(source, &status, "/proc/%s/status", names.name[i]);
		line = fdinfo_value(status.s, "NSpid");
		snprintf(last, sizeof(last), "\t%d", pid);
		end = line ? line + strcspn(line, "\n") - strlen(last) : NULL;
		if (end > line && !strncmp(end, last, strlen(last)))
			out_error("process %s is %d in its own PID namespace",
				  names.name[i], pid);
		text_free(&status);
	}
	source_names_free(&names);
}

int process_find_program(const char *name)
{
	const char *path = getenv("PATH"), *at, *end;
	int error = -ENOENT;

	if (strchr(name, '/'))
		return access(name, X_OK) ? -errno : 0;
	for (at = path ? path : "/bin:/usr/bin"; at; at = *end ? end + 1 : NULL) {
		char *file;

		end = strchrnul(at, ':');
		file = text_format("%.*s%s%s", (int)(end - at), at,
				   end > at ? "/" : "./", name);
		if (!access(file, X_OK))
			error = 0;
		else if (errno == EACCES)
			error = -EACCES;
		free(file);
		if (!error)
			return 0;
	}
	return error;
}
