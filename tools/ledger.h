/* SPDX-License-Identifier: GPL-2.0 */
/* Who holds which pages, from events of taking and leaving. */
#ifndef PINPROBE_LEDGER_H
#define PINPROBE_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/events.h"

struct ledger;

/**
 * struct ledger_call - a call that took pages
 * @time:	ns of CLOCK_MONOTONIC
 * @tgid:	of the process
 * @tid:	of the thread
 * @comm:	its name then
 * @api:	enum trace_api
 * @flags:	FOLL_*, as the kernel has them
 * @stack:	id of the stack, < 0: none
 * @addr:	user address of the first page, bytes
 * @taken:	pages, as counted by GUP: one page may be counted twice
 * @held:	of these, not left so far; all of references, which are left unseen
 * @marked:	of ledger_find(), for itself
 * @told:	for who goes through the ledger
 */
struct ledger_call {
	uint64_t time;
	uint32_t tgid, tid;
	char comm[TRACE_COMM];
	uint32_t api, flags;
	int32_t stack;
	uint64_t addr;
	uint64_t taken, held;
	bool marked, told;
};

/**
 * struct ledger_totals - what happened so far
 * @taken:	pages entered
 * @left:	pages that were left, and were entered before
 * @whole:	of @left, with a region that went
 * @unknown:	pages left that nobody was seen to take
 * @dropped:	pages forgotten for want of room, though still held
 * @bytes:	memory in use
 * @peak:	the most that it was
 */
struct ledger_totals {
	uint64_t taken, left, whole, unknown, dropped;
	size_t bytes, peak;
};

/**
 * ledger_new() - an empty ledger
 * @limit:	bytes that it may have; the oldest calls are dropped beyond
 * @ended:	called when the last page of a call has been left, may be NULL
 * @ctx:	handed to it
 *
 * Return: NULL if there is no memory.
 */
struct ledger *ledger_new(size_t limit,
			  void (*ended)(void *ctx, const struct ledger_call *call,
					uint64_t time),
			  void *ctx);
void ledger_free(struct ledger *l);

/* One event: TRACE_EVENT_HELD or TRACE_EVENT_LEFT. */
void ledger_event(struct ledger *l, const struct trace_pages *e);

/* Calls that hold a page of [@pfn, @pfn + @nr), the oldest first. */
void ledger_find(struct ledger *l, uint64_t pfn, uint64_t nr,
		 void (*each)(void *ctx, const struct ledger_call *call),
		 void *ctx);

/* All calls that hold something, the oldest first. */
void ledger_each(struct ledger *l,
		 void (*each)(void *ctx, struct ledger_call *call), void *ctx);

/* The runs that a call still holds. */
void ledger_runs(struct ledger *l, const struct ledger_call *call,
		 void (*each)(void *ctx, uint64_t pfn, uint64_t pages),
		 void *ctx);

void ledger_totals(const struct ledger *l, struct ledger_totals *totals);

#endif
