// SPDX-License-Identifier: GPL-2.0
/* The verdict where the mapping's kind decides, from facts made up for it. */
#include <errno.h>
#include "unit.h"
#include "../selftests/lib/verdict.h"

static struct verdict judge(const struct verdict_facts *facts)
{
	struct verdict verdict;

	verdict_decide(facts, &verdict);
	return verdict;
}

#define CHECK_CODE(facts, code_)					\
	CHECK_STRING(verdict_name(judge(&(facts)).code), code_)

/* A write to pages of a file through a shared mapping, refused. */
static struct verdict_facts refused_file(void)
{
	return (struct verdict_facts){
		.error = EFAULT,
		.write = true,
		.migrate_measured = true,
		.mapping = {
			.measured = true,
			.shared = true,
			.writable = true,
			.file = VERDICT_FILE_DISK,
		},
	};
}

TEST(verdict_file)
{
	struct verdict_facts facts = refused_file();
	struct verdict verdict = judge(&facts);

	CHECK_STRING(verdict_name(verdict.code), "FILE");
	CHECK_STRING(verdict.text,
		     "a shared, writable mapping of a file that is written back");
}

/* Each of what makes it one is needed. */
TEST(verdict_file_needs_all)
{
	struct verdict_facts facts = refused_file();

	facts.mapping.file = VERDICT_FILE_MEMORY;
	CHECK_CODE(facts, "UNDECIDED");
	facts = refused_file();
	facts.mapping.shared = false;
	CHECK_CODE(facts, "UNDECIDED");
	facts = refused_file();
	facts.mapping.writable = false;
	CHECK_CODE(facts, "UNDECIDED");
	facts = refused_file();
	facts.write = false;
	CHECK_CODE(facts, "UNDECIDED");
	facts = refused_file();
	facts.shortterm = true;
	CHECK_CODE(facts, "UNDECIDED");
	facts = refused_file();
	facts.mapping.measured = false;
	CHECK_CODE(facts, "UNDECIDED");
	facts = refused_file();
	facts.error = ENOMEM;
	CHECK_CODE(facts, "UNDECIDED");
}

/* Before v6.5 the call gets as far as the end of the file. */
TEST(verdict_file_is_not_touched)
{
	struct verdict_facts facts = refused_file();

	facts.change.opened = 1;
	CHECK_CODE(facts, "UNDECIDED");
	facts.mapping.beyond = 8;
	CHECK_CODE(facts, "SIGBUS");
	facts.change.opened = 0;
	facts.change.moved = 1;
	CHECK_CODE(facts, "SIGBUS");
	facts.change.moved = 0;
	facts.migrate.calls = 1;
	CHECK_CODE(facts, "SIGBUS");
	facts.migrate_measured = false;
	CHECK_CODE(facts, "FILE");
}

/* Both as they were, and one that was opened for writing where it lies. */
TEST(verdict_opened)
{
	struct pinprobe_page before[2] = {
		{ .state = PINPROBE_STATE_PRESENT, .pfn = 1 },
		{ .state = PINPROBE_STATE_PRESENT, .pfn = 2,
		  .flags = PINPROBE_PAGE_WRITE },
	};
	struct pinprobe_page after[2] = { before[0], before[1] };
	struct verdict_change change;

	verdict_compare(before, after, 2, &change);
	CHECK_NUMBER(change.opened, 0);
	after[0].flags = PINPROBE_PAGE_WRITE;
	after[1].flags = 0;
	verdict_compare(before, after, 2, &change);
	CHECK_NUMBER(change.opened, 1);
	CHECK_NUMBER(change.stayed, 2);
}

/* Some map what has no page; one that was seen is another matter. */
TEST(verdict_no_page_to_pin)
{
	struct verdict_facts facts = {
		.refs_measured = true,
		.migrate_measured = true,
		.mapping = { .measured = true, .io = true, .shared = true },
		.after = { .pages = 2, .unseen = 2 },
	};

	CHECK_CODE(facts, "NOPIN");
	facts.after.unseen = 1;
	CHECK_CODE(facts, "UNDECIDED");
	facts.after.unseen = 2;
	facts.mapping.io = false;
	CHECK_CODE(facts, "UNDECIDED");
}

TEST(verdict_dax)
{
	struct verdict_facts facts = refused_file();

	facts.error = EOPNOTSUPP;
	/* No page was tried: what was asked for is not supported. */
	CHECK_CODE(facts, "NOT-MEMORY");
	facts.migrate.calls = 1;
	CHECK_CODE(facts, "UNDECIDED");
	facts.mapping.file = VERDICT_FILE_DAX;
	CHECK_CODE(facts, "DAX");
	facts.mapping.measured = false;
	CHECK_CODE(facts, "UNDECIDED");
}

TEST(verdict_secret)
{
	struct verdict_facts facts = refused_file();

	facts.mapping.file = VERDICT_FILE_SECRET;
	CHECK_CODE(facts, "SECRET");
	/* For a short pin too, and to read. */
	facts.shortterm = true;
	facts.write = false;
	CHECK_CODE(facts, "SECRET");
}

/* Of pages behind the end the kernel learns when it faults them in: last. */
TEST(verdict_sigbus)
{
	struct verdict_facts facts = refused_file();
	struct verdict verdict;

	facts.mapping.beyond = 8;
	CHECK_CODE(facts, "FILE");
	facts.mapping.file = VERDICT_FILE_MEMORY;
	verdict = judge(&facts);
	CHECK_STRING(verdict_name(verdict.code), "SIGBUS");
	CHECK_STRING(verdict.text, "8 pages behind the end of the file");
	facts.denied = 16;
	CHECK_CODE(facts, "PERM");
	facts.write = false;
	CHECK_CODE(facts, "SIGBUS");
	facts.mapping.beyond = 0;
	CHECK_CODE(facts, "UNDECIDED");
}

/* The kernel does not get to ask whether it could be written to. */
TEST(verdict_pfnmap_comes_first)
{
	struct verdict_facts facts = refused_file();
	struct verdict verdict;

	facts.mapping.io = true;
	facts.mapping.file = VERDICT_FILE_SECRET;
	facts.before.special = 1;
	facts.denied = 1;
	verdict = judge(&facts);
	CHECK_STRING(verdict_name(verdict.code), "PFNMAP");
	CHECK_STRING(verdict.text, "a VM_IO or VM_PFNMAP mapping");
}

/* Pages that came with no migration are copies only where they can be. */
TEST(verdict_copied)
{
	struct verdict_facts facts = {
		.migrate_measured = true,
		.before = { .pages = 2 },
		.after = { .pages = 2 },
		.change = { .moved = 2 },
		.mapping = { .measured = true, .file = VERDICT_FILE_DISK },
	};
	const char *copied = "the mapping got 2 pages of its own, none was moved";
	struct verdict verdict = judge(&facts);

	CHECK_STRING(verdict_name(verdict.code), "OK");
	CHECK_STRING(verdict.text, copied);
	facts.before.unpinnable = 2;
	verdict = judge(&facts);
	CHECK_STRING(verdict.text, copied);
	facts.mapping.shared = true;
	verdict = judge(&facts);
	CHECK_STRING(verdict.text,
		     "this call moved 0 of 2 pages that had to move, others the rest");
	facts.mapping.shared = false;
	facts.migrate.calls = 1;
	facts.migrate.succeeded = 2;
	verdict = judge(&facts);
	CHECK_STRING(verdict.text, "moved out, then pinned");
}

/* A pool that has none left, and lets none come. */
TEST(verdict_sigbus_hugetlb)
{
	struct verdict_facts facts = {
		.error = EFAULT,
		.migrate_measured = true,
		.after = { .pages = 512, .unseen = 512 },
		.mapping = {
			.measured = true,
			.writable = true,
			.file = VERDICT_FILE_MEMORY,
			.hugetlb = 2UL << 20,
		},
	};
	struct verdict verdict = judge(&facts);

	CHECK_STRING(verdict_name(verdict.code), "SIGBUS");
	CHECK_STRING(verdict.text,
		     "no hugetlb page of 2048 kB is left in the pool, none may come");
	facts.pool_reach = 1;
	CHECK_CODE(facts, "UNDECIDED");
	facts.pool_reach = 0;
	facts.after.unseen = 0;
	CHECK_CODE(facts, "UNDECIDED");
	facts.after.unseen = 512;
	facts.mapping.hugetlb = 0;
	CHECK_CODE(facts, "UNDECIDED");
}

/* Device memory that sysfs maps: refused as such, or before that as a file. */
TEST(verdict_p2p)
{
	struct verdict_facts facts = refused_file();

	facts.mapping.file = VERDICT_FILE_SYSFS;
	CHECK_CODE(facts, "FILE");
	facts.shortterm = true;
	CHECK_CODE(facts, "UNDECIDED");
	facts.shortterm = false;
	facts.error = EREMOTEIO;
	CHECK_CODE(facts, "P2P");
	facts.mapping.file = VERDICT_FILE_DEVICE;
	CHECK_CODE(facts, "UNDECIDED");
	facts.mapping.file = VERDICT_FILE_SYSFS;
	facts.mapping.measured = false;
	CHECK_CODE(facts, "UNDECIDED");
}
