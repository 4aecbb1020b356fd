// SPDX-License-Identifier: GPL-2.0
/* One page described: where it lies, who accounts for it, may it stay. */
#include <linux/hugetlb.h>
#include <linux/memory_hotplug.h>
#include <linux/memremap.h>
#include <linux/mm.h>
#include <linux/page-flags.h>
#include "page.h"
#include "pageblock.h"

#include <linux/pinprobe.h>

static const u8 pp_page_zone[MAX_NR_ZONES] = {
#ifdef CONFIG_ZONE_DMA
	[ZONE_DMA] = PINPROBE_ZONE_DMA,
#endif
#ifdef CONFIG_ZONE_DMA32
	[ZONE_DMA32] = PINPROBE_ZONE_DMA32,
#endif
	[ZONE_NORMAL] = PINPROBE_ZONE_NORMAL,
#ifdef CONFIG_HIGHMEM
	[ZONE_HIGHMEM] = PINPROBE_ZONE_HIGHMEM,
#endif
	[ZONE_MOVABLE] = PINPROBE_ZONE_MOVABLE,
#ifdef CONFIG_ZONE_DEVICE
	[ZONE_DEVICE] = PINPROBE_ZONE_DEVICE,
#endif
};

/**
 * pp_page_zones - the zones this kernel was built with
 *
 * Return: 1 << enum pinprobe_zone for each.
 */
u32 pp_page_zones(void)
{
	u32 mask = 0;
	int zone;

	for (zone = 0; zone < MAX_NR_ZONES; zone++)
		mask |= BIT(pp_page_zone[zone]);
	return mask;
}

/**
 * pp_page_gate - what this kernel's long-term gate looks at
 *
 * folio_is_longterm_pinnable() calls the unexported reader of the pageblock
 * bitmap, so its rules stand here again.
 *
 * Return: PINPROBE_UNPINNABLE_*
 */
u32 pp_page_gate(void)
{
	u32 gate = 0;

	if (!IS_ENABLED(CONFIG_MIGRATION))
		return 0;
	gate |= PINPROBE_UNPINNABLE_MOVABLE;
	if (IS_ENABLED(CONFIG_CMA))
		gate |= PINPROBE_UNPINNABLE_CMA | PINPROBE_UNPINNABLE_ISOLATE;
	if (IS_ENABLED(CONFIG_DEVICE_PRIVATE))
		gate |= PINPROBE_UNPINNABLE_COHERENT;
	if (PP_GATE_CHECKS_FSDAX)
		gate |= PINPROBE_UNPINNABLE_FSDAX;
	return gate;
}

static u32 pp_page_unpinnable(const struct folio *folio, unsigned long pfn,
			      u8 zone, const struct pp_pageblock *block)
{
	u32 why = 0;

	if (block->migratetype == PINPROBE_MT_CMA)
		why |= PINPROBE_UNPINNABLE_CMA;
	if (block->isolated)
		why |= PINPROBE_UNPINNABLE_ISOLATE;
	/* The zero page is let through wherever else it lies. */
	if (zone == PINPROBE_ZONE_MOVABLE && !is_zero_pfn(pfn))
		why |= PINPROBE_UNPINNABLE_MOVABLE;
	if (zone == PINPROBE_ZONE_DEVICE) {
		if (folio_is_device_coherent(folio))
			why |= PINPROBE_UNPINNABLE_COHERENT;
		if (folio_is_fsdax(folio))
			why |= PINPROBE_UNPINNABLE_FSDAX;
	}
	return why & pp_page_gate();
}

/* Bits of the flags word that most pages have none of. */
#define PP_PAGE_UNUSUAL (BIT(PG_locked) | BIT(PG_writeback) | \
			 BIT(PG_unevictable) | BIT(PG_mlocked) | \
			 BIT(PG_swapcache) | BIT(PG_private) | \
			 PP_COMPAT_PG_HWPOISON)

static u64 pp_page_unusual_flags(struct folio *folio)
{
	u64 flags = 0;

	if (folio_test_swapcache(folio))
		flags |= PINPROBE_PAGE_SWAPCACHE;
	if (folio_test_locked(folio))
		flags |= PINPROBE_PAGE_LOCKED;
	if (folio_test_writeback(folio))
		flags |= PINPROBE_PAGE_WRITEBACK;
	if (folio_test_unevictable(folio))
		flags |= PINPROBE_PAGE_UNEVICTABLE;
	if (folio_test_mlocked(folio))
		flags |= PINPROBE_PAGE_MLOCKED;
	if (folio_test_hwpoison(folio))
		flags |= PINPROBE_PAGE_HWPOISON;
	if (folio_test_private(folio))
		flags |= PINPROBE_PAGE_PRIVATE;
	return flags;
}

static u64 pp_page_flags(struct folio *folio, unsigned long pfn)
{
	unsigned long word = pp_compat_folio_flags(folio);
	u64 flags = 0;

	if (folio_test_anon(folio)) {
		flags |= PINPROBE_PAGE_ANON;
		if (folio_test_ksm(folio))
			flags |= PINPROBE_PAGE_KSM;
	}
	if (word & BIT(PG_lru))
		flags |= PINPROBE_PAGE_LRU;
	if (word & BIT(PG_dirty))
		flags |= PINPROBE_PAGE_DIRTY;
	if (folio_test_large(folio)) {
		flags |= PINPROBE_PAGE_LARGE;
		if (folio_test_hugetlb(folio))
			flags |= PINPROBE_PAGE_HUGETLB;
	}
	if (is_zero_pfn(pfn))
		flags |= PINPROBE_PAGE_ZERO;
	if (unlikely(word & PP_PAGE_UNUSUAL))
		flags |= pp_page_unusual_flags(folio);
	return flags;
}

static void pp_page_counts(struct pinprobe_page *rec, struct folio *folio)
{
	int refs = folio_ref_count(folio);

	rec->refs = refs;
	rec->mapcount = folio_mapcount(folio);
	/* The rule of folio_maybe_dma_pinned(), and the count it looks at. */
	if (folio_has_pincount(folio))
		rec->pins = atomic_read(&folio->_pincount);
	else
		rec->pins = (u32)refs / GUP_PIN_COUNTING_BIAS;
	if (rec->pins)
		rec->flags |= PINPROBE_PAGE_MAYBE_PINNED;

	/*
	 * The zero page's mappings are not counted, and nobody can hold it:
	 * whatever it has is in order.
	 */
	if (rec->flags & PINPROBE_PAGE_ZERO)
		rec->refs_expected = refs;
	else if ((rec->flags & (PINPROBE_PAGE_ANON | PINPROBE_PAGE_SWAPCACHE)) ==
		 PINPROBE_PAGE_ANON)
		rec->refs_expected = rec->mapcount;
	else
		rec->refs_expected = folio_expected_ref_count(folio);
}

/**
 * pp_page_blank - start a record of something that is no page
 * @rec: the record
 * @addr: virtual address, bytes
 * @nr_pages: how many pages alike
 * @state: enum pinprobe_page_state
 */
void pp_page_blank(struct pinprobe_page *rec, u64 addr, u64 nr_pages, u8 state)
{
	/* Field by field: a string instruction for 64 bytes costs more. */
	rec->addr = addr;
	rec->pfn = 0;
	rec->nr_pages = nr_pages;
	rec->flags = 0;
	rec->node = NUMA_NO_NODE;
	rec->state = state;
	rec->zone = PINPROBE_ZONE_UNKNOWN;
	rec->migratetype = PINPROBE_MT_UNKNOWN;
	rec->order = 0;
	rec->refs = 0;
	rec->refs_expected = 0;
	rec->mapcount = 0;
	rec->pins = 0;
	rec->unpinnable = 0;
	rec->reserved = 0;
}

/**
 * pp_page_describe - fill in what is known of a page
 * @rec: a blank record
 * @page: the page, or NULL if its memory map is not online
 * @pfn: its PFN
 * @place: what was read for the page before it; starts out zeroed
 *
 * Takes no reference: one would be a holder itself. So the caller sees to it
 * that the page stays what it is meanwhile, by a hold of its own or by
 * noticing that its mapping changed.
 */
void pp_page_describe(struct pinprobe_page *rec, struct page *page,
		      unsigned long pfn, struct pp_page_place *place)
{
	struct folio *folio;

	if (!page) {
		rec->state = PINPROBE_STATE_OFFLINE;
		return;
	}

	folio = page_folio(page);
	rec->pfn = pfn;
	rec->state = PINPROBE_STATE_PRESENT;
	rec->node = page_to_nid(page);
	rec->zone = pp_page_zone[page_zonenum(page)];
	if (rec->zone == PINPROBE_ZONE_DEVICE) {
		*place = (struct pp_page_place){
			.block.migratetype = PINPROBE_MT_UNKNOWN,
		};
	} else if (!place->valid || pfn - place->first >= pageblock_nr_pages) {
		place->block = pp_pageblock_read(page, pfn);
		place->first = pfn & ~(pageblock_nr_pages - 1);
		place->valid = true;
	}
	rec->migratetype = place->block.migratetype;
	rec->flags |= pp_page_flags(folio, pfn);
	if (place->block.isolated)
		rec->flags |= PINPROBE_PAGE_ISOLATED;
	rec->order = folio_order(folio);
	rec->unpinnable = pp_page_unpinnable(folio, pfn, rec->zone,
					     &place->block);
	pp_page_counts(rec, folio);
}

/**
 * pp_page_find - the struct page of a PFN
 * @pfn: the PFN
 * @place: what was read for the page before it
 *
 * Return: the page, or NULL if nothing stands there that may be looked at.
 */
struct page *pp_page_find(unsigned long pfn, struct pp_page_place *place)
{
	struct page *page;

	/* No part of a memory map smaller than a pageblock is online alone. */
	if (place->valid && pfn - place->first < pageblock_nr_pages)
		return pfn_to_page(pfn);
	page = pfn_to_online_page(pfn);
	if (page)
		return page;
	/* Device memory has a memory map that never counts as online. */
	if (pfn_valid(pfn) && is_zone_device_page(pfn_to_page(pfn)))
		return pfn_to_page(pfn);
	return NULL;
}
