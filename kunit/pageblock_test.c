// SPDX-License-Identifier: GPL-2.0
/*
 * Migratetypes out of the pageblock bitmaps of all kernels, whichever this one
 * is: 4 bits a block, where isolation is stored in place of the type, and 8
 * bits, where it is a bit beside it; numbered with CONFIG_CMA and without.
 */
#include <kunit/test.h>
#include <linux/mmzone.h>
#include "../module/pageblock_layout.h"
#include "suites.h"

#define NONE	PP_PAGEBLOCK_NONE
/* PB_compact_skip (PB_migrate_skip): not ours, and set at any time. */
#define SKIP	BIT(3)
#define ISO	BIT(4)

/* By their numbers in include/linux/mmzone.h up to 6.16, and from 6.17 on. */
static const struct pp_pageblock_layout stored_cma = {
	.migratetype_mask = 7,
	.raw = { 0, 1, 2, 3, 4, 5 },
};

static const struct pp_pageblock_layout stored_no_cma = {
	.migratetype_mask = 7,
	.raw = { 0, 1, 2, 3, NONE, 4 },
};

static const struct pp_pageblock_layout beside_cma = {
	.migratetype_mask = 7,
	.isolate_mask = ISO,
	.raw = { 0, 1, 2, 3, 4, 5 },
};

static const struct pp_pageblock_layout beside_no_cma = {
	.migratetype_mask = 7,
	.isolate_mask = ISO,
	.raw = { 0, 1, 2, 3, NONE, 4 },
};

static const struct pp_pageblock_layout no_isolation = {
	.migratetype_mask = 7,
	.raw = { 0, 1, 2, 3, 4, NONE },
};

static void expect(struct kunit *test, const struct pp_pageblock_layout *layout,
		   unsigned long bits, u8 migratetype, bool isolated)
{
	struct pp_pageblock block = pp_pageblock_decode(layout, bits);

	KUNIT_EXPECT_EQ_MSG(test, migratetype, block.migratetype,
			    "bits 0x%lx", bits);
	KUNIT_EXPECT_EQ_MSG(test, isolated, block.isolated, "bits 0x%lx", bits);
	/* The neighbouring bit says nothing about the type. */
	block = pp_pageblock_decode(layout, bits | SKIP);
	KUNIT_EXPECT_EQ_MSG(test, migratetype, block.migratetype,
			    "bits 0x%lx, skipped", bits);
	KUNIT_EXPECT_EQ_MSG(test, isolated, block.isolated,
			    "bits 0x%lx, skipped", bits);
}

static void pageblock_stored_cma(struct kunit *test)
{
	expect(test, &stored_cma, 0, PINPROBE_MT_UNMOVABLE, false);
	expect(test, &stored_cma, 1, PINPROBE_MT_MOVABLE, false);
	expect(test, &stored_cma, 2, PINPROBE_MT_RECLAIMABLE, false);
	expect(test, &stored_cma, 3, PINPROBE_MT_HIGHATOMIC, false);
	expect(test, &stored_cma, 4, PINPROBE_MT_CMA, false);
	expect(test, &stored_cma, 5, PINPROBE_MT_ISOLATE, true);
	expect(test, &stored_cma, 6, PINPROBE_MT_UNKNOWN, false);
	expect(test, &stored_cma, 7, PINPROBE_MT_UNKNOWN, false);
}

/* Where 4 is not CMA: taken for it, every isolated block would be. */
static void pageblock_stored_no_cma(struct kunit *test)
{
	expect(test, &stored_no_cma, 1, PINPROBE_MT_MOVABLE, false);
	expect(test, &stored_no_cma, 4, PINPROBE_MT_ISOLATE, true);
	expect(test, &stored_no_cma, 5, PINPROBE_MT_UNKNOWN, false);
}

/* Isolated, a block stays what it was. */
static void pageblock_beside_cma(struct kunit *test)
{
	expect(test, &beside_cma, 4, PINPROBE_MT_CMA, false);
	expect(test, &beside_cma, 4 | ISO, PINPROBE_MT_CMA, true);
	expect(test, &beside_cma, 1, PINPROBE_MT_MOVABLE, false);
	expect(test, &beside_cma, 1 | ISO, PINPROBE_MT_MOVABLE, true);
	expect(test, &beside_cma, 0 | ISO, PINPROBE_MT_UNMOVABLE, true);
}

static void pageblock_beside_no_cma(struct kunit *test)
{
	expect(test, &beside_no_cma, 3, PINPROBE_MT_HIGHATOMIC, false);
	expect(test, &beside_no_cma, 3 | ISO, PINPROBE_MT_HIGHATOMIC, true);
	expect(test, &beside_no_cma, 5, PINPROBE_MT_UNKNOWN, false);
}

static void pageblock_no_isolation(struct kunit *test)
{
	expect(test, &no_isolation, 4, PINPROBE_MT_CMA, false);
	expect(test, &no_isolation, 4 | ISO, PINPROBE_MT_CMA, false);
	expect(test, &no_isolation, 5, PINPROBE_MT_UNKNOWN, false);
}

static void pageblock_types(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0x3f, pp_pageblock_types(&stored_cma));
	KUNIT_EXPECT_EQ(test, 0x2f, pp_pageblock_types(&stored_no_cma));
	KUNIT_EXPECT_EQ(test, 0x3f, pp_pageblock_types(&beside_cma));
	KUNIT_EXPECT_EQ(test, 0x1f, pp_pageblock_types(&no_isolation));
}

static void pageblock_bitmap_4_bits(struct kunit *test)
{
	const unsigned long map[] = { 0x7654321076543214UL, 0x89abcdef0123456dUL };

	KUNIT_EXPECT_EQ(test, 0x4, pp_pageblock_bits(map, 0, 4));
	KUNIT_EXPECT_EQ(test, 0x1, pp_pageblock_bits(map, 1, 4));
	KUNIT_EXPECT_EQ(test, 0x7, pp_pageblock_bits(map, 15, 4));
	KUNIT_EXPECT_EQ(test, 0xd, pp_pageblock_bits(map, 16, 4));
	KUNIT_EXPECT_EQ(test, 0x8, pp_pageblock_bits(map, 31, 4));
}

static void pageblock_bitmap_8_bits(struct kunit *test)
{
	const unsigned long map[] = { 0x0102040810141104UL, 0x1c0000000000000bUL };

	KUNIT_EXPECT_EQ(test, 0x04, pp_pageblock_bits(map, 0, 8));
	KUNIT_EXPECT_EQ(test, 0x11, pp_pageblock_bits(map, 1, 8));
	KUNIT_EXPECT_EQ(test, 0x01, pp_pageblock_bits(map, 7, 8));
	KUNIT_EXPECT_EQ(test, 0x0b, pp_pageblock_bits(map, 8, 8));
	KUNIT_EXPECT_EQ(test, 0x1c, pp_pageblock_bits(map, 15, 8));
}

/* What the module takes this kernel's layout for, against its own names. */
static void pageblock_here(struct kunit *test)
{
	static const struct pp_pageblock_layout here = {
		.migratetype_mask = PP_MIGRATETYPE_MASK,
		.isolate_mask = PP_PAGEBLOCK_ISOLATE_MASK,
		.raw = PP_PAGEBLOCK_RAW,
	};

	expect(test, &here, MIGRATE_UNMOVABLE, PINPROBE_MT_UNMOVABLE, false);
	expect(test, &here, MIGRATE_MOVABLE, PINPROBE_MT_MOVABLE, false);
	expect(test, &here, MIGRATE_RECLAIMABLE, PINPROBE_MT_RECLAIMABLE, false);
	expect(test, &here, MIGRATE_HIGHATOMIC, PINPROBE_MT_HIGHATOMIC, false);
#ifdef CONFIG_CMA
	expect(test, &here, MIGRATE_CMA, PINPROBE_MT_CMA, false);
#endif
#ifdef CONFIG_MEMORY_ISOLATION
	expect(test, &here, MIGRATE_ISOLATE, PINPROBE_MT_ISOLATE, true);
#endif
	KUNIT_EXPECT_EQ(test, IS_ENABLED(CONFIG_CMA),
			!!(pp_pageblock_types(&here) & BIT(PINPROBE_MT_CMA)));
}

static struct kunit_case pageblock_cases[] = {
	KUNIT_CASE(pageblock_stored_cma),
	KUNIT_CASE(pageblock_stored_no_cma),
	KUNIT_CASE(pageblock_beside_cma),
	KUNIT_CASE(pageblock_beside_no_cma),
	KUNIT_CASE(pageblock_no_isolation),
	KUNIT_CASE(pageblock_types),
	KUNIT_CASE(pageblock_bitmap_4_bits),
	KUNIT_CASE(pageblock_bitmap_8_bits),
	KUNIT_CASE(pageblock_here),
	{}
};

struct kunit_suite pp_pageblock_suite = {
	.name = "pinprobe_pageblock",
	.test_cases = pageblock_cases,
};
