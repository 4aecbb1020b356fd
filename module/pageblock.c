// SPDX-License-Identifier: GPL-2.0
/*
 * The migratetype of a pageblock. get_pfnblock_migratetype() and its
 * predecessors are not exported, the bitmap they read is reachable.
 */
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/pageblock-flags.h>
#include <linux/rcupdate.h>
#include "pageblock.h"

#include <linux/pinprobe.h>

static const struct pp_pageblock_layout pp_pageblock_here = {
	.migratetype_mask = PP_MIGRATETYPE_MASK,
	.isolate_mask = PP_PAGEBLOCK_ISOLATE_MASK,
	.raw = PP_PAGEBLOCK_RAW,
};

/**
 * pp_pageblock_migratetypes - what this kernel has
 *
 * Return: 1 << enum pinprobe_migratetype for each.
 */
u32 pp_pageblock_migratetypes(void)
{
	return pp_pageblock_types(&pp_pageblock_here);
}

#ifdef CONFIG_SPARSEMEM
static bool pp_pageblock_find(const struct page *page, unsigned long pfn,
			      unsigned long *bits)
{
	unsigned long block = (pfn & (PAGES_PER_SECTION - 1)) >> pageblock_order;
	struct mem_section *ms = __pfn_to_section(pfn);
	struct mem_section_usage *usage;

	/*
	 * On hot-remove the usage is unlinked and then freed after an RCU
	 * grace period (5ec8e8ea8b77, "mm/sparsemem: fix race in accessing
	 * memory_section->usage", v6.8).
	 */
	rcu_read_lock_sched();
	usage = ms ? READ_ONCE(ms->usage) : NULL;
	if (usage)
		*bits = pp_pageblock_bits(usage->pageblock_flags, block,
					  NR_PAGEBLOCK_BITS);
	rcu_read_unlock_sched();
	return usage;
}
#else
static bool pp_pageblock_find(const struct page *page, unsigned long pfn,
			      unsigned long *bits)
{
	const struct zone *zone = page_zone(page);
	unsigned long start = zone->zone_start_pfn & ~(pageblock_nr_pages - 1);

	*bits = pp_pageblock_bits(zone->pageblock_flags,
				  (pfn - start) >> pageblock_order,
				  NR_PAGEBLOCK_BITS);
	return true;
}
#endif

/**
 * pp_pageblock_read - what the bitmap says of the block a page lies in
 * @page: a page whose memory map is online
 * @pfn: its PFN
 *
 * Racy by nature: the block may be isolated or claimed by another type at any
 * time.
 */
struct pp_pageblock pp_pageblock_read(const struct page *page,
				      unsigned long pfn)
{
	unsigned long bits;

	if (!pp_pageblock_find(page, pfn, &bits))
		return (struct pp_pageblock){
			.migratetype = PINPROBE_MT_UNKNOWN,
		};
	return pp_pageblock_decode(&pp_pageblock_here, bits);
}
