/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_COMPAT_PAGE_FOLIO_H
#define PINPROBE_COMPAT_PAGE_FOLIO_H

#include <linux/hugetlb.h>
#include <linux/mm.h>
#include <linux/page-flags.h>

/*
 * Before Linux kernel commit 7b230db3b8d3 ("mm: Introduce struct folio") (in v5.16)
 * there were only pages, and what is asked of a folio now was asked of the first page
 * of a compound one. The names that the module uses, over that.
 */
#ifndef PP_HAVE_FOLIO
struct folio {
	union {
		struct {
			unsigned long flags;
			struct list_head lru;
			struct address_space *mapping;
		};
		struct page page;
	};
};

#define PP_FOLIO_SAME(member)						\
	static_assert(offsetof(struct folio, member) ==			\
		      offsetof(struct page, member))
PP_FOLIO_SAME(flags);
PP_FOLIO_SAME(lru);
PP_FOLIO_SAME(mapping);
#undef PP_FOLIO_SAME

#define page_folio(p)	((struct folio *)compound_head(p))

#define PP_FOLIO_TEST(name, test)					\
static inline bool folio_test_##name(struct folio *folio)		\
{									\
	return test(&folio->page);					\
}
PP_FOLIO_TEST(large, PageHead)
PP_FOLIO_TEST(hugetlb, PageHuge)
PP_FOLIO_TEST(anon, PageAnon)
PP_FOLIO_TEST(ksm, PageKsm)
PP_FOLIO_TEST(swapcache, PageSwapCache)
PP_FOLIO_TEST(locked, PageLocked)
PP_FOLIO_TEST(writeback, PageWriteback)
PP_FOLIO_TEST(unevictable, PageUnevictable)
PP_FOLIO_TEST(mlocked, PageMlocked)
PP_FOLIO_TEST(hwpoison, PageHWPoison)
PP_FOLIO_TEST(private, PagePrivate)
PP_FOLIO_TEST(double_map, PageDoubleMap)
#undef PP_FOLIO_TEST
#define PP_HAVE_FOLIO_DOUBLE_MAP 1

static inline unsigned int folio_order(struct folio *folio)
{
	return compound_order(&folio->page);
}

static inline long folio_nr_pages(struct folio *folio)
{
	return compound_nr(&folio->page);
}

static inline int folio_ref_count(struct folio *folio)
{
	return page_ref_count(&folio->page);
}

static inline int folio_entire_mapcount(struct folio *folio)
{
	return compound_mapcount(&folio->page);
}
#endif

/*
 * Large folios with an exact count of their pins. Before Linux kernel commit
 * 31a31da8a618 ("mm: move _pincount in folio to page[2] on 32bit") (in v6.15) every
 * one had it; before that of struct folio those that have a third page.
 */
#ifndef PP_HAVE_FOLIO
static inline bool folio_has_pincount(struct folio *folio)
{
	return hpage_pincount_available(&folio->page);
}
#elif !defined(PP_HAVE_FOLIO_HAS_PINCOUNT)
static inline bool folio_has_pincount(struct folio *folio)
{
	return folio_test_large(folio);
}
#endif

static inline int pp_compat_pincount(struct folio *folio)
{
#ifdef PP_HAVE_FOLIO
	return atomic_read(&folio->_pincount);
#else
	return compound_pincount(&folio->page);
#endif
}

#endif /* PINPROBE_COMPAT_PAGE_FOLIO_H */
