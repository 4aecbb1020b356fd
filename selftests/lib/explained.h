/* SPDX-License-Identifier: GPL-2.0 */
/* "pinprobe explain --json" around a victim, and what it told. */
#ifndef SELFTESTS_EXPLAINED_H
#define SELFTESTS_EXPLAINED_H

#include "tool.h"

#define EXPLAINED_CALLS	1024
#define EXPLAINED_SAYS	64

/**
 * struct explained - one session
 * @tool:	exit code and standard error of pinprobe
 * @call:	objects of what was told, in order
 * @calls:	how many
 * @summary:	the last object; NULL if it did not come
 * @says:	lines that the victims wrote, in order
 * @said:	how many
 */
struct explained {
	struct tool tool;
	struct json_object *call[EXPLAINED_CALLS];
	size_t calls;
	struct json_object *summary;
	const char *says[EXPLAINED_SAYS];
	size_t said;
};

/* The path of a guest program that lies beside the one that runs. */
void beside(char *path, size_t size, const char *name);

/* As tool_run() with "explain --json --hang 1 --" before @words. */
int explained_run(struct explained *e, const char *const words[]);
#define EXPLAINED_RUN(e, ...)						\
	explained_run(e, (const char *const[]) { __VA_ARGS__, NULL })
void explained_free(struct explained *e);

/*
 * Whether the kernel left out a run of a program, which it does when a task is
 * preempted in one and another comes to the same: the session says so, and it has to
 * be tried again.
 */
bool explained_missed(struct explained *e);

/* What was told first of a process of this name, and how often; or NULL. */
json_object *explained_of(struct explained *e, const char *comm, size_t *times);
/* The next of the same process, behind @call; NULL if there is none. */
json_object *explained_next(struct explained *e, json_object *call);

/* The number behind "@word " at the begin of a line that a victim wrote, 0: none. */
uint64_t explained_said(struct explained *e, const char *word);

/*
 * Whether the age of the first holder fits what the victim said: "held" and "told",
 * in ms, and that it called when the page had been held for @before ms.
 */
bool explained_age(struct explained *e, json_object *call, int64_t before);

/* errno of a layer, "" if it had none; or "no such layer". */
const char *explained_errno(json_object *call, const char *layer);

#endif /* SELFTESTS_EXPLAINED_H */
