/* SPDX-License-Identifier: GPL-2.0 */
/* A page frame as the kernel's own structures have it. */
#ifndef PINPROBE_LOOK_H
#define PINPROBE_LOOK_H

#include <stdbool.h>
#include <stdint.h>

/* What a page is mapped from. */
enum page_mapping {
	PAGE_MAPPING_NONE,
	PAGE_MAPPING_ANON,
	PAGE_MAPPING_KSM,
	PAGE_MAPPING_FILE,	/* it is in a page cache */
	PAGE_MAPPING_DRIVER,	/* movable, and on no LRU list */
};

/**
 * struct page_look - the folio of a page frame, as it was at that moment
 * @pfn:	of the head page
 * @flags:	the flags word of struct page; its bits depend on the kernel
 * @refcount:	references of the folio
 * @mapcount:	how often it is mapped, all of its pages together; -1: not known
 * @pincount:	FOLL_PIN count of a large folio; 0 for a small one
 * @order:	of the folio
 * @migratetype: of the pageblock, enum pinprobe_migratetype
 * @mapping:	what kind of mapping the pages belong to
 *
 * Reading takes no reference, so that the values need not be of one instant.
 */
struct page_look {
	uint64_t pfn;
	uint64_t flags;
	int32_t refcount;
	int32_t mapcount;
	int32_t pincount;
	uint32_t order;
	uint32_t migratetype;
	enum page_mapping mapping;
};

/**
 * page_look() - looks at a page frame
 * @pfn:	any page of the folio
 * @look:	filled in
 *
 * Return: false if that is not possible here.
 */
bool page_look(uint64_t pfn, struct page_look *look);

#define PAGE_BLOCKS	4096

/**
 * page_blocks() - migratetypes of pageblocks that lie side by side
 * @pfn:	of the first page of the first
 * @nr:		how many, PAGE_BLOCKS at most
 * @block_pages: pages of a block, as the caller has it
 * @types:	enum pinprobe_migratetype of each
 *
 * Return: false if that is not possible here, or blocks have another size.
 */
bool page_blocks(uint64_t pfn, uint32_t nr, uint64_t block_pages, uint8_t *types);

/* Whether these two fail for want of privilege. */
bool page_look_denied(void);

#endif
