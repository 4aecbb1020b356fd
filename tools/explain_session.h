/* SPDX-License-Identifier: GPL-2.0 */
/* One run of pinprobe explain, shared by its files. */
#ifndef PINPROBE_EXPLAIN_SESSION_H
#define PINPROBE_EXPLAIN_SESSION_H

#include "explain.h"
#include "session.h"

#define EXPLAIN_HANGING	64

/* A call that has not come back, as it was when it was first seen. */
struct explain_pending {
	uint32_t tid;		/* 0: free */
	uint64_t began;		/* of the record */
	uint64_t seen;		/* ns of CLOCK_MONOTONIC */
	uint64_t cpu_ns, faults, splits, failed;
	bool told, fresh;
};

struct explain {
	struct session session;
	unsigned int hang;	/* seconds */
	bool json;
	uint64_t told;
	struct explain_pending pending[EXPLAIN_HANGING];
};

struct around;

/* Zone, node and kind of pageblock of a folio that was looked at. */
void explain_place(const struct trace_kernel *k, const struct around *around,
		   struct explain_page *p);

/* Gathers what is known of a call that failed. */
void explain_look(struct explain *e, const struct trace_record *record,
		  struct explain_facts *facts);

/*
 * Calls @tell for each call that has been on its way for too long, once, and
 * @ended for those that have ended where no hook was.
 */
void explain_hangs(struct explain *e,
		   void (*tell)(void *ctx, struct explain_facts *facts),
		   void (*ended)(void *ctx, const struct trace_record *record));

/*
 * Of a call that was ended by a signal after it had been seen on its way: what
 * happened since then.
 */
void explain_since(struct explain *e, struct explain_facts *facts);

#endif
