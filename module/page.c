// SPDX-License-Identifier: GPL-2.0
/* One page described: where it lies, who accounts for it, may it stay. */
#include <linux/hmm.h>
#include <linux/hugetlb.h>
#include <linux/memory_hotplug.h>
#include <linux/memremap.h>
#include <linux/mm.h>
#include <linux/page-flags.h>
#include "account.h"
#include "page.h"
#include "pageblock.h"
#include "snapshot.h"

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
	if (IS_ENABLED(CONFIG_CMA))
		gate |= PINPROBE_UNPINNABLE_CMA;
	if (PP_GATE_CHECKS_MOVABLE)
		gate |= PINPROBE_UNPINNABLE_MOVABLE;
	if (PP_GATE_CHECKS_MOVABLE && IS_ENABLED(CONFIG_CMA))
		gate |= PINPROBE_UNPINNABLE_ISOLATE;
	if (PP_GATE_CHECKS_COHERENT && IS_ENABLED(CONFIG_DEVICE_PRIVATE))
		gate |= PINPROBE_UNPINNABLE_COHERENT;
	if (PP_GATE_CHECKS_FSDAX)
		gate |= PINPROBE_UNPINNABLE_FSDAX;
	return gate;
}

static u32 pp_page_device_unpinnable(const struct folio *folio)
{
	u32 why = 0;

	if (folio_is_device_coherent(folio))
		why |= PINPROBE_UNPINNABLE_COHERENT;
	if (folio_is_fsdax(folio))
		why |= PINPROBE_UNPINNABLE_FSDAX;
	return why & pp_page_gate();
}

/* What an fsdax folio has for a mapping is no cache, and holds no reference. */
static void pp_page_device(struct pinprobe_page *rec, const struct folio *folio)
{
	rec->unpinnable |= pp_page_device_unpinnable(folio);
	if (folio_is_fsdax(folio))
		rec->refs_expected = rec->mapcount;
}

static void pp_page_place(struct pp_page_place *place, struct page *page,
			  unsigned long pfn)
{
	place->first = pfn & ~(pageblock_nr_pages - 1);
	place->zone_id = page_zone_id(page);
	place->node = page_to_nid(page);
	place->zone = pp_page_zone[page_zonenum(page)];
	place->block = (struct pp_pageblock){
		.migratetype = PINPROBE_MT_UNKNOWN,
	};
	/* Device memory need not be whole blocks, and has no bitmap. */
	place->valid = place->zone != PINPROBE_ZONE_DEVICE;
	if (place->valid)
		place->block = pp_pageblock_read(page, pfn);
	place->flags = place->block.isolated ? PINPROBE_PAGE_ISOLATED : 0;
	place->unpinnable = pp_account_block(&place->block, pp_page_gate()) |
			    pp_account_zone(place->zone, pp_page_gate());
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

static u64 pp_page_flags(struct folio *folio, unsigned long word)
{
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
	if (unlikely(word & PP_PAGE_UNUSUAL))
		flags |= pp_page_unusual_flags(folio);
	return flags;
}

static void pp_page_large(struct pinprobe_page *rec, struct folio *folio)
{
	rec->order = folio_order(folio);
	rec->flags |= PINPROBE_PAGE_LARGE;
	if (folio_test_hugetlb(folio))
		rec->flags |= PINPROBE_PAGE_HUGETLB;
	/* The rule of folio_maybe_dma_pinned(), and the count it looks at. */
	if (folio_has_pincount(folio))
		rec->pins = pp_compat_pincount(folio);
}

static void pp_page_counts(struct pinprobe_page *rec, struct folio *snap,
			   const struct page *pages)
{
	rec->mapcount = pp_compat_mapcount(snap, pages);
	rec->refs_expected = pp_account_refs(snap, rec->flags, rec->mapcount);
	if (rec->pins)
		rec->flags |= PINPROBE_PAGE_MAYBE_PINNED;
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

static __always_inline
void pp_page_fill_folio(struct pinprobe_page *rec, u64 addr, u64 flags,
			struct page *page, unsigned long pfn,
			struct pp_page_place *place, struct folio *folio,
			const struct page *pages)
{
	unsigned long word;

	if (!place->valid || pfn - place->first >= pageblock_nr_pages ||
	    page_zone_id(page) != place->zone_id)
		pp_page_place(place, page, pfn);

	word = pp_compat_folio_flags(folio);
	rec->addr = addr;
	rec->pfn = pfn;
	rec->nr_pages = 1;
	rec->flags = flags | place->flags | pp_page_flags(folio, word);
	rec->node = place->node;
	rec->state = PINPROBE_STATE_PRESENT;
	rec->zone = place->zone;
	rec->migratetype = place->block.migratetype;
	rec->order = 0;
	rec->refs = folio_ref_count(folio);
	rec->pins = pp_account_small_pins(rec->refs);
	rec->unpinnable = place->unpinnable;
	rec->reserved = 0;
	if (word & BIT(PG_head))
		pp_page_large(rec, folio);
	pp_page_counts(rec, folio, pages);
	if (is_zero_pfn(pfn))
		pp_account_zero(rec);
	if (place->zone == PINPROBE_ZONE_DEVICE)
		pp_page_device(rec, folio);
}

/* Not inlined: its room on the stack would slow down all others. */
static noinline
void pp_page_fill_copy(struct pinprobe_page *rec, u64 addr, u64 flags,
		       struct page *page, unsigned long pfn,
		       struct pp_page_place *place)
{
	union pp_snapshot snap;
	const struct page *pages = pp_snapshot_take(&snap, page);

	if (pages)
		pp_page_fill_folio(rec, addr, flags, page, pfn, place,
				   &snap.folio, pages);
	else
		/* So its mapping went, which the reader notices. */
		pp_page_blank(rec, addr, 1, PINPROBE_STATE_ABSENT);
}

/*
 * The accessors check a folio with CONFIG_DEBUG_VM_PGFLAGS only, and only for a
 * large one do they go from page to page. Without either a copy would cost more
 * than all of the rest.
 */
static __always_inline
void pp_page_fill(struct pinprobe_page *rec, u64 addr, u64 flags,
		  struct page *page, unsigned long pfn,
		  struct pp_page_place *place)
{
	struct folio *folio;

	if (!page) {
		pp_page_blank(rec, addr, 1, PINPROBE_STATE_OFFLINE);
		return;
	}
	folio = page_folio(page);
	if (IS_ENABLED(CONFIG_DEBUG_VM_PGFLAGS) ||
	    unlikely(folio_test_large(folio)))
		pp_page_fill_copy(rec, addr, flags, page, pfn, place);
	else
		pp_page_fill_folio(rec, addr, flags, page, pfn, place, folio,
				   &folio->page);
}

/**
 * pp_page_describe - the record of a page
 * @rec: out: the record
 * @addr: virtual address, bytes
 * @flags: PINPROBE_PAGE_* that the caller knows
 * @page: the page, or NULL if its memory map is not online
 * @pfn: its PFN
 * @place: what was read for the page before it; starts out zeroed
 *
 * Takes no reference: one would be a holder itself. So the caller sees to it
 * that the page stays what it is meanwhile, by a hold of its own or by
 * noticing that its mapping changed.
 */
void pp_page_describe(struct pinprobe_page *rec, u64 addr, u64 flags,
		      struct page *page, unsigned long pfn,
		      struct pp_page_place *place)
{
	pp_page_fill(rec, addr, flags, page, pfn, place);
}

static struct page *pp_page_find(unsigned long pfn)
{
	struct page *page = pfn_to_online_page(pfn);

	if (page)
		return page;
	/* Device memory has a memory map that never counts as online. */
	if (pfn_valid(pfn) && is_zone_device_page(pfn_to_page(pfn)))
		return pfn_to_page(pfn);
	return NULL;
}

/* No part of a memory map smaller than a pageblock is online alone. */
static bool pp_page_near(const struct pp_page_place *place, unsigned long pfn)
{
	return place->valid && pfn - place->first < pageblock_nr_pages;
}

/**
 * pp_page_entries - the records of what a piece of a page table says
 * @recs: out: a record for each entry
 * @entries: as hmm_range_fault() gives them
 * @nr: how many
 * @addr: virtual address of the first, bytes
 * @flags: PINPROBE_PAGE_* that all of them get
 *
 * As pp_page_describe().
 */
void pp_page_entries(struct pinprobe_page *recs, const unsigned long *entries,
		     unsigned long nr, u64 addr, u64 flags)
{
	struct pp_page_place place = {};
	unsigned long i, entry, pfn;
	u64 write;

	for (i = 0; i < nr; i++, addr += PAGE_SIZE) {
		entry = entries[i];
		if (!(entry & HMM_PFN_VALID) || entry & HMM_PFN_ERROR) {
			pp_page_blank(&recs[i], addr, 1, entry & HMM_PFN_ERROR ?
				      PINPROBE_STATE_SPECIAL :
				      PINPROBE_STATE_ABSENT);
			recs[i].flags = flags;
			continue;
		}
		write = entry & HMM_PFN_WRITE ? PINPROBE_PAGE_WRITE : 0;
		pfn = entry & ~HMM_PFN_FLAGS;
		pp_page_fill(&recs[i], addr, flags | write,
			     pp_page_near(&place, pfn) ? pfn_to_page(pfn) :
							 pp_page_find(pfn),
			     pfn, &place);
	}
}
