/* SPDX-License-Identifier: GPL-2.0 */
/* Reads what one test program prints: KTAP and TAP 13, nested or not. */
#ifndef VMRUN_KTAP_H
#define VMRUN_KTAP_H

#include <stdbool.h>

#include "results.h"
#include "text.h"

#define KTAP_DEPTH_MAX	8

/* The fault of a program that printed the plan "1..0". */
#define KTAP_RAN_NO_TEST	"ran no test"

struct ktap_level {
	int indent;
	long plan;		/* -1: none yet */
	long count;
	size_t first;		/* in results: where this level starts */
	char *subtest;		/* name its parent will have */
};

struct ktap {
	char *program;
	struct results *results;
	size_t first;
	struct ktap_level levels[KTAP_DEPTH_MAX];
	int depth;
	/* level just closed whose parent has not reported yet */
	bool children;
	size_t children_first;
	char *children_subtest;
	struct text children_faults;
	struct text faults;	/* what is wrong with the document itself */
	struct text diag;	/* printed since the last result */
	char *running;		/* test that the harness said it started */
	char *skip_all;		/* reason of a skip of the whole program */
	bool spoke;		/* any line of the protocol was seen */
	double since;
};

void ktap_begin(struct ktap *k, const char *program, struct results *results,
		double now);
void ktap_line(struct ktap *k, const char *line, double now);
/* The program ended by itself. */
void ktap_end(struct ktap *k, int exit_code, double now);
/* It did not; why goes into the failure that is added. */
void ktap_lost(struct ktap *k, const char *why, double now);

#endif
