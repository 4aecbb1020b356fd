/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_COMPAT_FOLIO_H
#define PINPROBE_COMPAT_FOLIO_H

#include <linux/hugetlb.h>
#include <linux/memremap.h>
#include <linux/mm.h>
#include "page_folio.h"

/*
 * Kernels in which the flags word is a type of its own (memdesc_flags_t), so
 * that nobody takes it for a number.
 */
#ifdef PP_HAVE_FOLIO_FLAGS_TYPE
#define pp_compat_folio_flags(folio)	READ_ONCE((folio)->flags.f)
#else
#define pp_compat_folio_flags(folio)	READ_ONCE((folio)->flags)
#endif

#ifdef CONFIG_MEMORY_FAILURE
#define PP_COMPAT_PG_HWPOISON	BIT(PG_hwpoison)
#else
#define PP_COMPAT_PG_HWPOISON	0
#endif

/*
 * Before Linux kernel commit f25cbb7a95a2 ("mm: add zone device coherent type memory
 * support") (in v6.0) there was none.
 */
#ifdef PP_HAVE_FOLIO_IS_DEVICE_COHERENT
#define PP_GATE_CHECKS_COHERENT		1
#else
#define PP_GATE_CHECKS_COHERENT		0
static inline bool folio_is_device_coherent(const struct folio *folio)
{
	return false;
}
#endif

/*
 * Before "mm/gup: don't allow FOLL_LONGTERM pinning of FS DAX pages" (in v6.15)
 * the long-term gate did not look for fsdax folios: GUP refused the mapping
 * (vma_is_fsdax()), so that no page of one ever came to the gate. Nor before
 * Linux kernel commit 38607c62b34b ("fs/dax: properly refcount fs dax pages") (in
 * v6.15) did a mapping count as a reference: each page had one of its own, which
 * is as many as its mapping, no cache either, is taken for.
 */
#ifdef PP_HAVE_FOLIO_IS_FSDAX
#define PP_GATE_CHECKS_FSDAX	1
#else
#define PP_GATE_CHECKS_FSDAX	0
static inline bool folio_is_fsdax(const struct folio *folio)
{
	return false;
}
#endif

/*
 * Before "mm: track mapcount of large folios in single value" (in v6.10) the
 * mappings of a large folio had to be added up, by a function that modules do
 * not get. Before "mm,thp,rmap: simplify compound page mapcount handling" (in
 * v6.2) a mapping of all of a THP was counted in each of its pages as well:
 * always for a file, and for anon memory while it was mapped both ways.
 *
 * @folio may be a copy; @pages are where the folio's pages are.
 */
static inline int pp_compat_mapcount(struct folio *folio,
				     const struct page *pages)
{
#ifdef PP_HAVE_FOLIO_LARGE_MAPCOUNT
	return folio_mapcount(folio);
#else
	int whole, count, i, nr;

	if (!folio_test_large(folio))
		return atomic_read(&folio->page._mapcount) + 1;
	whole = folio_entire_mapcount(folio);
	if (folio_test_hugetlb(folio))
		return whole;
	nr = folio_nr_pages(folio);
	count = whole;
	for (i = 0; i < nr; i++)
		count += atomic_read(&pages[i]._mapcount) + 1;
#ifdef PP_HAVE_FOLIO_DOUBLE_MAP
	if (!folio_test_anon(folio))
		count -= whole * nr;
	else if (folio_test_double_map(folio))
		count -= nr;
#endif
	return count;
#endif
}

/*
 * The references that mappings and caches account for. The kernel's own
 * folio_expected_ref_count() warns about a page that is none of user memory any
 * more, which one that nobody holds may become at any time.
 */
static inline int pp_compat_expected_refs(struct folio *folio, int mapcount)
{
	const int order = folio_order(folio);
	int refs = folio_test_swapcache(folio) << order;

	if (!folio_test_anon(folio)) {
		refs += !!folio->mapping << order;
		refs += folio_test_private(folio);
	}
	return refs + mapcount;
}

#endif /* PINPROBE_COMPAT_FOLIO_H */
