/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_PAGE_H
#define PINPROBE_PAGE_H

#include <linux/types.h>

struct page;
struct pinprobe_page;

u32 pp_page_gate(void);
u32 pp_page_zones(void);
void pp_page_blank(struct pinprobe_page *rec, u64 addr, u64 nr_pages, u8 state);
void pp_page_describe(struct pinprobe_page *rec, struct page *page,
		      unsigned long pfn);
struct page *pp_page_find(unsigned long pfn);

#endif /* PINPROBE_PAGE_H */
