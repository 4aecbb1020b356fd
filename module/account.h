/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What follows from what was read of a page: who accounts for its references,
 * and may it stay. Pure: kunit/ calls the same.
 */
#ifndef PINPROBE_ACCOUNT_H
#define PINPROBE_ACCOUNT_H

#include <linux/hugetlb.h>
#include <linux/mm.h>
#include <linux/page-flags.h>
#include <linux/types.h>
#include "pageblock_layout.h"

#include <linux/pinprobe.h>

/**
 * pp_account_block - why pages of this block may not stay
 * @block: the block
 * @gate: what this kernel's long-term gate looks at
 *
 * Holds for the zero page and for device memory, too.
 *
 * Return: PINPROBE_UNPINNABLE_*
 */
static inline u32 pp_account_block(const struct pp_pageblock *block, u32 gate)
{
	u32 why = 0;

	if (block->migratetype == PINPROBE_MT_CMA)
		why |= PINPROBE_UNPINNABLE_CMA;
	if (block->isolated)
		why |= PINPROBE_UNPINNABLE_ISOLATE;
	return why & gate;
}

/**
 * pp_account_zone - why pages of this zone may not stay
 * @zone: enum pinprobe_zone
 * @gate: what this kernel's long-term gate looks at
 *
 * Return: PINPROBE_UNPINNABLE_*
 */
static inline u32 pp_account_zone(u8 zone, u32 gate)
{
	return zone == PINPROBE_ZONE_MOVABLE ?
	       gate & PINPROBE_UNPINNABLE_MOVABLE : 0;
}

/**
 * pp_account_small_pins - the pins of a folio that has no count of them
 * @refs: its references
 */
static inline u32 pp_account_small_pins(s32 refs)
{
	return (u32)refs / GUP_PIN_COUNTING_BIAS;
}

/**
 * pp_account_plain - do mappings alone account for the references
 * @flags: PINPROBE_PAGE_* of the page
 *
 * So it is for most pages, and spares them a look at the caches.
 */
static inline bool pp_account_plain(u64 flags)
{
	const u64 caches = PINPROBE_PAGE_ANON | PINPROBE_PAGE_SWAPCACHE;

	return (flags & caches) == PINPROBE_PAGE_ANON;
}

/**
 * pp_account_refs - the references that mappings and caches account for
 * @snap: copy of the folio
 * @flags: PINPROBE_PAGE_* of the page
 * @mapcount: folio_mapcount() of it
 */
static inline s32 pp_account_refs(struct folio *snap, u64 flags, s32 mapcount)
{
	if (pp_account_plain(flags))
		return mapcount;
	/* No user's page any more, and what it has for a mapping is none. */
	if (page_has_type(&snap->page) && !folio_test_hugetlb(snap))
		return 0;
	return pp_compat_expected_refs(snap, mapcount);
}

/**
 * pp_account_zero - the record of the zero page
 * @rec: the record, filled in like any other
 *
 * The zero page's mappings are not counted, and nobody can hold it: whatever it
 * has is in order. The gate lets it through wherever but in CMA it lies.
 */
static inline void pp_account_zero(struct pinprobe_page *rec)
{
	rec->flags |= PINPROBE_PAGE_ZERO;
	rec->refs_expected = rec->refs;
	rec->unpinnable &= ~PINPROBE_UNPINNABLE_MOVABLE;
}

#endif /* PINPROBE_ACCOUNT_H */
