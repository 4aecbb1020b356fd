/* SPDX-License-Identifier: GPL-2.0 */
/* The command pinprobe, run as a user runs it, and what it says as JSON. */
#ifndef SELFTESTS_TOOL_H
#define SELFTESTS_TOOL_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define TOOL	"/usr/bin/pinprobe"

struct tool {
	int code;		/* exit code; minus the signal that ended it */
	char *out;		/* standard output */
	char *err;		/* standard error */
	json_object *json;	/* standard output as JSON, NULL if it is none */
};

/**
 * tool_run() - runs pinprobe and waits for it
 * @tool:	filled in; to be freed with tool_free() in either case
 * @words:	what follows "pinprobe", ended by NULL
 *
 * Return: 0, or -errno if it could not be run.
 */
int tool_run(struct tool *tool, const char *const words[]);
#define TOOL_RUN(tool, ...)						\
	tool_run(tool, (const char *const[]) { __VA_ARGS__, NULL })
void tool_free(struct tool *tool);

/*
 * Starts it, and reads the object that it says first; it goes on running. Its
 * process, or -errno. tool_wait() gives its exit code as in struct tool.
 */
pid_t tool_start(json_object **first, const char *const words[]);
int tool_wait(pid_t pid);

/*
 * What several processes write to, or -1. A memfd does not keep writers apart that share
 * its position (it has no FMODE_ATOMIC_POS): each appends.
 */
int tool_file(const char *name);

/* In the child: pinprobe with these outputs, @err < 0: the same. Does not come back. */
void tool_become(const char *const words[], int out, int err);
/* All of a file that a child writes or wrote to, ended by NUL; to be freed. */
char *tool_contents(int fd);

/* Follows "memory/zones/0/name", from "" on; NULL if it is not there. */
json_object *tool_at(json_object *json, const char *path);
/* The number there, -1 if there is none; the string, "" if there is none. */
int64_t tool_number(json_object *json, const char *path);
const char *tool_string(json_object *json, const char *path);
/* The member of the array at @path whose @key is @value, or NULL. */
json_object *tool_find(json_object *json, const char *path, const char *key,
		       const char *value);

#endif /* SELFTESTS_TOOL_H */
