/* SPDX-License-Identifier: GPL-2.0 */
/* Processes by number. */
#ifndef PINPROBE_PROCESS_H
#define PINPROBE_PROCESS_H

#include <sys/types.h>

#include "source.h"

/*
 * Says on standard error that there is no such process, and which one somebody
 * in a container may mean by that number.
 */
void process_say_none(const struct source *source, pid_t pid);

/* 0, or why execvp() would not find a program of that name: -errno. */
int process_find_program(const char *name);

#endif
