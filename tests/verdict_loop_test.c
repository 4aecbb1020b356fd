// SPDX-License-Identifier: GPL-2.0
/* The verdict on calls that do not return, and on those that want the place. */
#include <errno.h>
#include "verdict_facts.h"

/* A wait is no retry, and many batches are none. */
TEST(verdict_timeout)
{
	struct pinprobe_page pages[2] = { cma_page(PFN), cma_page(PFN + 1) };
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.spent_us = 1000000;
	facts.cpu_us = 1000;
	verdict = judge(ETIMEDOUT, pages, pages, 2, &facts);
	CHECK_VERDICT(verdict, "UNDECIDED",
		      "no answer by the deadline, no retry seen");
	facts.cpu_us = 900000;
	verdict = judge(ETIMEDOUT, pages, pages, 2, &facts);
	CHECK_VERDICT(verdict, "SPIN",
		      "collect loop: 2 folios had to move, none could be isolated, 0 migrate_pages() calls");
	facts.migrate.calls = 2;
	facts.migrate.succeeded = 2;
	verdict = judge(ETIMEDOUT, pages, pages, 2, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	facts.migrate.calls = 1000;
	facts.migrate.succeeded = 1000;
	verdict = judge(ETIMEDOUT, pages, pages, 2, &facts);
	CHECK_VERDICT(verdict, "SPIN",
		      "migration loop: 1000 migrate_pages() calls, 2 folios still had to move at the deadline");
}

/* Others moved, one is on no list: the first batch of an area cannot tell. */
TEST(verdict_collect_loop_behind_others)
{
	struct pinprobe_page before[2] = { cma_page(PFN), cma_page(PFN + 1) };
	struct pinprobe_page after[2] = { moved_page(0x2738, 0),
					  cma_page(PFN + 1) };
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.spent_us = 1000000;
	facts.cpu_us = 900000;
	facts.migrate.calls = 1;
	facts.migrate.succeeded = 1;
	verdict = judge(ETIMEDOUT, before, after, 2, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	after[1].flags &= ~PINPROBE_PAGE_LRU;
	verdict = judge(ETIMEDOUT, before, after, 2, &facts);
	CHECK_VERDICT(verdict, "SPIN",
		      "collect loop: 1 folio had to move, none could be isolated, 1 migrate_pages() call");
	/* Hugetlb pages never are on one. */
	after[1].flags |= PINPROBE_PAGE_HUGETLB;
	verdict = judge(ETIMEDOUT, before, after, 2, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	after[1].flags &= ~PINPROBE_PAGE_HUGETLB;
	facts.migrate.failed = 1;
	verdict = judge(ETIMEDOUT, before, after, 2, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	facts.migrate.failed = 0;
	facts.cpu_us = 1000;
	verdict = judge(ETIMEDOUT, before, after, 2, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
}

/* Only who sleeps waits, and only for what has to move. */
TEST(verdict_wait_for_writeback)
{
	struct pinprobe_page page = cma_page(PFN);
	struct verdict_facts facts = root;
	struct verdict verdict;

	page.flags |= PINPROBE_PAGE_WRITEBACK;
	facts.spent_us = 2000000;
	facts.cpu_us = 1000;
	verdict = judge(ETIMEDOUT, &page, &page, 1, &facts);
	CHECK_VERDICT(verdict, "WAIT",
		      "asleep until 1 page that had to move is written back");
	facts.unkillable = true;
	verdict = judge(ETIMEDOUT, &page, &page, 1, &facts);
	CHECK_VERDICT(verdict, "WAIT",
		      "asleep until 1 page that had to move is written back; SIGKILL does not end it");
	facts.cpu_us = 1900000;
	verdict = judge(ETIMEDOUT, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "SPIN");
	facts.cpu_us = 1000;
	page.unpinnable = 0;
	verdict = judge(ETIMEDOUT, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
}

/* A huge mapping is split once, unless something makes it huge again. */
TEST(verdict_unshare_loop)
{
	struct pinprobe_page pages[2] = { cma_page(PFN), cma_page(PFN + 1) };
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.spent_us = 1000000;
	facts.cpu_us = 900000;
	facts.work.measured = true;
	facts.work.thp_splits = 20000;
	facts.work.faults = 20001;
	verdict = judge(ETIMEDOUT, pages, pages, 2, &facts);
	CHECK_VERDICT(verdict, "SPIN",
		      "unshare loop: huge mapping split 20000 times and mapped huge again, 20001 faults; MADV_NOHUGEPAGE, MAP_SHARED or write access avoid it");
	/* Others split too, and then this task does not fault. */
	facts.work.faults = 2;
	verdict = judge(ETIMEDOUT, pages, pages, 2, &facts);
	CHECK_VERDICT(verdict, "SPIN",
		      "collect loop: 2 folios had to move, none could be isolated, 0 migrate_pages() calls");
	facts.work.faults = 20001;
	facts.work.thp_splits = 2;
	facts.cpu_us = 0;
	verdict = judge(ETIMEDOUT, pages, pages, 2, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	facts.work.thp_splits = 20000;
	facts.work.measured = false;
	verdict = judge(ETIMEDOUT, pages, pages, 2, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
}

/* Migrations of another than a long-term pin's reason: only the sum is known. */
TEST(verdict_eviction_loop)
{
	struct pinprobe_page pages[2] = { cma_page(PFN), pinned_page(PFN + 1) };
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.place = true;
	facts.shortterm = true;
	facts.work.measured = true;
	facts.work.migrate_failed = 3;
	verdict = judge(ETIMEDOUT, pages, pages, 2, &facts);
	CHECK_VERDICT(verdict, "SPIN",
		      "eviction loop: 3 migrations failed, the page is still there");
	facts.work.migrate_failed = 2;
	verdict = judge(ETIMEDOUT, pages, pages, 2, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	facts.work.migrate_failed = 3;
	facts.place = false;
	verdict = judge(ETIMEDOUT, pages, pages, 2, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
}

TEST(verdict_references)
{
	struct pinprobe_page free[2] = { cma_page(PFN), cma_page(PFN + 1) };
	struct pinprobe_page after[2] = { cma_page(PFN), cma_page(PFN + 1) };
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.shortterm = true;
	facts.reference = true;
	after[0].refs = after[1].refs = 2;
	verdict = judge(0, free, after, 2, &facts);
	CHECK_VERDICT(verdict, "OK", "held by references, no pins");
	after[1].refs = 1;
	verdict = judge(0, free, after, 2, &facts);
	CHECK_VERDICT(verdict, "UNDECIDED",
		      "succeeded, yet 1 of 2 pages not held");
	after[1] = pinned_page(PFN + 1);
	verdict = judge(0, free, after, 2, &facts);
	CHECK_VERDICT(verdict, "UNDECIDED",
		      "pinned, though only references were asked for");
	/* Whoever asks for pins is not content with references. */
	facts.reference = false;
	after[0].refs = 2;
	verdict = judge(0, free, after, 2, &facts);
	CHECK_VERDICT(verdict, "NOPIN", "1 of 2 pages not pinned");
}

/* Nothing is said of references to pages that nobody looked at, or counted. */
TEST(verdict_references_not_seen)
{
	struct pinprobe_page pages[2] = { cma_page(PFN), cma_page(PFN + 1) };
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.shortterm = true;
	facts.reference = true;
	pages[0].refs = 2;
	pages[1].state = PINPROBE_STATE_NOREAD;
	verdict = judge(0, pages, pages, 2, &facts);
	CHECK_VERDICT(verdict, "UNDECIDED",
		      "succeeded, yet no page was seen at 1 of 2 addresses");
	pages[1] = cma_page(PFN + 1);
	verdict_count(pages, 2, &facts.before);
	verdict_count(pages, 2, &facts.after);
	verdict_decide(&facts, &verdict);
	CHECK_VERDICT(verdict, "OK", "held where it lies");
}

/* Memory that must stay movable is no place that a short-term pin has to leave. */
TEST(verdict_shortterm)
{
	struct pinprobe_page before = cma_page(PFN), after = pinned_page(PFN);
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.shortterm = true;
	verdict = judge(0, &before, &after, 1, &facts);
	CHECK_VERDICT(verdict, "OK", "held where it lies");
	facts.shortterm = false;
	verdict = judge(0, &before, &after, 1, &facts);
	CHECK_VERDICT(verdict, "UNDECIDED",
		      "succeeded, yet 1 page stayed where a long-term pin must not");
}

TEST(verdict_place)
{
	struct pinprobe_page before[2] = { cma_page(PFN), pinned_page(PFN + 1) };
	struct pinprobe_page after[2] = { moved_page(0x2738, 0),
					  pinned_page(PFN + 1) };
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.shortterm = true;
	facts.place = true;
	verdict = judge(0, before, after, 2, &facts);
	CHECK_VERDICT(verdict, "OK", "1 of 2 pages went elsewhere");
}

TEST(verdict_place_held)
{
	struct pinprobe_page pages[2] = { cma_page(PFN), pinned_page(PFN + 1) };
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.shortterm = true;
	facts.place = true;
	facts.work.measured = true;
	facts.work.migrate_failed = 1;
	verdict = judge(EBUSY, pages, pages, 2, &facts);
	CHECK_VERDICT(verdict, "REFS", "held by a FOLL_PIN, 1 migration failed");
	pages[1] = cma_page(PFN + 1);
	verdict = judge(EBUSY, pages, pages, 2, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	pages[1].refs = 2;
	verdict = judge(EBUSY, pages, pages, 2, &facts);
	CHECK_VERDICT(verdict, "REFS",
		      "held by a plain reference, 1 migration failed");
	/* Nobody came to try it. */
	facts.work.migrate_failed = 0;
	pages[1].flags &= ~PINPROBE_PAGE_ANON;
	verdict = judge(EBUSY, pages, pages, 2, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	facts.work.migrate_failed = 1;
	facts.work.measured = false;
	verdict = judge(EBUSY, pages, pages, 2, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	facts.work.measured = true;
	facts.place = false;
	verdict = judge(EBUSY, pages, pages, 2, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
}

/* Who wants the full count turns a short one into a bad address. */
TEST(verdict_short_count)
{
	struct pinprobe_page pages[2] = { moved_page(0x2738, 0),
					  pinned_page(PFN) };
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.migrate.calls = 1;
	facts.migrate.failed = 1;
	facts.last_failed = 1;
	verdict = judge(EFAULT, pages, pages, 2, &facts);
	CHECK_VERDICT(verdict, "REFS",
		      "held by a FOLL_PIN, 1 of 1 folio failed to migrate");
	pages[1] = cma_page(PFN);
	verdict = judge(EFAULT, pages, pages, 2, &facts);
	CHECK_VERDICT(verdict, "UNDECIDED", "EFAULT, cause not seen");
}

/* The limit may be looked at when the pages are there, and have moved. */
TEST(verdict_lock_late)
{
	struct pinprobe_page before = cma_page(PFN);
	struct pinprobe_page after = moved_page(0x2738, 0);
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.memlock.exempt = false;
	facts.memlock.limit = 2048;
	facts.migrate.calls = 1;
	facts.migrate.succeeded = 1;
	verdict = judge(ENOMEM, &before, &after, 1, &facts);
	CHECK_VERDICT(verdict, "LOCK",
		      "0 kB charged + 4 kB wanted > RLIMIT_MEMLOCK 2 kB, 1 page migrated before");
	verdict = judge(ENOBUFS, &before, &after, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "LOCK");
	facts.memlock.limit = 65536;
	verdict = judge(ENOBUFS, &before, &after, 1, &facts);
	CHECK_VERDICT(verdict, "UNDECIDED", "no buffers");
	/* A limit that is no 0 is told by another errno. */
	facts.memlock.limit = 2048;
	verdict = judge(EPERM, &before, &after, 1, &facts);
	CHECK_VERDICT(verdict, "UNDECIDED", "not permitted");
}

/* No page was tried, since the table of them would be larger than memory. */
TEST(verdict_table)
{
	struct pinprobe_page page = cma_page(PFN);
	struct verdict_facts facts = root;
	struct verdict verdict;

	facts.table.wanted = 2048ULL << 20;
	facts.table.memory = 1024ULL << 20;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_VERDICT(verdict, "KALLOC",
		      "a pointer for each page is 2097152 kB, and all memory 1048576 kB");
	facts.migrate.calls = 1;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	facts.migrate.calls = 0;
	facts.table.wanted = facts.table.memory;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_VERDICT(verdict, "UNDECIDED", "no failed migration seen");
	facts.table.wanted++;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "KALLOC");
	facts.table.memory = 0;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	/* What is told by a limit is no matter of the table. */
	facts.table.memory = 1;
	facts.memlock.exempt = false;
	facts.memlock.limit = 2048;
	verdict = judge(ENOMEM, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "LOCK");
}

TEST(verdict_other_errno)
{
	struct pinprobe_page page = cma_page(PFN);
	struct verdict_facts facts = root;
	struct verdict verdict;

	verdict = judge(EINVAL, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "NOT-MEMORY");
	verdict = judge(EOPNOTSUPP, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "NOT-MEMORY");
	verdict = judge(EIO, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
	facts.migrate.calls = 1000;
	verdict = judge(EINVAL, &page, &page, 1, &facts);
	CHECK_STRING(verdict_name(verdict.code), "UNDECIDED");
}
