// SPDX-License-Identifier: GPL-2.0
/* The rules of the ioctl structures: sizes, flags, and what excludes what. */
#include <kunit/test.h>
#include <linux/build_bug.h>
#include <linux/sizes.h>
#include "../module/args.h"
#include "suites.h"

/* Numbers of the ABI: no later version may change them. */
static_assert(sizeof(struct pinprobe_info) >= 48);
static_assert(sizeof(struct pinprobe_resolve) >= 56);
static_assert(sizeof(struct pinprobe_pin) >= 320);
static_assert(sizeof(struct pinprobe_pin_state) >= 320);
static_assert(sizeof(struct pinprobe_pin_pages) >= 48);
static_assert(sizeof(struct pinprobe_page) >= 64);

#define MAX_PAGES	1000UL

static struct pinprobe_resolve good_resolve(void)
{
	return (struct pinprobe_resolve){
		.size = sizeof(struct pinprobe_resolve),
		.addr = SZ_1M,
		.len = 4 * PAGE_SIZE,
		.records = SZ_2M,
		.nr_records = 4,
		.record_size = sizeof(struct pinprobe_page),
	};
}

static struct pinprobe_pin good_pin(u32 call, u32 flags)
{
	return (struct pinprobe_pin){
		.size = sizeof(struct pinprobe_pin),
		.flags = flags,
		.addr = SZ_1M,
		.len = 4 * PAGE_SIZE,
		.call = call,
	};
}

static struct pinprobe_pin_pages good_pages(u32 when)
{
	return (struct pinprobe_pin_pages){
		.size = sizeof(struct pinprobe_pin_pages),
		.records = SZ_2M,
		.nr_records = 4,
		.record_size = sizeof(struct pinprobe_page),
		.when = when,
	};
}

static void args_size(struct kunit *test)
{
	const u32 first = PINPROBE_PIN_SIZE_V1;

	KUNIT_EXPECT_EQ(test, 0, pp_abi_check_size(first, first));
	KUNIT_EXPECT_EQ(test, 0, pp_abi_check_size(first + 8, first));
	KUNIT_EXPECT_EQ(test, 0, pp_abi_check_size(PAGE_SIZE, first));
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_abi_check_size(first - 1, first));
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_abi_check_size(0, first));
	KUNIT_EXPECT_EQ(test, -E2BIG, pp_abi_check_size(PAGE_SIZE + 1, first));
	KUNIT_EXPECT_EQ(test, -E2BIG, pp_abi_check_size(U32_MAX, first));
}

static void args_records(struct kunit *test)
{
	const u32 first = PINPROBE_PAGE_SIZE_V1;

	KUNIT_EXPECT_EQ(test, 0, pp_abi_check_records(1, first));
	KUNIT_EXPECT_EQ(test, 0, pp_abi_check_records(U32_MAX, first + 8));
	KUNIT_EXPECT_EQ(test, 0, pp_abi_check_records(1, PAGE_SIZE));
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_abi_check_records(0, first));
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_abi_check_records(1, first - 8));
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_abi_check_records(1, first + 4));
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_abi_check_records(1, PAGE_SIZE + 8));
}

static void args_resolve_flags(struct kunit *test)
{
	struct pinprobe_resolve args = good_resolve();
	int bit;

	for (bit = 0; bit < 32; bit++) {
		args.flags = BIT(bit);
		KUNIT_EXPECT_EQ_MSG(test, bit < 2 ? 0 : -EINVAL,
				    pp_args_check_resolve(&args), "bit %d", bit);
	}
}

static void args_resolve_parts(struct kunit *test)
{
	struct pinprobe_resolve args = good_resolve();

	args.nr_records = 0;
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_args_check_resolve(&args));
	args = good_resolve();
	args.record_size = 8;
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_args_check_resolve(&args));
	args = good_resolve();
	args.addr = ~0ULL & PAGE_MASK;
	KUNIT_EXPECT_EQ(test, -EOVERFLOW, pp_args_check_resolve(&args));
}

static void args_pin_flags(struct kunit *test)
{
	struct pinprobe_pin args = good_pin(PINPROBE_CALL_PIN, 0);
	int bit;

	for (bit = 0; bit < 32; bit++) {
		args.flags = BIT(bit);
		KUNIT_EXPECT_EQ_MSG(test, bit < 3 ? 0 : -EINVAL,
				    pp_args_check_pin(&args, MAX_PAGES),
				    "bit %d", bit);
	}
}

static void args_pin_call(struct kunit *test)
{
	struct pinprobe_pin args;
	u32 call;

	for (call = 0; call < 10; call++) {
		args = good_pin(call, 0);
		KUNIT_EXPECT_EQ_MSG(test, call < 8 ? 0 : -EINVAL,
				    pp_args_check_pin(&args, MAX_PAGES),
				    "call %u", call);
	}
	args = good_pin(U32_MAX, 0);
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_args_check_pin(&args, MAX_PAGES));
}

/* FOLL_LONGTERM belongs to FOLL_PIN, and not every kernel has it for all calls. */
static void args_pin_longterm(struct kunit *test)
{
	const int unlocked = PP_UNLOCKED_TAKES_LONGTERM ? 0 : -EOPNOTSUPP;
	const int want[] = {
		-EINVAL, -EINVAL, -EINVAL, -EINVAL, 0, 0, unlocked, 0,
	};
	struct pinprobe_pin args;
	u32 call;

	for (call = 0; call < ARRAY_SIZE(want); call++) {
		args = good_pin(call, PINPROBE_PIN_LONGTERM);
		KUNIT_EXPECT_EQ_MSG(test, want[call],
				    pp_args_check_pin(&args, MAX_PAGES),
				    "call %u", call);
	}
}

static void args_pin_remote(struct kunit *test)
{
	struct pinprobe_pin args;
	u32 call;

	for (call = 0; call < 8; call++) {
		args = good_pin(call, 0);
		args.pid = 1;
		KUNIT_EXPECT_EQ_MSG(test, call == 3 || call == 7 ? 0 : -EINVAL,
				    pp_args_check_pin(&args, MAX_PAGES),
				    "call %u", call);
	}
}

static void args_pin_timeout(struct kunit *test)
{
	struct pinprobe_pin args = good_pin(PINPROBE_CALL_PIN_FAST, 0);

	args.timeout_ms = 3600000;
	KUNIT_EXPECT_EQ(test, 0, pp_args_check_pin(&args, MAX_PAGES));
	args.timeout_ms = 3600001;
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_args_check_pin(&args, MAX_PAGES));
	args.timeout_ms = U32_MAX;
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_args_check_pin(&args, MAX_PAGES));
}

static void args_pin_pages_limit(struct kunit *test)
{
	struct pinprobe_pin args = good_pin(PINPROBE_CALL_PIN_FAST, 0);

	args.len = MAX_PAGES * PAGE_SIZE;
	KUNIT_EXPECT_EQ(test, 0, pp_args_check_pin(&args, MAX_PAGES));
	args.len += PAGE_SIZE;
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_args_check_pin(&args, MAX_PAGES));
}

static void args_pages_flags(struct kunit *test)
{
	struct pinprobe_pin_pages args = good_pages(PINPROBE_WHEN_HELD);
	int bit;

	for (bit = 0; bit < 32; bit++) {
		args.flags = BIT(bit);
		KUNIT_EXPECT_EQ_MSG(test, bit < 1 ? 0 : -EINVAL,
				    pp_args_check_pin_pages(&args, 4, true),
				    "bit %d", bit);
	}
}

static void args_pages_index(struct kunit *test)
{
	struct pinprobe_pin_pages args = good_pages(PINPROBE_WHEN_HELD);

	args.index = 3;
	KUNIT_EXPECT_EQ(test, 0, pp_args_check_pin_pages(&args, 4, true));
	args.index = 4;
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_args_check_pin_pages(&args, 4, true));
	args.index = U64_MAX;
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_args_check_pin_pages(&args, 4, true));
}

static void args_pages_when(struct kunit *test)
{
	struct pinprobe_pin_pages args = good_pages(PINPROBE_WHEN_BEFORE);

	KUNIT_EXPECT_EQ(test, 0, pp_args_check_pin_pages(&args, 4, true));
	KUNIT_EXPECT_EQ(test, -ENODATA,
			pp_args_check_pin_pages(&args, 4, false));
	args.when = PINPROBE_WHEN_NOW;
	KUNIT_EXPECT_EQ(test, 0, pp_args_check_pin_pages(&args, 4, false));
	args.when = PINPROBE_WHEN_NOW + 1;
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_args_check_pin_pages(&args, 4, true));
	args = good_pages(PINPROBE_WHEN_HELD);
	args.nr_records = 0;
	KUNIT_EXPECT_EQ(test, -EINVAL, pp_args_check_pin_pages(&args, 4, true));
}

static struct kunit_case args_cases[] = {
	KUNIT_CASE(args_size),
	KUNIT_CASE(args_records),
	KUNIT_CASE(args_resolve_flags),
	KUNIT_CASE(args_resolve_parts),
	KUNIT_CASE(args_pin_flags),
	KUNIT_CASE(args_pin_call),
	KUNIT_CASE(args_pin_longterm),
	KUNIT_CASE(args_pin_remote),
	KUNIT_CASE(args_pin_timeout),
	KUNIT_CASE(args_pin_pages_limit),
	KUNIT_CASE(args_pages_flags),
	KUNIT_CASE(args_pages_index),
	KUNIT_CASE(args_pages_when),
	{}
};

struct kunit_suite pp_args_suite = {
	.name = "pinprobe_args",
	.test_cases = args_cases,
};
