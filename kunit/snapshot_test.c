// SPDX-License-Identifier: GPL-2.0
/* A folio copied from any of its pages, as large as it is. */
#include <kunit/test.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include "../module/snapshot.h"
#include "suites.h"

static struct page *alloc(struct kunit *test, unsigned int order)
{
	struct page *page = alloc_pages(GFP_KERNEL | __GFP_COMP, order);

	KUNIT_ASSERT_NOT_NULL(test, page);
	return page;
}

static void snapshot_small(struct kunit *test)
{
	struct page *page = alloc(test, 0);
	union pp_snapshot snap;

	get_page(page);
	KUNIT_EXPECT_PTR_EQ(test, page, pp_snapshot_take(&snap, page));
	KUNIT_EXPECT_EQ(test, 0, folio_order(&snap.folio));
	KUNIT_EXPECT_EQ(test, 2, folio_ref_count(&snap.folio));
	/* It is a copy: what comes later is not in it. */
	put_page(page);
	KUNIT_EXPECT_EQ(test, 2, folio_ref_count(&snap.folio));
	__free_pages(page, 0);
}

static void snapshot_large(struct kunit *test)
{
	unsigned int order, i;
	union pp_snapshot snap;
	struct page *page;

	for (order = 1; order <= 4; order++) {
		page = alloc(test, order);
		atomic_set(&page_folio(page)->_pincount, 5 + order);
		for (i = 0; i < 1U << order; i++) {
			memset(&snap, 0xa5, sizeof(snap));
			KUNIT_EXPECT_PTR_EQ(test, page,
					    pp_snapshot_take(&snap, page + i));
			KUNIT_EXPECT_EQ(test, order, folio_order(&snap.folio));
			KUNIT_EXPECT_EQ(test, 1, folio_ref_count(&snap.folio));
			KUNIT_EXPECT_EQ(test, 0, folio_mapcount(&snap.folio));
			KUNIT_EXPECT_EQ(test, 5 + order,
					atomic_read(&snap.folio._pincount));
		}
		atomic_set(&page_folio(page)->_pincount, 0);
		__free_pages(page, order);
	}
}

/* A compound page of order 2 which is in no memory map: nobody else looks. */
static struct page *make_compound(struct kunit *test)
{
	struct page *fake, *page = alloc(test, 2);
	int i;

	fake = kunit_kzalloc(test, 4 * sizeof(*fake), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, fake);
	memcpy(fake, page, 4 * sizeof(*fake));
	__free_pages(page, 2);
	/* A tail that does not say its head by a mask has its address there. */
	for (i = 1; i < 4 && page_folio(&fake[i]) != (void *)fake; i++)
		*(unsigned long *)&fake[i].lru = (unsigned long)fake | 1;
	return fake;
}

/* The head that a tail leads to has become a tail itself meanwhile. */
static void snapshot_changed(struct kunit *test)
{
	struct page *pages = make_compound(test);
	union pp_snapshot snap;

	KUNIT_ASSERT_PTR_EQ(test, (void *)pages, (void *)page_folio(&pages[2]));
	KUNIT_EXPECT_PTR_EQ(test, pages, pp_snapshot_take(&snap, &pages[2]));
	KUNIT_EXPECT_EQ(test, 2, folio_order(&snap.folio));
	pages[0] = pages[1];
	KUNIT_EXPECT_NULL(test, pp_snapshot_take(&snap, &pages[2]));
}

static struct kunit_case snapshot_cases[] = {
	KUNIT_CASE(snapshot_small),
	KUNIT_CASE(snapshot_large),
	KUNIT_CASE(snapshot_changed),
	{}
};

struct kunit_suite pp_snapshot_suite = {
	.name = "pinprobe_snapshot",
	.test_cases = snapshot_cases,
};
