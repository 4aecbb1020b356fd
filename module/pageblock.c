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

/**
 * pp_pageblock_migratetype - the kernel's migratetype in our numbers
 * @raw: enum migratetype of this kernel's configuration
 *
 * Return: enum pinprobe_migratetype.
 */
u8 pp_pageblock_migratetype(unsigned int raw)
{
	switch (raw) {
	case MIGRATE_UNMOVABLE:
		return PINPROBE_MT_UNMOVABLE;
	case MIGRATE_MOVABLE:
		return PINPROBE_MT_MOVABLE;
	case MIGRATE_RECLAIMABLE:
		return PINPROBE_MT_RECLAIMABLE;
	case MIGRATE_HIGHATOMIC:
		return PINPROBE_MT_HIGHATOMIC;
#ifdef CONFIG_CMA
	case MIGRATE_CMA:
		return PINPROBE_MT_CMA;
#endif
#ifdef CONFIG_MEMORY_ISOLATION
	case MIGRATE_ISOLATE:
		return PINPROBE_MT_ISOLATE;
#endif
	default:
		return PINPROBE_MT_UNKNOWN;
	}
}

/**
 * pp_pageblock_migratetypes - what this kernel has
 *
 * Return: 1 << enum pinprobe_migratetype for each.
 */
u32 pp_pageblock_migratetypes(void)
{
	u32 mask = BIT(PINPROBE_MT_UNMOVABLE) | BIT(PINPROBE_MT_MOVABLE) |
		   BIT(PINPROBE_MT_RECLAIMABLE) | BIT(PINPROBE_MT_HIGHATOMIC);

	if (IS_ENABLED(CONFIG_CMA))
		mask |= BIT(PINPROBE_MT_CMA);
	if (IS_ENABLED(CONFIG_MEMORY_ISOLATION))
		mask |= BIT(PINPROBE_MT_ISOLATE);
	return mask;
}

/**
 * pp_pageblock_decode - the bits of one block
 * @bits: the block's NR_PAGEBLOCK_BITS bits of the bitmap
 *
 * Return: migratetype, and whether the block is isolated by whichever of the
 * two ways this kernel has.
 */
struct pp_pageblock pp_pageblock_decode(unsigned long bits)
{
	struct pp_pageblock block;

	block.migratetype = pp_pageblock_migratetype(bits & PP_MIGRATETYPE_MASK);
	block.isolated = block.migratetype == PINPROBE_MT_ISOLATE ||
			 (bits & PP_PAGEBLOCK_ISOLATE_MASK);
	return block;
}

#ifdef CONFIG_SPARSEMEM
static unsigned long pp_pageblock_bits(const struct page *page,
				       unsigned long pfn)
{
	struct mem_section *ms = __pfn_to_section(pfn);
	unsigned long bits = ~0UL, index;
	struct mem_section_usage *usage;
	const unsigned long *map;

	/*
	 * On hot-remove the usage is unlinked and then freed after an RCU
	 * grace period (5ec8e8ea8b77, "mm/sparsemem: fix race in accessing
	 * memory_section->usage", v6.8).
	 */
	rcu_read_lock_sched();
	usage = ms ? READ_ONCE(ms->usage) : NULL;
	if (usage) {
		index = ((pfn & (PAGES_PER_SECTION - 1)) >> pageblock_order) *
			NR_PAGEBLOCK_BITS;
		map = usage->pageblock_flags;
		bits = READ_ONCE(map[index / BITS_PER_LONG]);
		bits >>= index % BITS_PER_LONG;
		bits &= BIT(NR_PAGEBLOCK_BITS) - 1;
	}
	rcu_read_unlock_sched();
	return bits;
}
#else
static unsigned long pp_pageblock_bits(const struct page *page,
				       unsigned long pfn)
{
	const struct zone *zone = page_zone(page);
	unsigned long bits, index;

	index = pfn - (zone->zone_start_pfn & ~(pageblock_nr_pages - 1));
	index = (index >> pageblock_order) * NR_PAGEBLOCK_BITS;
	bits = READ_ONCE(zone->pageblock_flags[index / BITS_PER_LONG]);
	return (bits >> (index % BITS_PER_LONG)) & (BIT(NR_PAGEBLOCK_BITS) - 1);
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
	unsigned long bits = pp_pageblock_bits(page, pfn);

	if (bits == ~0UL)
		return (struct pp_pageblock){
			.migratetype = PINPROBE_MT_UNKNOWN,
		};
	return pp_pageblock_decode(bits);
}
