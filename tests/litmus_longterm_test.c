// SPDX-License-Identifier: GPL-2.0
/* What tells a long-term pin from one for a moment, and when it asks to write. */
#include "litmus_evidence.h"

/* The file and the untouched pages each suffice. */
TEST(litmus_longterm_by_file_alone)
{
	struct litmus_evidence e = longterm();

	because(e.untouched.why_not, "none");
	CHECK_RUNG(e, "PIN+LONGTERM");
	e = short_pin();
	because(e.untouched.why_not, "none");
	CHECK_RUNG(e, "PIN");
}

TEST(litmus_longterm_by_untouched_alone)
{
	struct litmus_evidence e = longterm();

	e.file_write = (struct litmus_try){ 0 };
	CHECK_RUNG(e, "PIN+LONGTERM");
	e = short_pin();
	e.file_write = (struct litmus_try){ 0 };
	CHECK_RUNG(e, "PIN");
}

TEST(litmus_file_refused_by_whom)
{
	struct litmus_evidence e = longterm();

	/* libcuda keeps the errno to itself. */
	refused(&e.file_write, 0);
	CHECK_WEIGHED(e, "file_write", "yes");
	/* These are refusals of drivers, not of the memory manager. */
	refused(&e.file_write, EOPNOTSUPP);
	CHECK_WEIGHED(e, "file_write", "unknown");
	refused(&e.file_write, ENOMEM);
	CHECK_WEIGHED(e, "file_write", "unknown");
	/* Who takes no files at all has not met the rule. */
	refused(&e.file_write, EFAULT);
	refused(&e.private_file_write, EFAULT);
	CHECK_WEIGHED(e, "file_write", "unknown");
}

TEST(litmus_file_rule_of_the_kernel)
{
	struct litmus_evidence e = longterm();

	e.file_rule = LITMUS_NO;
	CHECK_WEIGHED(e, "file_write", "unknown");
	e.file_rule = LITMUS_UNKNOWN;
	CHECK_WEIGHED(e, "file_write", "unknown");
	e = short_pin();
	e.file_rule = LITMUS_NO;
	CHECK_WEIGHED(e, "file_write", "unknown");
	CHECK_RUNG(e, "PIN");
}

/* A call that does not write is let through whatever its rung. */
TEST(litmus_file_needs_a_call_that_writes)
{
	struct litmus_evidence e = short_pin();

	taken(&e.readonly_shared_write);
	CHECK_WEIGHED(e, "file_write", "unknown");
	e.readonly_shared_write = (struct litmus_try){ 0 };
	CHECK_WEIGHED(e, "file_write", "unknown");
	refused(&e.readonly_shared_write, EPERM);
	CHECK_WEIGHED(e, "file_write", "unknown");
	/* Nor has a call that takes no shared memory shown that it writes. */
	refused(&e.readonly_shared_write, EFAULT);
	refused(&e.shmem_write, EFAULT);
	CHECK_WEIGHED(e, "file_write", "unknown");
}

TEST(litmus_untouched_pages)
{
	struct litmus_evidence e = longterm();

	e.cow_rule = LITMUS_NO;
	CHECK_WEIGHED(e, "untouched", "unknown");
	e.untouched = share(0, 16);
	CHECK_WEIGHED(e, "untouched", "unknown");
	e = longterm();
	e.untouched = share(15, 16);
	CHECK_WEIGHED(e, "untouched", "unknown");
	/* A call that writes gets pages of its own on any rung. */
	e = longterm();
	refused(&e.readonly_shared, EFAULT);
	CHECK_WEIGHED(e, "untouched", "unknown");
	e.untouched = share(0, 16);
	CHECK_WEIGHED(e, "untouched", "unknown");
	e = longterm();
	e.readonly_shared = (struct litmus_try){ 0 };
	CHECK_WEIGHED(e, "untouched", "unknown");
}

static struct litmus_evidence placed(size_t unpinnable, size_t left,
				     size_t stayed, size_t quiet)
{
	struct litmus_evidence e = longterm();

	e.file_write = (struct litmus_try){ 0 };
	because(e.untouched.why_not, "none");
	e.places = (struct litmus_places){
		.pages = 4096,
		.unpinnable = unpinnable,
		.left = left,
		.stayed = stayed,
		.quiet = quiet,
	};
	return e;
}

TEST(litmus_places)
{
	struct litmus_evidence e = placed(4096, 4096, 0, 0);

	CHECK_RUNG(e, "PIN+LONGTERM");
	e = placed(4096, 0, 4096, 0);
	CHECK_RUNG(e, "PIN");
	/* Compaction moves some as well; the gate would have moved all. */
	e = placed(4096, 4000, 96, 0);
	CHECK_RUNG(e, "PIN");
	/* Where none leaves them, who stays there may be one. */
	e = placed(4096, 0, 4096, 0);
	e.places.rule = LITMUS_NO;
	CHECK_WEIGHED(e, "places", "unknown");
	CHECK_BOUNDS(e, "PIN", "PIN+LONGTERM");
	e.places.rule = LITMUS_YES;
	CHECK_RUNG(e, "PIN");
	e = placed(4096, 4095, 1, 0);
	CHECK_BOUNDS(e, "PIN", "PIN+LONGTERM");
	e = placed(4096, 4000, 0, 0);
	CHECK_WEIGHED(e, "places", "unknown");
	e = placed(4096, 4096, 0, 512);
	CHECK_WEIGHED(e, "places", "yes");
	e = placed(4096, 4096, 0, 513);
	CHECK_WEIGHED(e, "places", "unknown");
	e = placed(7, 7, 0, 0);
	CHECK_WEIGHED(e, "places", "unknown");
	e = placed(8, 8, 0, 0);
	CHECK_WEIGHED(e, "places", "yes");
	e = placed(0, 0, 0, 0);
	CHECK_WEIGHED(e, "places", "unknown");
}

TEST(litmus_write_of_two_accesses)
{
	struct litmus_evidence e = longterm();

	CHECK_WRITE(e, "if asked");
	refused(&e.readonly_shared, EFAULT);
	CHECK_WRITE(e, "always, with FORCE");
	refused(&e.readonly_private, EFAULT);
	CHECK_WRITE(e, "always");
	e = nothing();
	CHECK_WRITE(e, "never");
	e = longterm();
	refused(&e.anon_read, EOPNOTSUPP);
	CHECK_WRITE(e, "if asked, perhaps always");
	e = longterm();
	refused(&e.readonly_shared_write, EPERM);
	CHECK_WRITE(e, "if asked, perhaps never");
	refused(&e.readonly_shared, EPERM);
	CHECK_WRITE(e, "unknown");
	/* It may be the shared memory that is not liked. */
	e = longterm();
	refused(&e.shmem_write, EFAULT);
	refused(&e.readonly_shared, EFAULT);
	CHECK_WRITE(e, "unknown");
}

/* io_uring, AF_XDP: nobody asks them. */
TEST(litmus_write_of_one_access)
{
	struct litmus_evidence e = longterm();

	e.one_access = true;
	e.anon_read = (struct litmus_try){ 0 };
	e.readonly_shared = (struct litmus_try){ 0 };
	CHECK_WRITE(e, "always, with FORCE");
	refused(&e.readonly_private, EFAULT);
	CHECK_WRITE(e, "always");
	CHECK_RUNG(e, "PIN+LONGTERM");
	taken(&e.readonly_shared_write);
	CHECK_WRITE(e, "never");
	e.readonly_shared_write = (struct litmus_try){ 0 };
	CHECK_WRITE(e, "unknown");
}

/* udmabuf: a memfd is handed over, and little can be seen. */
TEST(litmus_memfd_only)
{
	struct litmus_evidence e = {
		.one_access = true,
		.count = counted(4096, 4096, 0, 0),
		.file_rule = LITMUS_YES,
		.cow_rule = LITMUS_YES,
	};

	taken(&e.shmem_write);
	CHECK_BOUNDS(e, "PIN", "PIN+LONGTERM");
	e.places = (struct litmus_places){
		.pages = 1024, .unpinnable = 1024, .left = 1024,
	};
	CHECK_RUNG(e, "PIN+LONGTERM");
}

/* As it was on an H200 with the open kernel module 580.159.04 under Linux 6.18. */
TEST(litmus_cuda_h200)
{
	struct litmus_evidence e = longterm();
	struct litmus_finding f;

	refused(&e.file_write, 0);
	refused(&e.readonly_shared_write, 0);
	/* Not root: 16 CPUs, one node, and somebody else pinned a little. */
	e.count = (struct litmus_count){
		.pages = 16384, .rounds = 5, .lag = 2000,
		.call_min = 16348, .call_max = 16348, .quiet_max = 51,
	};
	f = decide(&e);
	CHECK_STRING(litmus_rung_name(f.rung), "PIN+LONGTERM");
	CHECK_STRING(litmus_write_name(f.write), "if asked");
	CHECK_STRING(weighed(&f, "count"), "yes");
}
