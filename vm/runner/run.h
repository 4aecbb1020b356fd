/* SPDX-License-Identifier: GPL-2.0 */
/* One run: what was asked for, what was seen, and what that comes to. */
#ifndef VMRUN_RUN_H
#define VMRUN_RUN_H

#include <stdbool.h>

#include "channel.h"
#include "console.h"
#include "facts.h"
#include "options.h"
#include "patterns.h"
#include "skips.h"

/* How the guest came to its end. */
enum ended {
	ENDED_SELF,		/* it powered off, or QEMU died */
	ENDED_NOT_STARTED,
	ENDED_PANIC,		/* the rest: we ended it, because of … */
	ENDED_BOOT_DEADLINE,
	ENDED_TEST_DEADLINE,
	ENDED_TOTAL_DEADLINE,
	ENDED_POWEROFF_DEADLINE,
	ENDED_FLOOD,
	ENDED_PROFILE,
	ENDED_ABORT,
	ENDED_SIGNAL,
	ENDED_COUNT,
};

enum outcome {
	OUTCOME_PASSED,
	OUTCOME_SKIPPED,	/* everything was */
	OUTCOME_SPLAT,		/* kernel splat or leak, and nothing else */
	OUTCOME_FAILED,
	OUTCOME_CANNOT,		/* cannot boot, or not the guest asked for */
	OUTCOME_LOST,
	OUTCOME_TIMEOUT,
	OUTCOME_PANIC,
	OUTCOME_INTERRUPTED,
	OUTCOME_COUNT,
};

struct verdict {
	enum outcome outcome;
	int exit_code;
	char *diagnosis;	/* one line; empty for a pass */
};

struct run {
	const struct options *options;
	struct patterns deny;
	struct patterns allow;
	struct skips skips;
	struct expects expects;
	struct console console;
	struct channel channel;
	char *unmet;		/* what the guest is not */
	enum ended ended;
	char *ended_in;		/* "in PROGRAM", if it ended while one ran */
	int signal;		/* for ENDED_SIGNAL */
	int vm_status;		/* of waitpid(), -1: not known */
	char *start_error;	/* for ENDED_NOT_STARTED */
	char *qemu_said;	/* last of its stderr */
	const char *flooded;	/* what was, for ENDED_FLOOD */
	bool disk_full;		/* of the run folder, when the guest had ended */
	const char *began;	/* UTC, for the reports */
	const char *accel;
	char *accel_why;
	int scale;		/* of the deadlines */
	double boot_seconds;
	double total_seconds;
	struct verdict verdict;
};

/*
 * Loads the lists that the options name. NULL, or what is wrong, to be freed.
 * ops and ctx are called as the channel is read.
 */
char *run_init(struct run *r, const struct options *o,
	       const struct channel_ops *ops, void *ctx);
/* Call when the facts are complete: false if the guest is not as asked. */
bool run_check_guest(struct run *r);
/* Nothing more will come: adds what is missing, and gives the verdict. */
void run_end(struct run *r);
void run_free(struct run *r);

const char *ended_name(enum ended e);
bool ended_parse(const char *name, enum ended *e);

#endif
