/* SPDX-License-Identifier: GPL-2.0 */
/* The guest's side of the story: the result channel, read line by line. */
#ifndef VMRUN_CHANNEL_H
#define VMRUN_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "facts.h"
#include "ktap.h"
#include "lines.h"
#include "results.h"

#define CHANNEL_LINE_MAX	65536
/* exit code by which init says that it ended a program for being late */
#define CHANNEL_EXIT_LATE	124
#define CHANNEL_BYTES_MAX	(256UL << 20)

enum channel_phase {
	PHASE_BOOT,		/* nothing came yet */
	PHASE_FACTS,		/* init runs, facts are not complete */
	PHASE_BETWEEN,		/* no program runs */
	PHASE_PROGRAM,
	PHASE_DONE,		/* the end marker came */
};

struct channel_ops {
	void (*facts)(void *ctx);
	void (*print)(void *ctx, const char *text);
	/* json is NULL for a record that is not valid */
	void (*record)(void *ctx, const char *text, json_object *json);
	void (*program)(void *ctx, const char *name, size_t first,
			double seconds);
};

/* A @vmstat that came while its program was still open. */
struct channel_balance {
	char *program;
	long long acquired;
	long long released;
};

struct channel {
	struct lines lines;
	struct json_tokener *tokener;
	const struct channel_ops *ops;
	void *ctx;
	double now;		/* the caller's clock, for durations */
	size_t bytes;
	bool flooded;
	enum channel_phase phase;
	bool stopped;		/* aborted, or the guest is not what was asked */
	struct facts facts;
	char *abort_reason;
	bool have_exit;
	long exit_code;
	struct results results;
	struct ktap ktap;
	char *program;
	size_t program_first;
	long timeout;		/* the program's own, seconds; 0: none given */
	unsigned long programs;
	unsigned long timeouts;	/* programs that the guest ended for being late */
	char *late_program;	/* the first of them */
	struct channel_balance balance;
	unsigned long records;
	unsigned long bad_records;	/* of the whole run */
	unsigned long bad_here;		/* of this program */
	char *bad_record;		/* its first one */
	unsigned long faults;	/* lines against the protocol */
	char *first_fault;
};

void channel_init(struct channel *c, const struct channel_ops *ops, void *ctx);
void channel_feed(struct channel *c, const char *bytes, size_t len);
/* Nothing more will come. why: what happened, for a program without its end. */
void channel_end(struct channel *c, const char *why);
void channel_free(struct channel *c);

#endif
