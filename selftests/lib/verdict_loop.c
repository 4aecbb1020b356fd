// SPDX-License-Identifier: GPL-2.0
/* A call that did not come back: what the kernel does again and again. */
#include <inttypes.h>
#include "verdict.h"
#include "verdict_say.h"

/*
 * A mapping is split once and no more. One that is split more often than there
 * are pages was made huge again each time, by the fault that was to unshare it.
 */
static bool splits_again(const struct verdict_facts *facts)
{
	const struct verdict_work *work = &facts->work;

	return work->measured && work->thp_splits > facts->before.pages &&
	       work->faults > facts->before.pages &&
	       facts->migrate_measured && !facts->migrate.calls;
}

/* More attempts than pages: at least one of them failed and was tried again. */
static bool migrates_again(const struct verdict_facts *facts)
{
	uint64_t tried = facts->migrate.succeeded + facts->migrate.failed;

	return facts->migrate_measured && facts->migrate.calls > 1 &&
	       tried > facts->before.unpinnable;
}

/*
 * On a CPU all the time, with a page that has to move, and moving none, or none
 * but others: it is on no list.
 */
static bool collects_again(const struct verdict_facts *facts)
{
	bool others = !facts->migrate.failed && facts->after.off_list;

	return facts->migrate_measured && (!facts->migrate.calls || others) &&
	       facts->change.stuck_folios && facts->spent_us &&
	       facts->cpu_us > facts->spent_us / 2;
}

/* Whose place is wanted is migrated by whoever wants it, again and again. */
static bool evicts_again(const struct verdict_facts *facts)
{
	return facts->place && facts->work.measured &&
	       facts->work.migrate_failed > facts->before.pages;
}

/* Asleep, with a page that has to move and is being written back. */
static bool waits_for_writeback(const struct verdict_facts *facts)
{
	return facts->after.written && facts->spent_us &&
	       facts->cpu_us < facts->spent_us / 2;
}

/* A wait for something else is no loop, and many batches are none either. */
void verdict_loop(const struct verdict_facts *facts, struct verdict *verdict)
{
	uint64_t stuck = facts->change.stuck_folios;

	if (splits_again(facts))
		say(verdict, VERDICT_SPIN, "unshare loop: huge mapping split %"
		    PRIu64 " times and mapped huge again, %" PRIu64
		    " faults; MADV_NOHUGEPAGE, MAP_SHARED or write access avoid it",
		    facts->work.thp_splits, facts->work.faults);
	else if (evicts_again(facts))
		say(verdict, VERDICT_SPIN, "eviction loop: %" PRIu64
		    " migrations failed, the page is still there",
		    facts->work.migrate_failed);
	else if (migrates_again(facts))
		say(verdict, VERDICT_SPIN, "migration loop: %" PRIu64
		    " migrate_pages() calls, %" PRIu64
		    " folio%s still had to move at the deadline",
		    (uint64_t)facts->migrate.calls, stuck, plural(stuck));
	else if (collects_again(facts))
		say(verdict, VERDICT_SPIN, "collect loop: %" PRIu64
		    " folio%s had to move, none could be isolated, %"
		    PRIu64 " migrate_pages() call%s",
		    stuck, plural(stuck), (uint64_t)facts->migrate.calls,
		    plural(facts->migrate.calls));
	else if (waits_for_writeback(facts))
		say(verdict, VERDICT_WAIT, "asleep until %" PRIu64
		    " page%s that had to move %s written back%s",
		    facts->after.written, plural(facts->after.written),
		    facts->after.written == 1 ? "is" : "are",
		    facts->unkillable ? "; SIGKILL does not end it" : "");
	else
		say(verdict, VERDICT_UNDECIDED,
		    "no answer by the deadline, no retry seen");
}
