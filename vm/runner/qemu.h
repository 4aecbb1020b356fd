/* SPDX-License-Identifier: GPL-2.0 */
/* QEMU's command line, and its process. */
#ifndef VMRUN_QEMU_H
#define VMRUN_QEMU_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "options.h"

struct argv {
	char **v;		/* ends with NULL */
	size_t count;
};

/* Path of the binary, to be freed, or NULL with *error to be freed. */
char *qemu_find(const struct options *o, char **error);
/* First line of --version, to be freed. */
char *qemu_version(const char *binary);

/* dir NULL: no result channel, and the console in console_path. */
void qemu_argv(struct argv *a, const struct options *o, const char *binary,
	       const char *accel, const char *dir);
void qemu_argv_probe(struct argv *a, const struct options *o,
		     const char *binary, const char *console_path);
void argv_free(struct argv *a);
/* As a shell reads it, one argument a line. */
char *argv_quoted(const struct argv *a);

/*
 * Starts it; what it says goes to log_path. It dies with this process. -1:
 * *error, to be freed.
 */
pid_t qemu_start(const struct argv *a, const char *log_path, char **error);
/* True once it has ended, with its status; it is reaped then. */
bool qemu_ended(pid_t pid, int *status);
void qemu_kill(pid_t pid, int *status);
/* End of what it said, in one line, to be freed; NULL if it said nothing. */
char *qemu_said(const char *log_path);

#endif
