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
 * @valid: the rest was read
 * @block: what the pageblock bitmap says
 *
 * Neighbours mostly lie in the same block: it is looked up once for them.
 */
struct pp_page_place {
	unsigned long first;
	bool valid;
	struct pp_pageblock block;
};

u32 pp_page_gate(void);
u32 pp_page_zones(void);
void pp_page_blank(struct pinprobe_page *rec, u64 addr, u64 nr_pages, u8 state);
void pp_page_describe(struct pinprobe_page *rec, struct page *page,
		      unsigned long pfn, struct pp_page_place *place);
struct page *pp_page_find(unsigned long pfn, struct pp_page_place *place);

#endif /* PINPROBE_PAGE_H */
