// SPDX-License-Identifier: GPL-2.0
/* Decides what a call that takes pages met, from measured facts alone. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "verdict.h"
#include "verdict_say.h"

const char *verdict_name(enum verdict_code code)
{
	static const char * const names[] = {
		[VERDICT_UNDECIDED] = "UNDECIDED",
		[VERDICT_OK] = "OK",
		[VERDICT_REFS] = "REFS",
		[VERDICT_TARGET] = "TARGET",
		[VERDICT_SPIN] = "SPIN",
		[VERDICT_WAIT] = "WAIT",
		[VERDICT_FILE] = "FILE",
		[VERDICT_DAX] = "DAX",
		[VERDICT_PFNMAP] = "PFNMAP",
		[VERDICT_SECRET] = "SECRET",
		[VERDICT_P2P] = "P2P",
		[VERDICT_PERM] = "PERM",
		[VERDICT_SIGBUS] = "SIGBUS",
		[VERDICT_LOCK] = "LOCK",
		[VERDICT_NOPIN] = "NOPIN",
		[VERDICT_KALLOC] = "KALLOC",
		[VERDICT_NOT_MEMORY] = "NOT-MEMORY",
	};

	if (code >= sizeof(names) / sizeof(*names))
		return names[VERDICT_UNDECIDED];
	return names[code];
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

/* A private mapping that has other pages now, and the kernel moved none. */
static bool copied(const struct verdict_facts *facts)
{
	return facts->change.moved && facts->migrate_measured &&
	       !facts->migrate.calls && facts->mapping.measured &&
	       !facts->mapping.shared;
}

/* It is where it may stay, and was not before: whose doing is that. */
static void decide_moved(const struct verdict_facts *facts,
			 struct verdict *verdict)
{
	uint64_t had_to = facts->before.unpinnable;

	if (copied(facts))
		say(verdict, VERDICT_OK,
		    "the mapping got %" PRIu64 " page%s of its own, none was moved",
		    facts->change.moved, plural(facts->change.moved));
	else if (facts->migrate_measured && facts->migrate.succeeded < had_to)
		say(verdict, VERDICT_OK, "this call moved %" PRIu64 " of %"
		    PRIu64 " page%s that had to move, others the rest",
		    (uint64_t)facts->migrate.succeeded, had_to, plural(had_to));
	else if (facts->with_holder == ENOMEM)
		say(verdict, VERDICT_OK, "the holder was the cause");
	else
		say(verdict, VERDICT_OK, "moved out, then pinned");
}

/* It asked for references: no page may be without, and none pinned by it. */
static void decide_references(const struct verdict_facts *facts,
			      struct verdict *verdict)
{
	const struct verdict_pages *after = &facts->after;
	uint64_t free = after->unpinned - after->referenced;

	if (free)
		say(verdict, VERDICT_UNDECIDED, "succeeded, yet %" PRIu64
		    " of %" PRIu64 " page%s not held", free, after->pages,
		    plural(after->pages));
	else if (after->unpinned != facts->before.unpinned)
		say(verdict, VERDICT_UNDECIDED,
		    "pinned, though only references were asked for");
	else
		say(verdict, VERDICT_OK, "held by references, no pins");
}

static void decide_place(const struct verdict_facts *facts,
			 struct verdict *verdict)
{
	const struct verdict_change *change = &facts->change;

	say(verdict, VERDICT_OK, "%" PRIu64 " of %" PRIu64
	    " page%s went elsewhere", change->moved,
	    change->moved + change->stayed,
	    plural(change->moved + change->stayed));
}

static void decide_success(const struct verdict_facts *facts,
			   struct verdict *verdict)
{
	uint64_t left = facts->shortterm ? 0 : facts->after.unpinnable;
	uint64_t unseen = facts->after.unseen;

	if (facts->place)
		decide_place(facts, verdict);
	else if (facts->refs_measured && facts->reference && !unseen)
		decide_references(facts, verdict);
	else if (facts->refs_measured && !facts->reference &&
		 facts->after.unpinned)
		say(verdict, VERDICT_NOPIN, "%" PRIu64 " of %" PRIu64
		    " page%s not pinned", facts->after.unpinned,
		    facts->after.pages, plural(facts->after.pages));
	else if (facts->refs_measured && facts->mapping.measured &&
		 facts->mapping.io && unseen == facts->after.pages)
		say(verdict, VERDICT_NOPIN,
		    "a VM_IO or VM_PFNMAP mapping: no page that could be pinned");
	else if (unseen)
		say(verdict, VERDICT_UNDECIDED, "succeeded, yet no page was seen at %"
		    PRIu64 " of %" PRIu64 " addresses", unseen,
		    facts->after.pages);
	else if (left)
		say(verdict, VERDICT_UNDECIDED, "succeeded, yet %" PRIu64
		    " page%s stayed where a long-term pin must not", left,
		    plural(left));
	else if (facts->shortterm)
		say(verdict, VERDICT_OK, "held where it lies");
	else if (facts->before.unpinnable || copied(facts))
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
	/* Of folios that were not seen as a whole more fails than was seen. */
	if (failed > facts->before.unpinnable)
		return facts->change.stuck_folios;
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

static bool refused(const struct verdict_facts *facts)
{
	return facts->migrate_measured && facts->last_failed;
}

static bool refused_held(const struct verdict_facts *facts)
{
	return refused(facts) && facts->refs_measured &&
	       facts->change.held_pages &&
	       facts->last_failed <= facts->change.held_pages;
}

/* Some charge first, some when they have the pages, which have moved then. */
static void decide_lock(const struct verdict_facts *facts,
			struct verdict *verdict)
{
	const struct verdict_memlock *memlock = &facts->memlock;
	char moved[48] = "nothing was migrated";

	if (facts->migrate.calls)
		snprintf(moved, sizeof(moved), "%" PRIu64 " page%s migrated before",
			 (uint64_t)facts->migrate.succeeded,
			 plural(facts->migrate.succeeded));
	say(verdict, VERDICT_LOCK, "%" PRIu64 " kB charged + %" PRIu64
	    " kB wanted > RLIMIT_MEMLOCK %" PRIu64 " kB, %s",
	    memlock->used >> 10, memlock->wanted >> 10, memlock->limit >> 10,
	    moved);
}

/* No allocation of the kernel's is larger than memory, and no page was tried. */
static bool beyond_any_table(const struct verdict_facts *facts)
{
	return facts->table.memory &&
	       facts->table.wanted > facts->table.memory &&
	       facts->migrate_measured && !facts->migrate.calls;
}

/*
 * No memory at all: a target is asked for before anybody's reference can be in the
 * way.
 */
static bool no_target_allowed(const struct verdict_facts *facts)
{
	return refused(facts) && facts->refs_measured && facts->barred &&
	       !facts->pinnable_free && facts->change.stuck_folios;
}

static void decide_enomem(const struct verdict_facts *facts,
			  struct verdict *verdict)
{
	const struct verdict_change *change = &facts->change;
	bool failed = refused(facts);

	if (facts->migrate_measured && !facts->migrate.failed &&
	    over_memlock(&facts->memlock))
		decide_lock(facts, verdict);
	else if (no_target_allowed(facts))
		say(verdict, VERDICT_TARGET, "%" PRIu64
		    " folio%s had to move, no pinnable memory on the nodes that the cpuset allows",
		    change->stuck_folios, plural(change->stuck_folios));
	else if (refused_held(facts))
		decide_stuck(facts, verdict);
	else if (failed && facts->refs_measured && change->stuck_folios &&
		 facts->home_only && !facts->home_free && !facts->pool_free)
		say(verdict, VERDICT_TARGET, "%" PRIu64
		    " hugetlb page%s had to move, none free in the pool, no pinnable memory on the node",
		    change->stuck_folios, plural(change->stuck_folios));
	else if (failed && facts->refs_measured && change->stuck_folios &&
		 facts->pool_only && facts->pool_free < change->stuck_folios)
		say(verdict, VERDICT_TARGET, "%" PRIu64
		    " gigantic page%s had to move, %" PRIu64
		    " free in the pool", change->stuck_folios,
		    plural(change->stuck_folios), facts->pool_free);
	else if (failed && facts->refs_measured && change->stuck_folios &&
		 facts->pinnable_free < facts->memlock.wanted)
		say(verdict, VERDICT_TARGET, "%" PRIu64
		    " folio%s had to move, %" PRIu64
		    " kB of pinnable memory free",
		    change->stuck_folios, plural(change->stuck_folios),
		    facts->pinnable_free >> 10);
	else if (failed)
		say(verdict, VERDICT_UNDECIDED, "%" PRIu64
		    " page%s failed to migrate, %" PRIu64 " seen held",
		    facts->last_failed, plural(facts->last_failed),
		    facts->refs_measured ? change->held_pages : 0);
	else if (beyond_any_table(facts))
		say(verdict, VERDICT_KALLOC, "a pointer for each page is %"
		    PRIu64 " kB, and all memory %" PRIu64 " kB",
		    facts->table.wanted >> 10, facts->table.memory >> 10);
	else
		say(verdict, VERDICT_UNDECIDED, "no failed migration seen");
}

static bool write_denied(const struct verdict_facts *facts)
{
	return facts->write && facts->denied != UINT64_MAX && facts->denied;
}

static void say_denied(const struct verdict_facts *facts,
		       struct verdict *verdict)
{
	say(verdict, VERDICT_PERM, "write access asked for, %" PRIu64
	    " page%s in a mapping without it", facts->denied,
	    plural(facts->denied));
}

/* What is refused for its mapping is refused before any page is touched. */
static bool touched(const struct verdict_facts *facts)
{
	return facts->change.opened || facts->change.moved ||
	       (facts->migrate_measured && facts->migrate.calls);
}

static bool written_back(const struct verdict_mapping *mapping)
{
	return mapping->shared && mapping->writable &&
	       (mapping->file == VERDICT_FILE_DISK ||
		mapping->file == VERDICT_FILE_SYSFS);
}

/*
 * Where one mapping covers it all, the first of these that holds is what the
 * kernel found: in the order of its check_vma_flags(), and a fault comes last.
 */
static bool decide_mapping(const struct verdict_facts *facts,
			   struct verdict *verdict)
{
	const struct verdict_mapping *mapping = &facts->mapping;

	if (!mapping->measured)
		return false;
	if (mapping->io)
		say(verdict, VERDICT_PFNMAP, "a VM_IO or VM_PFNMAP mapping");
	else if (mapping->file == VERDICT_FILE_SECRET)
		say(verdict, VERDICT_SECRET, "memfd_secret(), which nobody may pin");
	else if (facts->write && !facts->shortterm && written_back(mapping) &&
		 !touched(facts))
		say(verdict, VERDICT_FILE,
		    "a shared, writable mapping of a file that is written back");
	else if (write_denied(facts))
		say_denied(facts, verdict);
	else if (mapping->beyond)
		say(verdict, VERDICT_SIGBUS, "%" PRIu64
		    " page%s behind the end of the file", mapping->beyond,
		    plural(mapping->beyond));
	else if (mapping->hugetlb && !facts->pool_reach &&
		 facts->after.unseen)
		say(verdict, VERDICT_SIGBUS, "no hugetlb page of %" PRIu64
		    " kB is left in the pool, none may come",
		    mapping->hugetlb >> 10);
	else
		return false;
	return true;
}

static void decide_efault(const struct verdict_facts *facts,
			  struct verdict *verdict)
{
	uint64_t special = facts->before.special;
	bool denied = write_denied(facts);

	if (decide_mapping(facts, verdict))
		return;
	if (!!special + !!facts->before.unmapped + denied > 1)
		say(verdict, VERDICT_UNDECIDED,
		    "EFAULT, more than one cause seen");
	else if (special)
		say(verdict, VERDICT_PFNMAP, "%" PRIu64
		    " page%s of a VM_IO or VM_PFNMAP mapping or without a normal page",
		    special, plural(special));
	else if (denied)
		say_denied(facts, verdict);
	else if (refused_held(facts))
		/* Who demands the full count makes that of a short one. */
		decide_stuck(facts, verdict);
	else
		say(verdict, VERDICT_UNDECIDED, "EFAULT, cause not seen");
}

/* Whose place was wanted did not go. */
static void decide_ebusy(const struct verdict_facts *facts,
			 struct verdict *verdict)
{
	const struct verdict_pages *after = &facts->after;
	uint64_t pins = after->pages - after->unseen - after->unpinned;
	bool failed = facts->place && facts->work.measured &&
		      facts->work.migrate_failed;

	if (failed && facts->refs_measured && pins + after->referenced)
		say(verdict, VERDICT_REFS, "held by a %s, %" PRIu64
		    " migration%s failed", pins ? "FOLL_PIN" : "plain reference",
		    facts->work.migrate_failed,
		    plural(facts->work.migrate_failed));
	else if (facts->place && facts->work.measured && !facts->work.migrate_failed &&
		 facts->refs_measured && after->held_anon)
		/* Who clears a range does not try those, and finds it not cleared. */
		say(verdict, VERDICT_REFS,
		    "held by a %s, an anonymous page that is passed over",
		    pins ? "FOLL_PIN" : "plain reference");
	else
		say(verdict, VERDICT_UNDECIDED,
		    "busy, no failed migration of a held page seen");
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
		verdict_loop(facts, verdict);
		break;
	case EBUSY:
		decide_ebusy(facts, verdict);
		break;
	case ENOBUFS:
		if (over_memlock(&facts->memlock))
			decide_lock(facts, verdict);
		else
			say(verdict, VERDICT_UNDECIDED, "no buffers");
		break;
	case EREMOTEIO:
		if (facts->mapping.measured &&
		    facts->mapping.file == VERDICT_FILE_SYSFS)
			say(verdict, VERDICT_P2P,
			    "memory of a PCI device, only for who can do DMA to it");
		else
			say(verdict, VERDICT_UNDECIDED, "remote I/O error");
		break;
	case EOPNOTSUPP:
		if (facts->mapping.measured &&
		    facts->mapping.file == VERDICT_FILE_DAX) {
			say(verdict, VERDICT_DAX,
			    "a file whose pages are the storage (fsdax)");
			break;
		}
		/* fallthrough */
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

bool verdict_passing(const struct verdict_facts *facts)
{
	return facts->error == ENOMEM && refused(facts) &&
	       facts->refs_measured && !facts->change.held_pages &&
	       facts->pinnable_free != UINT64_MAX &&
	       facts->pinnable_free >= facts->memlock.wanted;
}
