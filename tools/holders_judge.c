// SPDX-License-Identifier: GPL-2.0
/* How far each of those found is known to hold the page. Pure. */
#include <stdlib.h>
#include <string.h>

#include "holders_internal.h"

/* References that nobody has been named for yet. */
struct left {
	bool counted;
	int64_t pins;
	int64_t refs;
};

static int64_t fitting(const struct left *left, unsigned int takes)
{
	return (takes & HOLDER_TAKES_PIN ? left->pins : 0) +
	       (takes & HOLDER_TAKES_REF ? left->refs : 0);
}

static void consume(struct left *left, unsigned int takes)
{
	if (takes & HOLDER_TAKES_PIN && left->pins)
		left->pins--;
	else if (takes & HOLDER_TAKES_REF && left->refs)
		left->refs--;
}

static void frames(struct holder *holders, size_t nr, struct left *left)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (holders[i].claim != HOLDER_CLAIM_FRAME)
			continue;
		holders[i].certainty = HOLDER_CERTAIN;
		consume(left, holders[i].takes);
	}
}

static int64_t rivals(const struct holder *holders, size_t nr,
		      enum holder_claim claim, unsigned int takes)
{
	int64_t count = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		count += holders[i].claim == claim && holders[i].takes & takes;
	return count;
}

/*
 * An address is that of the page when it was taken. What stands there now is
 * another one after MADV_DONTNEED and the like, and then has no pin of that one's.
 */
static void addresses(struct holder *holders, size_t nr, struct left *left)
{
	const struct left before = *left;
	int64_t room;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (holders[i].claim != HOLDER_CLAIM_ADDRESS)
			continue;
		room = fitting(&before, holders[i].takes);
		if (!before.counted)
			holders[i].certainty = HOLDER_LIKELY;
		else if (!room)
			holders[i].certainty = HOLDER_EXCLUDED;
		else if (room >= rivals(holders, nr, HOLDER_CLAIM_ADDRESS,
					holders[i].takes))
			holders[i].certainty = HOLDER_CERTAIN;
		else
			holders[i].certainty = HOLDER_LIKELY;
		consume(left, holders[i].takes);
	}
}

/* Those of a claim that only says that they could be it. */
static void candidates(struct holder *holders, size_t nr,
		       enum holder_claim claim, const struct left *all,
		       const struct left *left, bool stronger)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		struct holder *h = &holders[i];

		if (h->claim != claim)
			continue;
		h->certainty = HOLDER_POSSIBLE;
		if (!all->counted)
			continue;
		if (!fitting(all, h->takes))
			h->certainty = HOLDER_EXCLUDED;
		else if (fitting(left, h->takes) && !stronger &&
			 rivals(holders, nr, claim, h->takes) == 1)
			h->certainty = HOLDER_LIKELY;
	}
}

static int order(const void *a, const void *b)
{
	const struct holder *x = a, *y = b;

	if (x->certainty != y->certainty)
		return x->certainty < y->certainty ? -1 : 1;
	if (x->claim != y->claim)
		return x->claim < y->claim ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->fd != y->fd)
		return x->fd < y->fd ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

void holders_judge(struct holder *holders, size_t nr, const struct account *a)
{
	struct left left = {
		.counted = a->state != ACCOUNT_UNKNOWN,
		.pins = a->pins,
		/* Whether a batch has it cannot be seen. */
		.refs = a->rest + a->batch,
	};
	const struct left all = left;
	bool sized;

	frames(holders, nr, &left);
	addresses(holders, nr, &left);
	sized = rivals(holders, nr, HOLDER_CLAIM_SIZE, HOLDER_TAKES_PIN) > 0;
	candidates(holders, nr, HOLDER_CLAIM_SIZE, &all, &left, false);
	/* Of two that could have a pin, one with memory that fits is nearer. */
	candidates(holders, nr, HOLDER_CLAIM_KIND, &all, &left,
		   sized && !left.refs);
	if (nr)
		qsort(holders, nr, sizeof(*holders), order);
}
