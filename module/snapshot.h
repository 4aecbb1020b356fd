/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A folio as it was at one moment. Nothing keeps it from being freed and becoming
 * something else while it is described: the kernel's own accessors take that for
 * corruption (VM_BUG_ON_PGFLAGS with CONFIG_DEBUG_VM_PGFLAGS). On a copy they can
 * be relied on.
 */
#ifndef PINPROBE_SNAPSHOT_H
#define PINPROBE_SNAPSHOT_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/mm.h>
#include <linux/page-flags.h>

/*
 * struct folio covers the pages that it has names for: four of them now, not even
 * two in 6.1. Its accessors go by pages.
 */
union pp_snapshot {
	struct folio folio;
	struct page pages[4];
};

static __always_inline void pp_snapshot_page(struct page *to,
					     const struct page *from)
{
	const unsigned long *src = (const unsigned long *)from;
	unsigned long *dst = (unsigned long *)to;
	size_t i;

	BUILD_BUG_ON(sizeof(*to) % sizeof(*dst));
	for (i = 0; i < sizeof(*to) / sizeof(*dst); i++)
		dst[i] = READ_ONCE(src[i]);
}

/**
 * pp_snapshot_take - copy the folio that a page is part of
 * @snap: out: the copy. What a small folio does not have is not written.
 * @page: the page; may change meanwhile
 *
 * Return: the first page of the folio, NULL if that has become part of another.
 */
static __always_inline struct page *pp_snapshot_take(union pp_snapshot *snap,
						     struct page *page)
{
	struct page *head = &page_folio(page)->page, *to = snap->pages;

	BUILD_BUG_ON(sizeof(snap->folio) > sizeof(snap->pages));
	pp_snapshot_page(to, head);
	if (unlikely(PageTail(to)))
		return NULL;
	if (likely(!folio_test_large(&snap->folio)))
		return head;
	/* Two pages may be all there is, and all that the memory map has. */
	pp_snapshot_page(to + 1, head + 1);
	if (folio_order(&snap->folio) > 1) {
		pp_snapshot_page(to + 2, head + 2);
		pp_snapshot_page(to + 3, head + 3);
	}
	return head;
}

#endif /* PINPROBE_SNAPSHOT_H */
