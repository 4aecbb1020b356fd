// SPDX-License-Identifier: GPL-2.0
/* Who accounts for a folio's references, and what must leave where it lies. */
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/page-flags.h>
#include "../module/account.h"
#include "../module/snapshot.h"
#include "suites.h"

/* PAGE_MAPPING_ANON, which is FOLIO_MAPPING_ANON in later kernels. */
#define ANON	((void *)0x1UL)
#define FILE	((void *)0x100UL)

/* Without CONFIG_SWAP no folio is in the swap cache, whatever its flags say. */
#define CACHED	IS_ENABLED(CONFIG_SWAP)

/* A folio of nobody's, which only the functions under test ever see. */
static struct folio *make_folio(struct kunit *test, void *mapping, int mapcount)
{
	struct folio *folio = kunit_kzalloc(test, sizeof(*folio), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, folio);
	folio->mapping = mapping;
	atomic_set(&folio->_mapcount, mapcount - 1);
	return folio;
}

static void to_large(struct folio *folio, unsigned int order, int mapcount)
{
	__folio_set_head(folio);
	folio->_flags_1 = order;
	atomic_set(&folio->_mapcount, -1);
	atomic_set(&folio->_large_mapcount, mapcount - 1);
}

/* Ours and, where this kernel has one, the kernel's. */
static void expect_refs(struct kunit *test, int refs, struct folio *folio)
{
	int mapcount = folio_mapcount(folio);

	KUNIT_EXPECT_EQ(test, refs, pp_compat_expected_refs(folio, mapcount));
#ifdef PP_HAVE_FOLIO_EXPECTED_REF_COUNT
	KUNIT_EXPECT_EQ(test, refs, folio_expected_ref_count(folio));
#endif
}

static void account_anon(struct kunit *test)
{
	expect_refs(test, 0, make_folio(test, ANON, 0));
	expect_refs(test, 1, make_folio(test, ANON, 1));
	expect_refs(test, 3, make_folio(test, ANON, 3));
}

static void account_swapcache(struct kunit *test)
{
	struct folio *folio = make_folio(test, ANON, 2);

	folio_set_swapbacked(folio);
	folio_set_swapcache(folio);
	expect_refs(test, 2 + CACHED, folio);
	/* A page of a memfd on its way out belongs to no mapping any more. */
	folio->mapping = NULL;
	expect_refs(test, 2 + CACHED, folio);
}

static void account_file(struct kunit *test)
{
	struct folio *folio = make_folio(test, FILE, 2);

	expect_refs(test, 3, folio);
	folio_set_private(folio);
	expect_refs(test, 4, folio);
	folio->mapping = NULL;
	expect_refs(test, 3, folio);
}

/* Private data of an anonymous folio is not a reference. */
static void account_anon_private(struct kunit *test)
{
	struct folio *folio = make_folio(test, ANON, 1);

	folio_set_private(folio);
	expect_refs(test, 1, folio);
}

static void account_large(struct kunit *test)
{
	struct folio *folio = make_folio(test, FILE, 0);

	/* The cache has one for each page, a mapping one for each it maps. */
	to_large(folio, 9, 5);
	expect_refs(test, 512 + 5, folio);
	folio->mapping = ANON;
	expect_refs(test, 5, folio);
	folio_set_swapbacked(folio);
	folio_set_swapcache(folio);
	expect_refs(test, 512 * CACHED + 5, folio);
}

/* What a page is that was freed while it was looked at: nobody accounts for it. */
static void account_no_user_page(struct kunit *test)
{
	void *object = kunit_kzalloc(test, 64, GFP_KERNEL);
	union pp_snapshot snap;

	KUNIT_ASSERT_NOT_NULL(test, object);
	KUNIT_ASSERT_NOT_NULL(test,
			      pp_snapshot_take(&snap, virt_to_page(object)));
	KUNIT_EXPECT_TRUE(test, page_has_type(&snap.folio.page));
	KUNIT_EXPECT_EQ(test, 0, pp_account_refs(&snap.folio, 0, 7));
}

static void account_refs(struct kunit *test)
{
	struct folio *folio = make_folio(test, FILE, 2);

	KUNIT_EXPECT_EQ(test, 3, pp_account_refs(folio, 0, 2));
	KUNIT_EXPECT_EQ(test, 2, pp_account_refs(folio, PINPROBE_PAGE_ANON, 2));
}

static void account_plain(struct kunit *test)
{
	const u64 anon = PINPROBE_PAGE_ANON, cached = PINPROBE_PAGE_SWAPCACHE;

	KUNIT_EXPECT_TRUE(test, pp_account_plain(anon));
	KUNIT_EXPECT_TRUE(test, pp_account_plain(anon | PINPROBE_PAGE_PRIVATE));
	KUNIT_EXPECT_TRUE(test, pp_account_plain(anon | PINPROBE_PAGE_KSM));
	KUNIT_EXPECT_FALSE(test, pp_account_plain(anon | cached));
	KUNIT_EXPECT_FALSE(test, pp_account_plain(cached));
	KUNIT_EXPECT_FALSE(test, pp_account_plain(0));
}

static void account_pins(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0, pp_account_small_pins(0));
	KUNIT_EXPECT_EQ(test, 0, pp_account_small_pins(1023));
	KUNIT_EXPECT_EQ(test, 1, pp_account_small_pins(1024));
	KUNIT_EXPECT_EQ(test, 1, pp_account_small_pins(1024 + 1));
	KUNIT_EXPECT_EQ(test, 2, pp_account_small_pins(2 * 1024 + 1));
	/* More than half of what fits in: the counter reads as negative. */
	KUNIT_EXPECT_EQ(test, 1U << 21, pp_account_small_pins(S32_MIN));
}

static void account_block(struct kunit *test)
{
	const u32 all = PINPROBE_UNPINNABLE_CMA | PINPROBE_UNPINNABLE_ISOLATE |
			PINPROBE_UNPINNABLE_MOVABLE;
	struct pp_pageblock block = { .migratetype = PINPROBE_MT_CMA };

	KUNIT_EXPECT_EQ(test, PINPROBE_UNPINNABLE_CMA,
			pp_account_block(&block, all));
	/* A gate that does not look at it lets it through. */
	KUNIT_EXPECT_EQ(test, 0,
			pp_account_block(&block, PINPROBE_UNPINNABLE_MOVABLE));
	block.isolated = true;
	KUNIT_EXPECT_EQ(test,
			PINPROBE_UNPINNABLE_CMA | PINPROBE_UNPINNABLE_ISOLATE,
			pp_account_block(&block, all));
	block.migratetype = PINPROBE_MT_MOVABLE;
	KUNIT_EXPECT_EQ(test, PINPROBE_UNPINNABLE_ISOLATE,
			pp_account_block(&block, all));
	block.isolated = false;
	KUNIT_EXPECT_EQ(test, 0, pp_account_block(&block, all));
}

static void account_zone(struct kunit *test)
{
	u8 zone;

	for (zone = 0; zone <= PINPROBE_ZONE_DEVICE; zone++) {
		KUNIT_EXPECT_EQ_MSG(test, zone == PINPROBE_ZONE_MOVABLE ?
				    PINPROBE_UNPINNABLE_MOVABLE : 0,
				    pp_account_zone(zone, U32_MAX),
				    "zone %u", zone);
		KUNIT_EXPECT_EQ_MSG(test, 0, pp_account_zone(zone,
				    PINPROBE_UNPINNABLE_CMA), "zone %u", zone);
	}
}

static void account_zero(struct kunit *test)
{
	struct pinprobe_page rec = {
		.flags = PINPROBE_PAGE_WRITE,
		.refs = 3,
		.refs_expected = 1,
		.unpinnable = PINPROBE_UNPINNABLE_MOVABLE |
			      PINPROBE_UNPINNABLE_CMA,
	};

	pp_account_zero(&rec);
	KUNIT_EXPECT_EQ(test, PINPROBE_PAGE_WRITE | PINPROBE_PAGE_ZERO,
			rec.flags);
	KUNIT_EXPECT_EQ(test, 3, rec.refs_expected);
	KUNIT_EXPECT_EQ(test, PINPROBE_UNPINNABLE_CMA, rec.unpinnable);
}

static struct kunit_case account_cases[] = {
	KUNIT_CASE(account_anon),
	KUNIT_CASE(account_swapcache),
	KUNIT_CASE(account_file),
	KUNIT_CASE(account_anon_private),
	KUNIT_CASE(account_large),
	KUNIT_CASE(account_no_user_page),
	KUNIT_CASE(account_refs),
	KUNIT_CASE(account_plain),
	KUNIT_CASE(account_pins),
	KUNIT_CASE(account_block),
	KUNIT_CASE(account_zone),
	KUNIT_CASE(account_zero),
	{}
};

struct kunit_suite pp_account_suite = {
	.name = "pinprobe_account",
	.test_cases = account_cases,
};
