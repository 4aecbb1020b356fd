/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files of ledger.h, no others. */
#ifndef PINPROBE_LEDGER_INTERNAL_H
#define PINPROBE_LEDGER_INTERNAL_H

#include "ledger.h"

#define BLOCK_SHIFT	9
#define BLOCK_PAGES	(1u << BLOCK_SHIFT)
#define BUCKETS		16384	/* a power of two */

/* Consecutive frames of a block that one call holds. */
struct run {
	struct run *next;
	struct call *call;
	uint16_t first, pages;
};

struct block {
	struct block *next;		/* of the bucket */
	uint64_t number;
	struct run *runs;		/* the newest first */
};

struct call {
	struct ledger_call c;
	struct call *older, *newer;
	uint64_t umem;			/* or number of the thread; 0: neither */
	struct call *next;		/* of those in the bucket */
	struct trace_run *run;
	size_t runs, room;
};

struct ledger {
	size_t limit;
	void (*ended)(void *ctx, const struct ledger_call *call, uint64_t time);
	void *ctx;
	struct call *oldest, *newest;
	struct ledger_totals totals;
	struct block *bucket[BUCKETS];
	struct call *umem[BUCKETS];
};

/* What malloc() needs for it, its own word and what makes it even included. */
static inline size_t ledger_cost(size_t size)
{
	return (size + 8 + 15) & ~(size_t)15;
}

static inline unsigned int ledger_hash(uint64_t number)
{
	return (number * 0x9e3779b97f4a7c15ull >> 40) & (BUCKETS - 1);
}

void *ledger_get(struct ledger *l, size_t size);
void ledger_put(struct ledger *l, void *p, size_t size);
void ledger_charge(struct ledger *l, size_t less, size_t more);

/* Of an event, the newest, with no pages yet. */
struct call *ledger_call_new(struct ledger *l, const struct trace_pages *e);
void ledger_call_unlink(struct ledger *l, struct call *call);

/* Pages of a call are no longer held; the last takes the call along. */
void ledger_call_less(struct ledger *l, struct call *call, uint64_t pages,
		      uint64_t time);
void ledger_make_room(struct ledger *l);

/* Events that say of which umem they are. */
void ledger_umem_held(struct ledger *l, const struct trace_pages *e);
void ledger_umem_made(struct ledger *l, const struct trace_pages *e);
void ledger_umem_gone(struct ledger *l, const struct trace_pages *e);
void ledger_umem_free(struct ledger *l, struct call *call);
bool ledger_umem_holds(const struct call *call, uint64_t pfn, uint64_t nr);

#endif
