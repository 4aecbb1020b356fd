/* SPDX-License-Identifier: GPL-2.0 */
/* What people read while a run goes on and at its end. */
#ifndef VMRUN_REPORT_H
#define VMRUN_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "run.h"

#define REPORT_LINES_MAX	20000

struct report {
	struct run *run;
	FILE *out;
	FILE *records;		/* records.jsonl */
	bool records_failed;
	char *consumer;		/* of the table's head */
	unsigned long lines;
};

extern const struct channel_ops report_ops;	/* ctx: struct report */

/* NULL, or what went wrong, to be freed. */
char *report_begin(struct report *p, struct run *r, const char *dir);
void report_accel(struct report *p);
void report_end(struct report *p, const char *dir);
void report_free(struct report *p);

#endif
