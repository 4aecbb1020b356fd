// SPDX-License-Identifier: GPL-2.0
/* Ranges of user addresses: empty, unaligned, wrapping, past the last one. */
#include <kunit/test.h>
#include <linux/sizes.h>
#include "../module/abi.h"
#include "suites.h"

static void range_whole_pages(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0, pp_abi_check_range(SZ_1M, PAGE_SIZE));
	KUNIT_EXPECT_EQ(test, 0, pp_abi_check_range(SZ_1M, 7 * PAGE_SIZE));
	KUNIT_EXPECT_EQ(test, 0, pp_abi_check_range(0, PAGE_SIZE));
}

static void range_empty(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_abi_check_range(SZ_1M, 0));
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_abi_check_range(0, 0));
}

static void range_unaligned_start(struct kunit *test)
{
	u64 off;

	for (off = 1; off < PAGE_SIZE; off <<= 1)
		KUNIT_EXPECT_EQ_MSG(test, -EINVAL,
				    pp_abi_check_range(SZ_1M + off, PAGE_SIZE),
				    "start off by %llu", off);
}

static void range_unaligned_length(struct kunit *test)
{
	u64 off;

	for (off = 1; off < PAGE_SIZE; off <<= 1)
		KUNIT_EXPECT_EQ_MSG(test, -EINVAL,
				    pp_abi_check_range(SZ_1M, PAGE_SIZE + off),
				    "length off by %llu", off);
}

/* A sum that wraps is small, and would pass for a range of user addresses. */
static void range_wraps(struct kunit *test)
{
	const u64 last = ~0ULL & PAGE_MASK;

	KUNIT_EXPECT_EQ(test, -EOVERFLOW, pp_abi_check_range(last, PAGE_SIZE));
	KUNIT_EXPECT_EQ(test, -EOVERFLOW, pp_abi_check_range(SZ_1M, last));
	KUNIT_EXPECT_EQ(test, -EOVERFLOW,
			pp_abi_check_range(last, 2 * PAGE_SIZE));
	KUNIT_EXPECT_EQ(test, -EOVERFLOW,
			pp_abi_check_range(1ULL << 63, 1ULL << 63));
}

/* Just below: does not wrap, and is no user address. */
static void range_highest(struct kunit *test)
{
	const u64 last = ~0ULL & PAGE_MASK;

	KUNIT_EXPECT_EQ(test, -EFAULT,
			pp_abi_check_range(last - PAGE_SIZE, PAGE_SIZE));
	KUNIT_EXPECT_EQ(test, -EFAULT, pp_abi_check_range(0, last));
}

static void range_user_addresses(struct kunit *test)
{
	const u64 end = TASK_SIZE_MAX;

	KUNIT_EXPECT_EQ(test, 0, pp_abi_check_range(end - PAGE_SIZE, PAGE_SIZE));
	KUNIT_EXPECT_EQ(test, -EFAULT,
			pp_abi_check_range(PAGE_OFFSET, PAGE_SIZE));
	KUNIT_EXPECT_EQ(test, -EFAULT,
			pp_abi_check_range(PAGE_OFFSET - PAGE_SIZE, 2 * PAGE_SIZE));
}

static struct kunit_case range_cases[] = {
	KUNIT_CASE(range_whole_pages),
	KUNIT_CASE(range_empty),
	KUNIT_CASE(range_unaligned_start),
	KUNIT_CASE(range_unaligned_length),
	KUNIT_CASE(range_wraps),
	KUNIT_CASE(range_highest),
	KUNIT_CASE(range_user_addresses),
	{}
};

struct kunit_suite pp_range_suite = {
	.name = "pinprobe_range",
	.test_cases = range_cases,
};
