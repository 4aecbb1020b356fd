// SPDX-License-Identifier: GPL-2.0
/* The verdict, from facts made up for the purpose. */
#include <errno.h>
#include "../selftests/lib/verdict.c"
#include "../selftests/lib/verdict_count.c"
#include "../selftests/lib/verdict_loop.c"
#include "verdict_facts.h"

TEST(verdict_moved_then_pinned)
{
	struct pinprobe_page before = cma_page(PFN);
	struct pinprobe_page after = moved_page(0x2738, 1);
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.migrate.calls = 1;
	facts.migrate.succeeded = 1;
	verdict = judge(0, &before, &after, 1, &facts);
	CHECK_VERDICT(verdict, "OK", "moved out, then pinned");
	CHECK_STRING(verdict.not_lock, "CAP_IPC_LOCK: no limit applies");
}

TEST(verdict_held_by_pin)
{
	struct pinprobe_page page = pinned_page(PFN);
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.migrate.calls = 1;
	facts.migrate.failed = 1;
	facts.last_failed = 1;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_VERDICT(verdict, "REFS",
		      "held by a FOLL_PIN, 1 of 1 folio failed to migrate");
}

TEST(verdict_held_by_reference)
{
	struct pinprobe_page page = cma_page(PFN);
	struct verdict_facts facts = root;
	struct verdict verdict;

	page.refs = 2;
	facts.migrate.calls = 1;
	facts.migrate.failed = 1;
	facts.last_failed = 1;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_VERDICT(verdict, "REFS",
		      "held by a plain reference, 1 of 1 folio failed to migrate");
}

/* It failed as a whole, and only two of its pages were looked at. */
TEST(verdict_held_in_part)
{
	struct pinprobe_page pages[2] = {
		pinned_page(PFN + 16), pinned_page(PFN + 17),
	};
	struct verdict_facts facts = root;
	struct verdict verdict;

	pages[0].refs = pages[1].refs = 2;
	pages[0].order = pages[1].order = 5;
	facts.migrate.calls = 1;
	facts.migrate.failed = 32;
	facts.last_failed = 32;
	verdict = judge(ENOMEM, pages, pages, 2, &facts);
	CHECK_VERDICT(verdict, "REFS",
		      "held by a FOLL_PIN, 1 of 1 folio failed to migrate");
	facts.last_failed = 33;
	verdict = judge(ENOMEM, pages, pages, 2, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
}

/* Two holders give two names. */
TEST(verdict_held_by_both)
{
	struct pinprobe_page before[3] = {
		cma_page(PFN), pinned_page(PFN + 1), cma_page(PFN + 2),
	};
	struct pinprobe_page after[3];
	struct verdict_facts facts = root;
	struct verdict verdict;

	before[2].refs = 2;
	memcpy(after, before, sizeof(after));
	after[0] = moved_page(0x2738, 0);
	facts.migrate.calls = 1;
	facts.migrate.succeeded = 1;
	facts.migrate.failed = 2;
	facts.last_failed = 2;
	verdict = judge(ENOMEM, before, after, 3, &facts);
	CHECK_VERDICT(verdict, "REFS",
		      "held 1 by a FOLL_PIN, 1 by a plain reference, 2 of 3 folios failed to migrate");
}

/* A page that was never tried is no failure, though it stayed too. */
TEST(verdict_counts_failures_of_the_kernel)
{
	struct pinprobe_page before[4] = {
		cma_page(PFN), pinned_page(PFN + 1), cma_page(PFN + 2),
		cma_page(PFN + 3),
	};
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.migrate.calls = 1;
	facts.migrate.failed = 1;
	facts.last_failed = 1;
	verdict = judge(ENOMEM, before, before, 4, &facts);
	CHECK_VERDICT(verdict, "REFS",
		      "held by a FOLL_PIN, 1 of 4 folios failed to migrate");
	/* Nor is a page two failures that failed twice. */
	facts.migrate.calls = 2;
	facts.migrate.failed = 2;
	verdict = judge(ENOMEM, before, before, 4, &facts);
	CHECK_VERDICT(verdict, "REFS",
		      "held by a FOLL_PIN, 1 of 4 folios failed to migrate");
}

/* A pin on any page of a folio is a pin on the folio, counted once. */
TEST(verdict_counts_folios)
{
	struct pinprobe_page pages[512];
	struct verdict_facts facts = root;
	struct verdict_pages count;
	struct verdict verdict;
	size_t i;

	for (i = 0; i < 512; i++) {
		pages[i] = cma_page(PFN + 0x100 + i);
		pages[i].order = 9;
		pages[i].pins = 1;
		pages[i].refs = 2;
	}
	verdict_count(pages, 512, &count);
	CHECK_NUMBER(count.unpinnable, 512);
	CHECK_NUMBER(count.unpinnable_folios, 1);
	facts.migrate.calls = 1;
	facts.migrate.failed = 512;
	facts.last_failed = 512;
	facts.migrate.thp_failed = 1;
	verdict = judge(ENOMEM, pages, pages, 512, &facts);
	CHECK_VERDICT(verdict, "REFS",
		      "held by a FOLL_PIN, 1 of 1 folio failed to migrate");
}

TEST(verdict_holder_was_the_cause)
{
	struct pinprobe_page before = cma_page(PFN);
	struct pinprobe_page after = moved_page(0x2738, 1);
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.with_holder = ENOMEM;
	facts.migrate.calls = 1;
	facts.migrate.succeeded = 1;
	verdict = judge(0, &before, &after, 1, &facts);
	CHECK_VERDICT(verdict, "OK", "the holder was the cause");
}

TEST(verdict_moved_by_earlier_pin)
{
	struct pinprobe_page before = moved_page(0x2738, 1);
	struct pinprobe_page after = moved_page(0x2738, 2);
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.moved_earlier = 1;
	verdict = judge(0, &before, &after, 1, &facts);
	CHECK_VERDICT(verdict, "OK",
		      "an earlier pin had moved it out, nothing to move");
	verdict = judge(0, &before, &after, 1, &root);
	CHECK_VERDICT(verdict, "OK", "nothing to move");
}

TEST(verdict_memlock_is_not_refs)
{
	struct pinprobe_page page = pinned_page(PFN);
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.memlock.exempt = false;
	facts.memlock.limit = 65536;
	facts.memlock.used = 61440;
	facts.memlock.wanted = 8192;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_VERDICT(verdict, "LOCK",
		      "60 kB charged + 8 kB wanted > RLIMIT_MEMLOCK 64 kB, nothing was migrated");
	CHECK_STRING(verdict.not_lock, "");

	/* Over the limit, yet the kernel got as far as migrating: not that. */
	facts.migrate.calls = 1;
	facts.migrate.failed = 1;
	facts.last_failed = 1;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "REFS");
}

TEST(verdict_memlock_edge)
{
	struct pinprobe_page page = pinned_page(PFN);
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.memlock.exempt = false;
	facts.memlock.limit = 65536;
	facts.memlock.used = 61440;
	facts.memlock.wanted = 4096;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	CHECK_STRING(verdict.not_lock, "60 + 4 of 64 kB");
	facts.memlock.wanted = UINT64_MAX;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "LOCK");
	facts.memlock.limit = UINT64_MAX;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	CHECK_STRING(verdict.not_lock, "limit unlimited");
	facts.memlock.limit = 0;
	verdict = judge(EPERM, &page, &page, 1, &facts);
	CHECK_VERDICT(verdict, "LOCK", "RLIMIT_MEMLOCK is 0");
	facts.memlock.exempt = true;
	verdict = judge(EPERM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
}

TEST(verdict_needs_what_it_says)
{
	struct pinprobe_page page = cma_page(PFN);
	struct verdict_facts facts = root;
	struct verdict verdict;

	/* Failed to migrate, nobody holds it, and memory is not known. */
	facts.migrate.calls = 1;
	facts.migrate.failed = 1;
	facts.last_failed = 1;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	facts.pinnable_free = 0;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_VERDICT(verdict, "TARGET",
		      "1 folio had to move, 0 kB of pinnable memory free");
	/* Held and short of memory: the holder is seen, so it is named. */
	page.refs = 2;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "REFS");
	/* No failed migration, so the holder is innocent. */
	facts.migrate.failed = 0;
	facts.last_failed = 0;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
}

/* A test may ask again: but for every other reason it may not. */
TEST(verdict_in_passing)
{
	struct pinprobe_page page = cma_page(PFN);
	struct verdict_facts facts = root, other;

	facts.error = ENOMEM;
	facts.refs_measured = true;
	facts.migrate_measured = true;
	facts.last_failed = 1;
	facts.pinnable_free = 4096;
	verdict_compare(&page, &page, 1, &facts.change);
	CHECK(verdict_passing(&facts));
	other = facts;
	other.error = 0;
	CHECK(!verdict_passing(&other));
	other = facts;
	other.refs_measured = false;
	CHECK(!verdict_passing(&other));
	other = facts;
	other.last_failed = 0;
	CHECK(!verdict_passing(&other));
	/* Perhaps there was no memory for it. */
	other = facts;
	other.pinnable_free = 4095;
	CHECK(!verdict_passing(&other));
	other.pinnable_free = UINT64_MAX;
	CHECK(!verdict_passing(&other));
	page.refs = 2;
	verdict_compare(&page, &page, 1, &facts.change);
	CHECK(!verdict_passing(&facts));
}

/* Where none can be had, nobody came to ask who holds the page. */
TEST(verdict_no_target_allowed)
{
	struct pinprobe_page page = cma_page(PFN);
	struct verdict_facts facts = root;
	struct verdict verdict;

	page.refs = 2;
	facts.migrate.calls = 1;
	facts.migrate.failed = 1;
	facts.last_failed = 1;
	facts.barred = true;
	facts.pinnable_free = 0;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_VERDICT(verdict, "TARGET",
		      "1 folio had to move, no pinnable memory on the nodes that the cpuset allows");
	/* Some is left there: the holder it is. */
	facts.pinnable_free = 4096;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "REFS");
	/* Nothing failed to move. */
	facts.pinnable_free = 0;
	facts.last_failed = 0;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
}

/* Nobody tries to move an anonymous page that is held; a file's page is tried. */
TEST(verdict_passed_over)
{
	struct pinprobe_page page = cma_page(PFN);
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.place = true;
	facts.work.measured = true;
	page.refs = 2;
	page.flags |= PINPROBE_PAGE_ANON;
	verdict = judge(EBUSY, &page, &page, 1, &facts);
	CHECK_VERDICT(verdict, "REFS",
		      "held by a plain reference, an anonymous page that is passed over");
	page.flags &= ~PINPROBE_PAGE_ANON;
	verdict = judge(EBUSY, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	page.flags |= PINPROBE_PAGE_ANON;
	page.refs = 1;
	verdict = judge(EBUSY, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
}

/* A hugetlb page is made anew on its own node or not at all. */
TEST(verdict_no_home)
{
	struct pinprobe_page page = cma_page(PFN);
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.migrate.calls = 1;
	facts.migrate.failed = 1;
	facts.last_failed = 1;
	facts.home_only = true;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_VERDICT(verdict, "TARGET",
		      "1 hugetlb page had to move, none free in the pool, no pinnable memory on the node");
	facts.pool_free = 1;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	facts.pool_free = 0;
	facts.home_free = 4096;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	facts.home_free = 0;
	page.refs = 2;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "REFS");
}

/* A gigantic page moves to one of the pool or not at all, whatever is free. */
TEST(verdict_gigantic_target)
{
	struct pinprobe_page page = cma_page(PFN);
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.migrate.calls = 1;
	facts.migrate.failed = 1;
	facts.last_failed = 1;
	facts.pool_only = true;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_VERDICT(verdict, "TARGET",
		      "1 gigantic page had to move, 0 free in the pool");
	/* There was one, so that is not it. */
	facts.pool_free = 1;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	facts.pool_free = 0;
	page.refs = 2;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "REFS");
	/* A page that is no gigantic one does not care for the pool. */
	page.refs = 1;
	facts.pool_only = false;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
}

TEST(verdict_success_that_is_none)
{
	struct pinprobe_page before = cma_page(PFN);
	struct pinprobe_page after = moved_page(0x2738, 0);
	struct verdict verdict = judge(0, &before, &after, 1, &root);

	CHECK_VERDICT(verdict, "NOPIN", "1 of 1 page not pinned");
	after = pinned_page(PFN);
	verdict = judge(0, &before, &after, 1, &root);
	CHECK_VERDICT(verdict, "UNDECIDED",
		      "succeeded, yet 1 page stayed where a long-term pin must not");
	after = moved_page(0x2738, 0);
	after.flags |= PINPROBE_PAGE_ZERO;
	verdict = judge(0, &before, &after, 1, &root);
	CHECK_STRING(verdict_name(verdict.code), "OK");
}

TEST(verdict_efault)
{
	struct pinprobe_page page = moved_page(PFN, 0);
	struct verdict_facts facts = root;
	struct verdict verdict;

	verdict = judge(EFAULT, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	/* A page of a file that was only read so far, and may be written. */
	page.flags &= ~PINPROBE_PAGE_WRITE;
	verdict = judge(EFAULT, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	facts.denied = 0;
	verdict = judge(EFAULT, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	facts.denied = 1;
	verdict = judge(EFAULT, &page, &page, 1, &facts);
	CHECK_VERDICT(verdict, "PERM",
		      "write access asked for, 1 page in a mapping without it");
	page.state = PINPROBE_STATE_SPECIAL;
	verdict = judge(EFAULT, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	facts.denied = 0;
	verdict = judge(EFAULT, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "PFNMAP");
}

/* Of a hole and a device mapping, either is reason enough. */
TEST(verdict_efault_two_causes)
{
	struct pinprobe_page pages[2] = { cma_page(PFN), cma_page(PFN + 1) };
	struct verdict verdict;

	pages[0].state = PINPROBE_STATE_UNMAPPED;
	pages[1].state = PINPROBE_STATE_SPECIAL;
	verdict = judge(EFAULT, pages, pages, 2, &root);
	CHECK_VERDICT(verdict, "UNDECIDED",
		      "EFAULT, more than one cause seen");
}

/* 1024 mappings of a page are as many references as one pin. */
TEST(verdict_mappings_are_no_pin)
{
	struct pinprobe_page page = cma_page(PFN);
	struct pinprobe_page after = moved_page(0x2738, 0);
	struct verdict_facts facts = root;
	struct verdict verdict;

	page.mapcount = 1024;
	page.refs = 1024;
	page.refs_expected = 1024;
	page.pins = 1;
	facts.migrate.calls = 1;
	facts.migrate.failed = 1;
	facts.last_failed = 1;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_VERDICT(verdict, "UNDECIDED",
		      "1 page failed to migrate, 0 seen held");
	page.refs++;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_VERDICT(verdict, "REFS",
		      "held by a plain reference, 1 of 1 folio failed to migrate");

	after.mapcount = 1024;
	after.refs = 1024;
	after.refs_expected = 1024;
	after.pins = 1;
	verdict = judge(0, &page, &after, 1, &root);
	CHECK_STRING(verdict_name(verdict.code), "NOPIN");
}

/* The pin gave up on a batch for want of memory; a page behind it is held. */
TEST(verdict_holder_of_a_page_not_tried)
{
	struct pinprobe_page pages[VERDICT_BATCH + 2];
	struct verdict_facts facts = root;
	struct verdict verdict;
	size_t i;

	for (i = 0; i < VERDICT_BATCH + 2; i++)
		pages[i] = cma_page(PFN + i);
	pages[VERDICT_BATCH + 1] = pinned_page(PFN + i - 1);
	facts.migrate.calls = 1;
	facts.migrate.failed = 1;
	facts.last_failed = 1;
	verdict = judge(ENOMEM, pages, pages, VERDICT_BATCH + 2, &facts);
	CHECK_VERDICT(verdict, "UNDECIDED",
		      "1 page failed to migrate, 0 seen held");
	/* In the same batch, but more failed than anybody holds. */
	pages[1] = pinned_page(PFN + 1);
	facts.migrate.failed = 2;
	facts.last_failed = 2;
	verdict = judge(ENOMEM, pages, pages, VERDICT_BATCH + 2, &facts);
	CHECK_VERDICT(verdict, "UNDECIDED",
		      "2 pages failed to migrate, 1 seen held");
	facts.last_failed = 1;
	verdict = judge(ENOMEM, pages, pages, VERDICT_BATCH + 2, &facts);
	CHECK_STRING(verdict_name(verdict.code), "REFS");
	/* Who holds it in another way was not in the way. */
	pages[VERDICT_BATCH + 1] = cma_page(PFN + VERDICT_BATCH + 1);
	pages[VERDICT_BATCH + 1].refs++;
	verdict = judge(ENOMEM, pages, pages, VERDICT_BATCH + 2, &facts);
	CHECK_VERDICT(verdict, "REFS",
		      "held by a FOLL_PIN, 1 of 514 folios failed to migrate");
}

/* One folio of several batches is tried as a whole, and fails as a whole. */
TEST(verdict_held_folio_of_many_batches)
{
	struct pinprobe_page pages[4 * VERDICT_BATCH];
	size_t nr = 4 * VERDICT_BATCH, i;
	struct verdict_facts facts = root;
	struct verdict verdict;

	for (i = 0; i < nr; i++) {
		pages[i] = pinned_page((1 << 20) + i);
		pages[i].order = 11;
	}
	facts.migrate.calls = 1;
	facts.migrate.failed = nr;
	facts.last_failed = nr;
	verdict = judge(ENOMEM, pages, pages, nr, &facts);
	CHECK_VERDICT(verdict, "REFS",
		      "held by a FOLL_PIN, 1 of 1 folio failed to migrate");
}

/* Somebody else moved them, or put other pages there. */
TEST(verdict_moved_by_others)
{
	struct pinprobe_page before[2] = { cma_page(PFN), cma_page(PFN + 1) };
	struct pinprobe_page after[2] = {
		moved_page(0x2738, 1), moved_page(0x2739, 1),
	};
	struct verdict_facts facts = root;
	struct verdict verdict;

	verdict = judge(0, before, after, 2, &facts);
	CHECK_VERDICT(verdict, "OK",
		      "this call moved 0 of 2 pages that had to move, others the rest");
	facts.migrate.calls = 1;
	facts.migrate.succeeded = 1;
	facts.with_holder = ENOMEM;
	verdict = judge(0, before, after, 2, &facts);
	CHECK_VERDICT(verdict, "OK",
		      "this call moved 1 of 2 pages that had to move, others the rest");
}

/* Nothing is said of pages that nobody looked at. */
TEST(verdict_success_not_seen)
{
	static const __u8 states[] = {
		PINPROBE_STATE_ABSENT, PINPROBE_STATE_NOREAD,
		PINPROBE_STATE_UNMAPPED, PINPROBE_STATE_OFFLINE,
	};
	struct pinprobe_page before = moved_page(PFN, 0);
	struct pinprobe_page after = moved_page(PFN, 0);
	struct verdict verdict;
	size_t i;

	for (i = 0; i < sizeof(states); i++) {
		after.state = states[i];
		verdict = judge(0, &before, &after, 1, &root);
		CHECK_VERDICT(verdict, "UNDECIDED",
			      "succeeded, yet no page was seen at 1 of 1 addresses");
	}
	after.state = PINPROBE_STATE_PRESENT;
	after.flags |= PINPROBE_PAGE_RACY;
	verdict = judge(0, &before, &after, 1, &root);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
}
