// SPDX-License-Identifier: GPL-2.0
/* What page records add up to: what had to move, did, did not, and is held. */
#include <string.h>
#include "page.h"
#include "verdict.h"

static bool seen(const struct pinprobe_page *page)
{
	return page_present(page) && !(page->flags & PINPROBE_PAGE_RACY);
}

static uint64_t folio_of(const struct pinprobe_page *page)
{
	return page->pfn >> page->order;
}

/* Whether @page is in the folio of the record before it. */
static bool same_folio(const struct pinprobe_page *pages, size_t i)
{
	return i && page_present(&pages[i - 1]) &&
	       pages[i - 1].order == pages[i].order &&
	       folio_of(&pages[i - 1]) == folio_of(&pages[i]);
}

static void count_unpinned(const struct pinprobe_page *page,
			   struct verdict_pages *count)
{
	count->unpinned++;
	if (page_held(page))
		count->referenced++;
}

void verdict_count(const struct pinprobe_page *pages, size_t nr,
		   struct verdict_pages *count)
{
	size_t i;

	memset(count, 0, sizeof(*count));
	count->pages = nr;
	for (i = 0; i < nr; i++) {
		const struct pinprobe_page *page = &pages[i];

		if (page->state == PINPROBE_STATE_SPECIAL)
			count->special++;
		if (page->state == PINPROBE_STATE_UNMAPPED)
			count->unmapped++;
		/* GUP hands out the zero page without a pin: nothing to hold. */
		if (!seen(page))
			count->unseen++;
		else if (!page_pinned(page) && !(page->flags & PINPROBE_PAGE_ZERO))
			count_unpinned(page, count);
		if (!page_present(page))
			continue;
		if (seen(page) && page_held(page) && page->flags & PINPROBE_PAGE_ANON)
			count->held_anon++;
		if (!page->unpinnable)
			continue;
		count->unpinnable++;
		if (page->flags & PINPROBE_PAGE_WRITEBACK)
			count->written++;
		if (!(page->flags & (PINPROBE_PAGE_LRU | PINPROBE_PAGE_HUGETLB)))
			count->off_list++;
		if (!same_folio(pages, i))
			count->unpinnable_folios++;
	}
}

/* Pages of a folio that lie outside of all @nr records; it moves as a whole. */
static uint64_t outside(const struct pinprobe_page *pages, size_t nr, size_t i)
{
	uint64_t size = 1ULL << pages[i].order;
	uint64_t at = pages[i].pfn & (size - 1);

	return (i ? 0 : at) + (i == nr - 1 ? size - at - 1 : 0);
}

void verdict_compare(const struct pinprobe_page *before,
		     const struct pinprobe_page *after, size_t nr,
		     struct verdict_change *change)
{
	bool stuck, was_stuck = false, in_tried = false;
	size_t tried = nr, i;

	memset(change, 0, sizeof(*change));
	for (i = 0; i < nr; i++, was_stuck = stuck) {
		stuck = false;
		if (!page_present(&before[i]) || !page_present(&after[i]))
			continue;
		if (~before[i].flags & after[i].flags & PINPROBE_PAGE_WRITE)
			change->opened++;
		if (before[i].pfn != after[i].pfn) {
			change->moved++;
			continue;
		}
		change->stayed++;
		stuck = before[i].unpinnable && after[i].unpinnable;
		if (!stuck)
			continue;
		if (!change->stuck_pages++)
			tried = (i / VERDICT_BATCH + 1) * VERDICT_BATCH;
		/* A folio that begins in the batch is tried as a whole. */
		in_tried = i < tried || (in_tried && same_folio(after, i));
		if (in_tried && page_held(&after[i]))
			change->held_pages += 1 + outside(after, nr, i);
		if (was_stuck && same_folio(after, i))
			continue;
		change->stuck_folios++;
		if (i >= tried)
			continue;
		if (page_pinned(&after[i]))
			change->stuck_pinned++;
		else if (page_held(&after[i]))
			change->stuck_referenced++;
	}
}
