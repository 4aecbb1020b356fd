// SPDX-License-Identifier: GPL-2.0
/* When neighbouring pages are one run, and when they are not. */
#include <kunit/test.h>
#include <linux/sizes.h>
#include "../module/run.h"
#include "suites.h"

static struct pinprobe_page make_page(u64 index, u64 pfn)
{
	return (struct pinprobe_page){
		.addr = SZ_1M + index * PAGE_SIZE,
		.pfn = pfn,
		.nr_pages = 1,
		.flags = PINPROBE_PAGE_ANON,
		.state = PINPROBE_STATE_PRESENT,
		.zone = PINPROBE_ZONE_NORMAL,
		.migratetype = PINPROBE_MT_MOVABLE,
		.refs = 1,
		.refs_expected = 1,
		.mapcount = 1,
	};
}

static void run_neighbours(struct kunit *test)
{
	struct pinprobe_page run = make_page(0, 100), next = make_page(1, 101);

	KUNIT_EXPECT_TRUE(test, pp_run_joins(&run, &next));
}

/* It counts from the run's end, not from its start. */
static void run_long(struct kunit *test)
{
	struct pinprobe_page run = make_page(0, 100), next = make_page(7, 107);

	KUNIT_EXPECT_FALSE(test, pp_run_joins(&run, &next));
	run.nr_pages = 7;
	next.nr_pages = 7;
	KUNIT_EXPECT_TRUE(test, pp_run_joins(&run, &next));
	next.addr -= PAGE_SIZE;
	next.pfn--;
	KUNIT_EXPECT_FALSE(test, pp_run_joins(&run, &next));
}

static void run_address_gap(struct kunit *test)
{
	struct pinprobe_page run = make_page(0, 100), next = make_page(2, 101);

	KUNIT_EXPECT_FALSE(test, pp_run_joins(&run, &next));
	next = make_page(0, 101);
	KUNIT_EXPECT_FALSE(test, pp_run_joins(&run, &next));
}

static void run_pfn_gap(struct kunit *test)
{
	struct pinprobe_page run = make_page(0, 100), next = make_page(1, 102);

	KUNIT_EXPECT_FALSE(test, pp_run_joins(&run, &next));
	next.pfn = 99;
	KUNIT_EXPECT_FALSE(test, pp_run_joins(&run, &next));
	next.pfn = 100;
	KUNIT_EXPECT_FALSE(test, pp_run_joins(&run, &next));
}

/* Without pages there are no PFNs to be consecutive. */
static void run_holes(struct kunit *test)
{
	struct pinprobe_page run = make_page(0, 0), next = make_page(1, 0);

	run.state = PINPROBE_STATE_ABSENT;
	next.state = PINPROBE_STATE_ABSENT;
	KUNIT_EXPECT_TRUE(test, pp_run_joins(&run, &next));
	next.state = PINPROBE_STATE_UNMAPPED;
	KUNIT_EXPECT_FALSE(test, pp_run_joins(&run, &next));
	next = make_page(1, 0);
	KUNIT_EXPECT_FALSE(test, pp_run_joins(&run, &next));
}

#define DIFFERS(field) do {						\
	struct pinprobe_page run = make_page(0, 100);			\
	struct pinprobe_page next = make_page(1, 101);			\
									\
	next.field ^= 1;						\
	KUNIT_EXPECT_FALSE_MSG(test, pp_run_joins(&run, &next), #field);	\
	run.field ^= 1;							\
	KUNIT_EXPECT_TRUE_MSG(test, pp_run_joins(&run, &next), #field);	\
} while (0)

/* Every other field must be the same. */
static void run_fields(struct kunit *test)
{
	DIFFERS(flags);
	DIFFERS(node);
	DIFFERS(zone);
	DIFFERS(migratetype);
	DIFFERS(order);
	DIFFERS(refs);
	DIFFERS(refs_expected);
	DIFFERS(mapcount);
	DIFFERS(pins);
	DIFFERS(unpinnable);
	DIFFERS(reserved);
}

static struct kunit_case run_cases[] = {
	KUNIT_CASE(run_neighbours),
	KUNIT_CASE(run_long),
	KUNIT_CASE(run_address_gap),
	KUNIT_CASE(run_pfn_gap),
	KUNIT_CASE(run_holes),
	KUNIT_CASE(run_fields),
	{}
};

struct kunit_suite pp_run_suite = {
	.name = "pinprobe_run",
	.test_cases = run_cases,
};
