// SPDX-License-Identifier: GPL-2.0
/* Decides what a call that takes pages met, from measured facts alone. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "verdict.h"

static bool present(const struct pinprobe_page *page)
{
	return page->state == PINPROBE_STATE_PRESENT;
}

/*
 * A small folio has no count of its pins: 1024 references stand for one. Its
 * mappings are references too, so that they have to be taken off.
 */
#define PIN_REFS	1024

static bool pinned(const struct pinprobe_page *page)
{
	return page->pins &&
	       (page->order || page->refs - page->refs_expected >= PIN_REFS);
}

static bool held(const struct pinprobe_page *page)
{
	return pinned(page) || page->refs > page->refs_expected;
}

static bool seen(const struct pinprobe_page *page)
{
	return present(page) && !(page->flags & PINPROBE_PAGE_RACY);
}

static uint64_t folio_of(const struct pinprobe_page *page)
{
	return page->pfn >> page->order;
}

/* Whether @page is in the folio of the record before it. */
static bool same_folio(const struct pinprobe_page *pages, size_t i)
{
	return i && present(&pages[i - 1]) &&
	       pages[i - 1].order == pages[i].order &&
	       folio_of(&pages[i - 1]) == folio_of(&pages[i]);
}

const char *verdict_name(enum verdict_code code)
{
	static const char * const names[] = {
		[VERDICT_UNDECIDED] = "UNDECIDED",
		[VERDICT_OK] = "OK",
		[VERDICT_REFS] = "REFS",
		[VERDICT_TARGET] = "TARGET",
		[VERDICT_SPIN] = "SPIN",
		[VERDICT_PFNMAP] = "PFNMAP",
		[VERDICT_PERM] = "PERM",
		[VERDICT_LOCK] = "LOCK",
		[VERDICT_NOPIN] = "NOPIN",
		[VERDICT_NOT_MEMORY] = "NOT-MEMORY",
	};

	if (code >= sizeof(names) / sizeof(*names))
		return names[VERDICT_UNDECIDED];
	return names[code];
}

void verdict_count(const struct pinprobe_page *pages, size_t nr,
		   struct verdict_pages *count)
{
	size_t i;

	memset(count, 0, sizeof(*count));
	count->pages = nr;
	for (i = 0; i < nr; i++) {
		const struct pinprobe_page *page = &pages[i];

		if (page->state == PINPROBE_STATE_SPECIAL)
			count->special++;
		if (page->state == PINPROBE_STATE_UNMAPPED)
			count->unmapped++;
		/* GUP hands out the zero page without a pin: nothing to hold. */
		if (!seen(page))
			count->unseen++;
		else if (!pinned(page) && !(page->flags & PINPROBE_PAGE_ZERO))
			count->unpinned++;
		if (!present(page))
			continue;
		if (!page->unpinnable)
			continue;
		count->unpinnable++;
		if (!same_folio(pages, i))
			count->unpinnable_folios++;
	}
}

void verdict_compare(const struct pinprobe_page *before,
		     const struct pinprobe_page *after, size_t nr,
		     struct verdict_change *change)
{
	bool stuck, was_stuck = false, in_tried = false;
	size_t tried = nr, i;

	memset(change, 0, sizeof(*change));
	for (i = 0; i < nr; i++, was_stuck = stuck) {
		stuck = false;
		if (!present(&before[i]) || !present(&after[i]))
			continue;
		if (before[i].pfn != after[i].pfn) {
			change->moved++;
			continue;
		}
		change->stayed++;
		stuck = before[i].unpinnable && after[i].unpinnable;
		if (!stuck)
			continue;
		if (!change->stuck_pages++)
			tried = (i / VERDICT_BATCH + 1) * VERDICT_BATCH;
		/* A folio that begins in the batch is tried as a whole. */
		in_tried = i < tried || (in_tried && same_folio(after, i));
		if (in_tried && held(&after[i]))
			change->held_pages++;
		if (was_stuck && same_folio(after, i))
			continue;
		change->stuck_folios++;
		if (i >= tried)
			continue;
		if (pinned(&after[i]))
			change->stuck_pinned++;
		else if (held(&after[i]))
			change->stuck_referenced++;
	}
}

__printf(3, 4)
static void say(struct verdict *verdict, enum verdict_code code,
		const char *format, ...)
{
	va_list args;

	verdict->code = code;
	va_start(args, format);
	vsnprintf(verdict->text, sizeof(verdict->text), format, args);
	va_end(args);
}

static const char *plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

static bool over_memlock(const struct verdict_memlock *memlock)
{
	return memlock->measured && !memlock->exempt &&
	       memlock->limit != UINT64_MAX &&
	       (memlock->wanted > memlock->limit ||
		memlock->used > memlock->limit - memlock->wanted);
}

static void rule_out_lock(const struct verdict_memlock *memlock,
			  struct verdict *verdict)
{
	if (!memlock->measured || over_memlock(memlock))
		return;
	if (memlock->exempt)
		snprintf(verdict->not_lock, sizeof(verdict->not_lock),
			 "CAP_IPC_LOCK: no limit applies");
	else if (memlock->limit == UINT64_MAX)
		snprintf(verdict->not_lock, sizeof(verdict->not_lock),
			 "limit unlimited");
	else
		snprintf(verdict->not_lock, sizeof(verdict->not_lock),
			 "%" PRIu64 " + %" PRIu64 " of %" PRIu64 " kB",
			 memlock->used >> 10, memlock->wanted >> 10,
			 memlock->limit >> 10);
}

/* It is where it may stay, and was not before: whose doing is that. */
static void decide_moved(const struct verdict_facts *facts,
			 struct verdict *verdict)
{
	uint64_t had_to = facts->before.unpinnable;

	if (facts->migrate_measured && facts->migrate.succeeded < had_to)
		say(verdict, VERDICT_OK, "this call moved %" PRIu64 " of %"
		    PRIu64 " page%s that had to move, others the rest",
		    (uint64_t)facts->migrate.succeeded, had_to, plural(had_to));
	else if (facts->with_holder == ENOMEM)
		say(verdict, VERDICT_OK, "the holder was the cause");
	else
		say(verdict, VERDICT_OK, "moved out, then pinned");
}

static void decide_success(const struct verdict_facts *facts,
			   struct verdict *verdict)
{
	uint64_t left = facts->after.unpinnable, unseen = facts->after.unseen;

	if (facts->refs_measured && facts->after.unpinned)
		say(verdict, VERDICT_NOPIN, "%" PRIu64 " of %" PRIu64
		    " page%s not pinned", facts->after.unpinned,
		    facts->after.pages, plural(facts->after.pages));
	else if (unseen)
		say(verdict, VERDICT_UNDECIDED, "succeeded, yet no page was seen at %"
		    PRIu64 " of %" PRIu64 " addresses", unseen,
		    facts->after.pages);
	else if (left)
		say(verdict, VERDICT_UNDECIDED, "succeeded, yet %" PRIu64
		    " page%s stayed where a long-term pin must not", left,
		    plural(left));
	else if (facts->before.unpinnable)
		decide_moved(facts, verdict);
	else if (facts->moved_earlier)
		say(verdict, VERDICT_OK,
		    "an earlier pin had moved it out, nothing to move");
	else
		say(verdict, VERDICT_OK, "nothing to move");
}

/*
 * The kernel counts pages that failed. Where all folios that had to move are of
 * one size, that is a number of folios too.
 */
static uint64_t failed_folios(const struct verdict_facts *facts)
{
	uint64_t folios = facts->before.unpinnable_folios;
	uint64_t failed = facts->last_failed;
	uint64_t size;

	if (!folios || facts->before.unpinnable % folios)
		return 0;
	size = facts->before.unpinnable / folios;
	return failed % size ? 0 : failed / size;
}

static void decide_stuck(const struct verdict_facts *facts,
			 struct verdict *verdict)
{
	uint64_t pinned = facts->change.stuck_pinned;
	uint64_t referenced = facts->change.stuck_referenced;
	uint64_t failed = failed_folios(facts);
	uint64_t all = facts->before.unpinnable_folios;
	const char *unit = "folio";
	char holder[96];

	if (!failed) {
		failed = facts->last_failed;
		all = facts->before.unpinnable;
		unit = "page";
	}
	if (pinned && referenced)
		snprintf(holder, sizeof(holder), "%" PRIu64
			 " by a FOLL_PIN, %" PRIu64 " by a plain reference",
			 pinned, referenced);
	else
		snprintf(holder, sizeof(holder), "by a %s",
			 pinned ? "FOLL_PIN" : "plain reference");
	say(verdict, VERDICT_REFS, "held %s, %" PRIu64 " of %" PRIu64
	    " %s%s failed to migrate", holder, failed, all, unit, plural(all));
}

static void decide_enomem(const struct verdict_facts *facts,
			  struct verdict *verdict)
{
	const struct verdict_change *change = &facts->change;
	bool refused = facts->migrate_measured && facts->last_failed;

	if (facts->migrate_measured && !facts->migrate.calls &&
	    over_memlock(&facts->memlock))
		say(verdict, VERDICT_LOCK, "%" PRIu64 " kB charged + %" PRIu64
		    " kB wanted > RLIMIT_MEMLOCK %" PRIu64
		    " kB, nothing was migrated", facts->memlock.used >> 10,
		    facts->memlock.wanted >> 10, facts->memlock.limit >> 10);
	else if (refused && facts->refs_measured && change->held_pages &&
		 facts->last_failed <= change->held_pages)
		decide_stuck(facts, verdict);
	else if (refused && facts->refs_measured && change->stuck_folios &&
		 facts->pool_only && facts->pool_free < change->stuck_folios)
		say(verdict, VERDICT_TARGET, "%" PRIu64
		    " gigantic page%s had to move, %" PRIu64
		    " free in the pool", change->stuck_folios,
		    plural(change->stuck_folios), facts->pool_free);
	else if (refused && facts->refs_measured && change->stuck_folios &&
		 facts->pinnable_free < facts->memlock.wanted)
		say(verdict, VERDICT_TARGET, "%" PRIu64
		    " folio%s had to move, %" PRIu64
		    " kB of pinnable memory free",
		    change->stuck_folios, plural(change->stuck_folios),
		    facts->pinnable_free >> 10);
	else if (refused)
		say(verdict, VERDICT_UNDECIDED, "%" PRIu64
		    " page%s failed to migrate, %" PRIu64 " seen held",
		    facts->last_failed, plural(facts->last_failed),
		    facts->refs_measured ? change->held_pages : 0);
	else
		say(verdict, VERDICT_UNDECIDED, "no failed migration seen");
}

static void decide_efault(const struct verdict_facts *facts,
			  struct verdict *verdict)
{
	uint64_t special = facts->before.special;
	bool denied = facts->write && facts->denied != UINT64_MAX &&
		      facts->denied;

	if (!!special + !!facts->before.unmapped + denied > 1)
		say(verdict, VERDICT_UNDECIDED,
		    "EFAULT, more than one cause seen");
	else if (special)
		say(verdict, VERDICT_PFNMAP, "%" PRIu64
		    " page%s of a VM_IO or VM_PFNMAP mapping or without a normal page",
		    special, plural(special));
	else if (denied)
		say(verdict, VERDICT_PERM, "write access asked for, %" PRIu64
		    " page%s in a mapping without it", facts->denied,
		    plural(facts->denied));
	else
		say(verdict, VERDICT_UNDECIDED, "EFAULT, cause not seen");
}

/*
 * A wait for something else is no loop, and many batches are none either: pages
 * were migrated more often than there are any, or the time went on a CPU.
 */
static void decide_timeout(const struct verdict_facts *facts,
			   struct verdict *verdict)
{
	uint64_t tried = facts->migrate.succeeded + facts->migrate.failed;
	uint64_t stuck = facts->change.stuck_folios;
	bool again = facts->migrate_measured && facts->migrate.calls > 1 &&
		     tried > facts->before.unpinnable;
	bool busy = facts->spent_us && facts->cpu_us > facts->spent_us / 2;

	if (again || (facts->migrate_measured && !facts->migrate.calls &&
		      stuck && busy))
		say(verdict, VERDICT_SPIN, "%" PRIu64
		    " migrate_pages() calls, %" PRIu64
		    " folio%s still had to move at the deadline",
		    (uint64_t)facts->migrate.calls, stuck, plural(stuck));
	else
		say(verdict, VERDICT_UNDECIDED,
		    "no answer by the deadline, no retry seen");
}

void verdict_decide(const struct verdict_facts *facts, struct verdict *verdict)
{
	memset(verdict, 0, sizeof(*verdict));
	rule_out_lock(&facts->memlock, verdict);
	switch (facts->error) {
	case 0:
		decide_success(facts, verdict);
		break;
	case ENOMEM:
		decide_enomem(facts, verdict);
		break;
	case EPERM:
		if (over_memlock(&facts->memlock) && !facts->memlock.limit)
			say(verdict, VERDICT_LOCK, "RLIMIT_MEMLOCK is 0");
		else
			say(verdict, VERDICT_UNDECIDED, "not permitted");
		break;
	case EFAULT:
		decide_efault(facts, verdict);
		break;
	case ETIMEDOUT:
		decide_timeout(facts, verdict);
		break;
	case EINVAL:
	case EBADF:
	case ENOENT:
		if (facts->migrate_measured && !facts->migrate.calls) {
			say(verdict, VERDICT_NOT_MEMORY,
			    "refused for its arguments: %s",
			    strerror(facts->error));
			break;
		}
		/* fallthrough */
	default:
		say(verdict, VERDICT_UNDECIDED, "%s", strerror(facts->error));
	}
}
