/* SPDX-License-Identifier: GPL-2.0 */
/* The results of tests, in the order they came. */
#ifndef VMRUN_RESULTS_H
#define VMRUN_RESULTS_H

#include <stddef.h>

#include "text.h"

#define RESULTS_MAX		100000
#define RESULTS_DIAG_MAX	65536

enum status {
	STATUS_PASSED,
	STATUS_FAILED,
	STATUS_SKIPPED,
};

struct result {
	char *program;
	char *name;		/* flat, dotted, starts with program */
	enum status status;
	char *reason;		/* of a skip, or a failure in few words */
	char *diag;		/* what the test printed, if it did not pass */
	double seconds;
	bool check;		/* not a test: the runner's own look at one */
};

struct results {
	struct result *all;
	size_t count;
	size_t dropped;		/* beyond RESULTS_MAX */
	size_t renamed;		/* duplicates */
};

struct counts {
	unsigned long passed;
	unsigned long failed;
	unsigned long skipped;
};

/*
 * program and name are copied. The pointer is good until the next call; NULL
 * once RESULTS_MAX is reached.
 */
struct result *results_add(struct results *r, const char *program,
			   const char *name, enum status status);
void results_fail(struct results *r, const char *program, const char *name,
		  const char *reason, const char *diag);
void results_count(const struct results *r, struct counts *c);
void results_free(struct results *r);

/* Two results of one name: the later one becomes a failure of its own. */
void results_check_names(struct results *r);

const char *status_name(enum status s);

#endif
