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
	bool looked, told, fresh;
	/* As it was looked at: of pages that nobody tried to move. */
	struct explain_page page[TRACE_FAILED];
	size_t pages;
	uint64_t off_list, written;
};

struct explain {
	struct session session;
	unsigned int hang;	/* seconds */
	bool json;
	uint64_t told;
	uint64_t started, searching;	/* ns: when, and spent on looking for holders */
	struct explain_pending pending[EXPLAIN_HANGING];
};

struct snapshot;

/* Zone, node and kind of pageblock of a folio that was looked at. */
void explain_place(const struct trace_kernel *k, const struct snapshot *snapshot,
		   struct explain_page *p);

/* Gathers what is known of a call that failed. */
void explain_look(struct explain *e, const struct trace_record *record,
		  struct explain_facts *facts);

/*
 * Whether there is time for more: calls that fail by the thousand must not keep it
 * from reading events.
 */
bool explain_may_search(const struct explain *e);

/*
 * Looks in /proc for who holds the first page, where the ledger names nobody: it
 * was taken before there was a ledger.
 */
void explain_search(struct explain *e, struct explain_facts *facts);

/* Of those found, which can be it. Pure. */
void explain_candidates(struct explain_facts *facts, const struct holder *found,
			size_t nr);

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
