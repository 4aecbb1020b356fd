/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_PAGE_H
#define PINPROBE_PAGE_H

#include <linux/types.h>

#include "pageblock.h"

struct page;
struct pinprobe_page;

/**
 * struct pp_page_place - what the pages of one pageblock have in common
 * @first: first PFN of the block
 * @zone_id: node and zone, as page_zone_id(); a block may span two zones
 * @valid: the rest was read
 * @zone: enum pinprobe_zone
 * @block: what the pageblock bitmap says
 * @node: NUMA node
 * @unpinnable: PINPROBE_UNPINNABLE_* for any page of it
 * @flags: PINPROBE_PAGE_* for any page of it
 *
 * Neighbours mostly lie in the same block: it is looked up once for them.
 */
struct pp_page_place {
	unsigned long first;
	int zone_id;
	bool valid;
	u8 zone;
	struct pp_pageblock block;
	int node;
	u32 unpinnable;
	u64 flags;
};

u32 pp_page_gate(void);
u32 pp_page_zones(void);
void pp_page_blank(struct pinprobe_page *rec, u64 addr, u64 nr_pages, u8 state);
void pp_page_describe(struct pinprobe_page *rec, u64 addr, u64 flags,
		      struct page *page, unsigned long pfn,
		      struct pp_page_place *place);
void pp_page_entries(struct pinprobe_page *recs, const unsigned long *entries,
		     unsigned long nr, u64 addr, u64 flags);

#endif /* PINPROBE_PAGE_H */
