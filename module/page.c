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

static u8 pp_page_zone(enum zone_type zone)
{
	switch (zone) {
#ifdef CONFIG_ZONE_DMA
	case ZONE_DMA:
		return PINPROBE_ZONE_DMA;
#endif
#ifdef CONFIG_ZONE_DMA32
	case ZONE_DMA32:
		return PINPROBE_ZONE_DMA32;
#endif
#ifdef CONFIG_HIGHMEM
	case ZONE_HIGHMEM:
		return PINPROBE_ZONE_HIGHMEM;
#endif
#ifdef CONFIG_ZONE_DEVICE
	case ZONE_DEVICE:
		return PINPROBE_ZONE_DEVICE;
#endif
	case ZONE_NORMAL:
		return PINPROBE_ZONE_NORMAL;
	case ZONE_MOVABLE:
		return PINPROBE_ZONE_MOVABLE;
	default:
		return PINPROBE_ZONE_UNKNOWN;
	}
}

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
		mask |= BIT(pp_page_zone(zone));
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
			      const struct pp_pageblock *block)
{
	u32 why = 0;

	if (block->migratetype == PINPROBE_MT_CMA)
		why |= PINPROBE_UNPINNABLE_CMA;
	if (block->isolated)
		why |= PINPROBE_UNPINNABLE_ISOLATE;
	/* The zero page is let through wherever else it lies. */
	if (!is_zero_pfn(pfn)) {
		if (folio_is_device_coherent(folio))
			why |= PINPROBE_UNPINNABLE_COHERENT;
		if (folio_is_fsdax(folio))
			why |= PINPROBE_UNPINNABLE_FSDAX;
		if (folio_zonenum(folio) == ZONE_MOVABLE)
			why |= PINPROBE_UNPINNABLE_MOVABLE;
	}
	return why & pp_page_gate();
}

static u64 pp_page_flags(struct folio *folio, unsigned long pfn)
{
	u64 flags = 0;

	if (folio_maybe_dma_pinned(folio))
		flags |= PINPROBE_PAGE_MAYBE_PINNED;
	if (folio_test_anon(folio))
		flags |= PINPROBE_PAGE_ANON;
	if (folio_test_ksm(folio))
		flags |= PINPROBE_PAGE_KSM;
	if (folio_test_lru(folio))
		flags |= PINPROBE_PAGE_LRU;
	if (folio_test_large(folio))
		flags |= PINPROBE_PAGE_LARGE;
	if (folio_test_hugetlb(folio))
		flags |= PINPROBE_PAGE_HUGETLB;
	if (is_zero_pfn(pfn))
		flags |= PINPROBE_PAGE_ZERO;
	if (folio_test_swapcache(folio))
		flags |= PINPROBE_PAGE_SWAPCACHE;
	if (folio_test_locked(folio))
		flags |= PINPROBE_PAGE_LOCKED;
	if (folio_test_dirty(folio))
		flags |= PINPROBE_PAGE_DIRTY;
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

static void pp_page_counts(struct pinprobe_page *rec, struct folio *folio)
{
	int refs = folio_ref_count(folio);

	rec->refs = refs;
	rec->mapcount = folio_mapcount(folio);
	if (folio_has_pincount(folio))
		rec->pins = atomic_read(&folio->_pincount);
	else
		rec->pins = (u32)refs / GUP_PIN_COUNTING_BIAS;

	/*
	 * The zero page's mappings are not counted, and nobody can hold it:
	 * whatever it has is in order.
	 */
	if (rec->flags & PINPROBE_PAGE_ZERO)
		rec->refs_expected = refs;
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
	*rec = (struct pinprobe_page){
		.addr = addr,
		.nr_pages = nr_pages,
		.node = NUMA_NO_NODE,
		.state = state,
		.zone = PINPROBE_ZONE_UNKNOWN,
		.migratetype = PINPROBE_MT_UNKNOWN,
	};
}

/**
 * pp_page_describe - fill in what is known of a page
 * @rec: a blank record
 * @page: the page, or NULL if its memory map is not online
 * @pfn: its PFN
 *
 * Takes no reference: one would be a holder itself. So the caller sees to it
 * that the page stays what it is meanwhile, by a hold of its own or by
 * noticing that its mapping changed.
 */
void pp_page_describe(struct pinprobe_page *rec, struct page *page,
		      unsigned long pfn)
{
	struct pp_pageblock block = { .migratetype = PINPROBE_MT_UNKNOWN };
	struct folio *folio;

	rec->pfn = pfn;
	if (!page) {
		rec->state = PINPROBE_STATE_OFFLINE;
		rec->pfn = 0;
		return;
	}

	folio = page_folio(page);
	rec->state = PINPROBE_STATE_PRESENT;
	rec->node = page_to_nid(page);
	rec->zone = pp_page_zone(page_zonenum(page));
	if (rec->zone != PINPROBE_ZONE_DEVICE)
		block = pp_pageblock_read(page, pfn);
	rec->migratetype = block.migratetype;
	rec->flags |= pp_page_flags(folio, pfn);
	if (block.isolated)
		rec->flags |= PINPROBE_PAGE_ISOLATED;
	rec->order = folio_order(folio);
	rec->unpinnable = pp_page_unpinnable(folio, pfn, &block);
	pp_page_counts(rec, folio);
}

/**
 * pp_page_find - the struct page of a PFN
 * @pfn: the PFN
 *
 * Return: the page, or NULL if nothing stands there that may be looked at.
 */
struct page *pp_page_find(unsigned long pfn)
{
	struct page *page = pfn_to_online_page(pfn);

	if (page)
		return page;
	/* Device memory has a memory map that never counts as online. */
	if (pfn_valid(pfn) && is_zone_device_page(pfn_to_page(pfn)))
		return pfn_to_page(pfn);
	return NULL;
}
