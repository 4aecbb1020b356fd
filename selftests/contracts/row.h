/* SPDX-License-Identifier: GPL-2.0 */
/* Runs one row and measures it. */
#ifndef CONTRACTS_ROW_H
#define CONTRACTS_ROW_H

#include "../lib/verdict.h"
#include "contract.h"
#include "table.h"

struct row {
	const struct consumer *consumer;
	const struct backing *backing;
	const struct placement *placement;
	const struct hold *hold;
	unsigned int access;
	bool dropped;
	unsigned int deadline_ms; /* for the consumer */
	struct row_key key;
	char name[ROW_NAME];
};

enum row_end {
	ROW_LOST,		/* its process died or did not come back */
	ROW_SKIPPED,		/* @why begins with a reason of vm/expected-skips */
	ROW_BROKEN,		/* it could not be set up: @why */
	ROW_MEASURED,
};

/* Pages of an area that are looked at; of a larger one, those around the target. */
#define ROW_PAGES	1024

/* What all of them looked like: untouched, as the consumer found and left them. */
struct row_pages {
	size_t nr;
	unsigned int looks;	/* how many of the three there are */
	struct pinprobe_page before[ROW_PAGES];
	struct pinprobe_page found[ROW_PAGES];
	struct pinprobe_page after[ROW_PAGES];
};

struct row_result {
	struct row_pages *pages; /* the caller's, shared with the row's process */
	enum row_end end;
	char why[192];
	const char *doing;	/* what the row's process was at, for ROW_LOST */
	struct verdict_facts facts;
	struct verdict verdict;
	enum effect effect;
	/* The target page: untouched by anybody, as the consumer found and left it. */
	struct pinprobe_page before, found, after;
	int64_t spent_us;
	bool timed_out;
	/* Calls before the measured one that met a HOLD_TRANSIENT: ENOMEM. */
	unsigned int refused;
	/* What was not undone after the row, "" if all was. */
	char left[96];
};

/* In a process of its own; @result is filled in whatever happens. */
void row_run(struct world *world, const struct row *row,
	     struct row_result *result);

#endif /* CONTRACTS_ROW_H */
