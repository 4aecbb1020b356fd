// SPDX-License-Identifier: GPL-2.0
/* The verdict on a call, from made-up records of it. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include "unit.h"
#include "../selftests/lib/verdict.h"
#include "../tools/explain_decide.c"
#include "../tools/explain_remedy.c"

static const struct trace_kernel kernel = {
	.foll_write = 1, .foll_pin = 0x200, .foll_longterm = 0x100,
	.pg_lru = 5, .pg_private = 14, .pg_swapcache = 10, .pg_swapbacked = 17,
	.pg_writeback = 1, .pg_head = 6, .migrate_cma = 4, .migrate_isolate = 5,
	.type_mask = 7, .isolate_bit = 0x10, .page_bytes = 4096,
};

/* A registration of 16 pages that got as far as GUP and failed there. */
static struct trace_record registration(int error)
{
	struct trace_record r = {
		.umem_addr = 0x7f0000000000, .umem_len = 65536,
		.addr = 0x7f0000000000, .pages = 16, .flags = 0x301,
		.api = TRACE_PIN_FAST, .memlock = UINT64_MAX, .measured = 1,
		.mapping = { .found = 1, .start = 0x7f0000000000,
			     .end = 0x7f0000010000,
			     .flags = VM_READ_ | VM_WRITE_ },
	};
	unsigned int i;

	for (i = TRACE_SYSCALL; i <= TRACE_UMEM; i++)
		r.step[i] = (struct trace_step){ .calls = 1, .ret = -error };
	r.step[TRACE_TAKE] = (struct trace_step){ .calls = 1, .ret = -error };
	return r;
}

static struct explain_facts facts_of(const struct trace_record *r)
{
	return (struct explain_facts){
		.record = r, .kernel = &kernel, .pinnable_free = UINT64_MAX,
	};
}

static struct explain_verdict decide(const struct explain_facts *facts)
{
	static struct explain_verdict v;

	explain_decide(facts, &v);
	return v;
}

static struct explain_facts stuck(struct trace_record *r, long extra, bool gone)
{
	struct explain_facts f;

	r->step[TRACE_MIGRATE] = (struct trace_step){ .calls = 1, .ret = 1 };
	r->moved = 15;
	r->stuck = r->last_stuck = 1;
	r->failed = 1;
	f = facts_of(r);
	f.pages = 1;
	f.page[0] = (struct explain_page){
		.extra = extra, .pinned = extra >= 1024, .gone = gone, .cma = true,
	};
	return f;
}

TEST(tools_explain_held_page)
{
	struct trace_record r = registration(ENOMEM);
	struct explain_facts f = stuck(&r, 1, false);
	struct explain_verdict v = decide(&f);

	CHECK_STRING(v.code, "REFS");
	CHECK_STRING(v.text, "held by a plain reference, 1 of 16 folios failed to migrate");
	CHECK_NUMBER(v.error, ENOMEM);
	CHECK_NUMBER(v.lasting, EXPLAIN_PERMANENT);
	CHECK_STRING(v.not_lock, "limit unlimited");
	CHECK(!v.blame_hidden);
	f = stuck(&r, 1024, true);
	f.hidden_cma = 1 << 30;
	v = decide(&f);
	CHECK_STRING(v.text, "held by a FOLL_PIN, 1 of 16 folios failed to migrate");
	CHECK_NUMBER(v.lasting, EXPLAIN_TRANSIENT);
	CHECK(v.blame_hidden);
}

/* The same errno, and nobody in the way. */
TEST(tools_explain_no_target_is_no_reference)
{
	struct trace_record r = registration(ENOMEM);
	struct explain_facts f = stuck(&r, 0, false);

	f.pinnable_free = 4096;
	CHECK_STRING(decide(&f).code, "TARGET");
	f.pinnable_free = 1 << 30;
	CHECK_STRING(decide(&f).code, "UNDECIDED");
}

/* Who was in the way was so for a moment: two that pin the same memory. */
TEST(tools_explain_let_go_before_it_was_seen)
{
	struct trace_record r = registration(ENOMEM);
	struct explain_facts f = stuck(&r, 0, true);
	struct explain_verdict v;

	CHECK_STRING(decide(&f).code, "UNDECIDED");
	f.page[0].look.have = TRACE_HAVE_PAGE;
	v = decide(&f);
	CHECK_STRING(v.code, "REFS");
	CHECK_STRING(v.text, "1 of 16 pages failed to migrate; of those seen, 1 had been let go when looked at");
	CHECK_NUMBER(v.lasting, EXPLAIN_TRANSIENT);
	/* Of two one is held still. */
	f.page[f.pages++] = (struct explain_page){
		.extra = 1, .look.have = TRACE_HAVE_PAGE,
	};
	r.stuck = r.last_stuck = 2;
	v = decide(&f);
	CHECK_STRING(v.code, "REFS");
	CHECK_NUMBER(v.lasting, EXPLAIN_PERMANENT);
	/* What did not move for another reason. */
	f.page[1].extra = 0;
	CHECK_STRING(decide(&f).code, "UNDECIDED");
	f.page[1].gone = true;
	CHECK_STRING(decide(&f).code, "REFS");
	f.page[1].look.order = 9;
	CHECK_STRING(decide(&f).code, "UNDECIDED");
	f.page[1].look.order = 0;
	snprintf(r.mapping.fs, sizeof(r.mapping.fs), "ext4");
	r.mapping.mode = S_IFREG;
	r.mapping.size = 65536;
	CHECK_STRING(decide(&f).code, "UNDECIDED");
	snprintf(r.mapping.fs, sizeof(r.mapping.fs), "tmpfs");
	CHECK_STRING(decide(&f).code, "REFS");
	f.pinnable_free = 4096;
	CHECK_STRING(decide(&f).code, "TARGET");
}

TEST(tools_explain_memlock_before_any_page)
{
	struct trace_record r = registration(ENOMEM);
	struct explain_facts f;

	r.step[TRACE_TAKE].calls = 0;
	r.memlock = 32768;
	f = facts_of(&r);
	CHECK_STRING(decide(&f).code, "LOCK");
	CHECK_NUMBER(decide(&f).lasting, EXPLAIN_PERMANENT);
	r.exempt = 1;
	CHECK_STRING(decide(&f).code, "KALLOC");
	r.exempt = 0;
	r.memlock = 65536;
	CHECK_STRING(decide(&f).code, "KALLOC");
	r.pinned_vm = 1;
	CHECK_STRING(decide(&f).code, "LOCK");
}

/* The same call on arm64: 64 KiB are one page, and each pinned one is as much. */
TEST(tools_explain_memlock_in_pages_of_64_kib)
{
	struct trace_record r = registration(ENOMEM);
	struct trace_kernel large = kernel;
	struct explain_facts f;

	large.page_bytes = 65536;
	r.step[TRACE_TAKE].calls = 0;
	r.memlock = 65536;
	f = facts_of(&r);
	f.kernel = &large;
	CHECK_STRING(decide(&f).code, "KALLOC");
	r.memlock = 65535;
	CHECK_STRING(decide(&f).text, "0 kB charged + 64 kB wanted > RLIMIT_MEMLOCK 63 kB, no page was tried");
	r.memlock = 131071;
	r.pinned_vm = 1;
	CHECK_STRING(decide(&f).code, "LOCK");
	r.umem_addr += 4096;
	r.pinned_vm = 0;
	CHECK_STRING(decide(&f).text, "0 kB charged + 128 kB wanted > RLIMIT_MEMLOCK 127 kB, no page was tried");
}

TEST(tools_explain_memlock_of_none)
{
	struct trace_record r = registration(EPERM);
	struct explain_facts f = facts_of(&r);

	r.step[TRACE_TAKE].calls = 0;
	r.memlock = 0;
	CHECK_STRING(decide(&f).code, "LOCK");
	r.memlock = 4096;
	CHECK_STRING(decide(&f).code, "NOT-MEMORY");
}

/* io_uring counts by user, and when it has the pages. */
TEST(tools_explain_memlock_behind_the_pin)
{
	struct trace_record r = registration(ENOMEM);
	struct explain_facts f = facts_of(&r);

	memset(r.step, 0, sizeof(r.step));
	r.umem_len = 0;
	r.step[TRACE_SYSCALL] = r.step[TRACE_IO_URING] =
		(struct trace_step){ .calls = 1, .ret = -ENOMEM };
	r.step[TRACE_TAKE] = (struct trace_step){ .calls = 1, .ret = 16 };
	r.taken = 16;
	r.memlock = 65536;
	r.user_locked = 1;
	CHECK_STRING(decide(&f).code, "LOCK");
	r.user_locked = 0;
	r.pinned_vm = 1;
	CHECK_STRING(decide(&f).code, "DEV");
}

TEST(tools_explain_device_refused_what_was_pinned)
{
	struct trace_record r = registration(ENOMEM);
	struct explain_facts f = facts_of(&r);
	struct explain_verdict v;

	r.step[TRACE_UMEM].ret = 0x7fff0000;
	r.step[TRACE_TAKE].ret = 16;
	r.taken = 16;
	v = decide(&f);
	CHECK_STRING(v.code, "DEV");
	CHECK_STRING(v.text, "the pin succeeded (16 pages); the RDMA driver refused afterwards: Cannot allocate memory");
	r.step[TRACE_TAKE].ret = 15;
	r.taken = 15;
	CHECK(strcmp(decide(&f).code, "DEV"));
}

TEST(tools_explain_mappings)
{
	struct trace_record r = registration(EFAULT);
	struct explain_facts f = facts_of(&r);

	r.mapping.flags = VM_READ_;
	CHECK_STRING(decide(&f).code, "PERM");
	r.mapping.flags = VM_READ_ | VM_WRITE_ | VM_IO_;
	CHECK_STRING(decide(&f).code, "PFNMAP");
	r.mapping.flags = VM_READ_ | VM_WRITE_;
	snprintf(r.mapping.fs, sizeof(r.mapping.fs), "secretmem");
	CHECK_STRING(decide(&f).code, "SECRET");
	snprintf(r.mapping.fs, sizeof(r.mapping.fs), "ext4");
	r.mapping.mode = S_IFREG;
	r.mapping.size = 1 << 20;
	CHECK_STRING(decide(&f).code, "UNDECIDED");
	r.mapping.flags |= VM_SHARED_;
	CHECK_STRING(decide(&f).code, "FILE");
	snprintf(r.mapping.fs, sizeof(r.mapping.fs), "tmpfs");
	CHECK_STRING(decide(&f).code, "UNDECIDED");
	r.mapping.size = 0;
	CHECK_STRING(decide(&f).code, "SIGBUS");
	r.mapping.found = 0;
	CHECK_STRING(decide(&f).code, "NOT-MEMORY");
	r.mapping.found = -1;
	CHECK_STRING(decide(&f).code, "UNDECIDED");
}

TEST(tools_explain_bad_arguments)
{
	struct trace_record r = registration(EINVAL);
	struct explain_facts f = facts_of(&r);

	r.step[TRACE_UMEM].calls = 0;
	r.step[TRACE_TAKE].calls = 0;
	CHECK_STRING(decide(&f).code, "NOT-MEMORY");
}

TEST(tools_explain_what_succeeded_is_not_told)
{
	struct trace_record r = registration(ENOMEM);

	CHECK(explain_failed(&r));
	r.step[TRACE_SYSCALL].ret = 0;
	CHECK(!explain_failed(&r));
}

TEST(tools_explain_hanging_calls)
{
	struct trace_record r = registration(0);
	struct explain_facts f = facts_of(&r);

	r.step[TRACE_TAKE] = (struct trace_step){ .entered = 1 };
	f.hanging = true;
	f.spent = f.cpu_ns = 5000000000ull;
	CHECK_STRING(decide(&f).code, "UNDECIDED");
	f.thp_splits = f.faults = 100;
	CHECK_STRING(decide(&f).code, "SPIN");
	f.thp_splits = 16;
	CHECK_STRING(decide(&f).code, "UNDECIDED");
	/* Asleep, and a page that must move is on its way to the disk. */
	f.thp_splits = 0;
	f.written = 1;
	f.cpu_ns = 1000;
	CHECK_STRING(decide(&f).code, "WAIT");
	CHECK_NUMBER(decide(&f).lasting, EXPLAIN_TRANSIENT);
	f.cpu_ns = f.spent;
	CHECK_STRING(decide(&f).code, "UNDECIDED");
	f.written = 0;
	/* A long registration moves many pages, each once: that is none. */
	f.thp_splits = 0;
	r.step[TRACE_MIGRATE].calls = 3;
	r.moved = 1000;
	CHECK_STRING(decide(&f).code, "UNDECIDED");
}

/* Pages before the hole had to move. */
TEST(tools_explain_range_with_a_hole)
{
	struct trace_record r = {
		.step = { [TRACE_IO_URING] = { .calls = 1, .ret = -EFAULT },
			  [TRACE_TAKE] = { .calls = 1, .ret = 3 },
			  [TRACE_MIGRATE] = { .calls = 1 } },
		.addr = 0x10000, .first_addr = 0x4000, .pages = 4, .moved = 2,
	};
	struct explain_facts f = facts_of(&r);

	CHECK_STRING(decide(&f).code, "NOT-MEMORY");
	CHECK(strstr(decide(&f).text, "at 0x13000:"));
	CHECK_NUMBER(explain_address(&r), 0x10000);
	r.step[TRACE_IO_URING].calls = 0;
	CHECK_NUMBER(explain_address(&r), 0x4000);
}

TEST(tools_explain_offline_and_contiguous)
{
	struct trace_record r = {
		.step = { [TRACE_OFFLINE] = { .calls = 1, .ret = -EINTR } },
		.area_pages = 32768,
	};
	struct explain_facts f = stuck(&r, 1, false);

	CHECK_STRING(decide(&f).code, "OFFLINE");
	CHECK(strstr(decide(&f).text, "is held by a reference"));
	memset(&r, 0, sizeof(r));
	r.area_pages = 1000;
	snprintf(r.area, sizeof(r.area), "reserved");
	r.step[TRACE_CMA] = (struct trace_step){ .calls = 1, .ret = -ENOMEM };
	f = facts_of(&r);
	CHECK_STRING(decide(&f).code, "CONTIG");
	CHECK(strstr(decide(&f).text, "not a pin problem"));
	/* To look for a holder is no remedy then. */
	CHECK(strstr(*explain_remedies(&(struct explain_verdict){ .code = "CONTIG",
				       .lasting = EXPLAIN_UNKNOWN }), "ask for less"));
	f = stuck(&r, 1024, false);
	CHECK(strstr(decide(&f).text, "is pinned"));
	CHECK(strstr(*explain_remedies(&(struct explain_verdict){ .code = "CONTIG",
				       .lasting = EXPLAIN_PERMANENT }), "who holds"));
	/* Slow so far is not endless. */
	memset(&r, 0, sizeof(r));
	r.step[TRACE_OFFLINE].entered = 1;
	r.moved = 5000;
	f = facts_of(&r);
	f.hanging = true;
	CHECK(strstr(decide(&f).text, "5000 pages moved so far"));
}

TEST(tools_explain_extra_references)
{
	struct trace_look look = { .have = TRACE_HAVE_PAGE, .refcount = 3,
				   .mapping = 0xffff000000001001, .mapcount = 0 };

	CHECK_NUMBER(explain_extra(&look, &kernel, false), 2);
	CHECK_NUMBER(explain_extra(&look, &kernel, true), 1);
	look.flags = 1 << 10 | 1 << 17;		/* in the swap cache */
	CHECK_NUMBER(explain_extra(&look, &kernel, true), 0);
	look.mapping = 0xffff000000001000;	/* in the page cache */
	look.flags = 0;
	CHECK_NUMBER(explain_extra(&look, &kernel, true), 0);
	look.flags = 1 << 14;			/* with buffers */
	look.refcount = 4;
	CHECK_NUMBER(explain_extra(&look, &kernel, true), 0);
	look.order = 9;
	look.mapcount = 1;
	look.flags = 0;
	look.refcount = 515;
	CHECK_NUMBER(explain_extra(&look, &kernel, true), 1);
	look.have = 0;
	CHECK_NUMBER(explain_extra(&look, &kernel, true), 0);
}

/* Arguments are not to blame for a device that is gone, nor is memory. */
TEST(tools_explain_dead_device)
{
	struct explain_verdict v = { .code = "NOT-MEMORY", .error = EIO };

	CHECK(strstr(explain_remedies(&v)[0], "look at the device"));
	CHECK(!explain_remedies(&v)[1]);
	v.error = EINVAL;
	CHECK(strstr(explain_remedies(&v)[0], "look at the arguments"));
	v.code = "DEV";
	v.error = EIO;
	CHECK(!strstr(explain_remedies(&v)[0], "look at the device,"));
}

/* Nobody is told to try again what fails for good. */
TEST(tools_explain_remedies_fit)
{
	struct explain_verdict v = { .code = "REFS", .lasting = EXPLAIN_TRANSIENT };

	CHECK(strstr(explain_remedies(&v)[0], "try again"));
	v.lasting = EXPLAIN_PERMANENT;
	CHECK(strstr(explain_remedies(&v)[0], "let go first"));
	v.blame_hidden = true;
	CHECK(strstr(explain_remedies(&v)[0], "kho=off"));
}
