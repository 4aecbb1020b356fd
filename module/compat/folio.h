/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_COMPAT_FOLIO_H
#define PINPROBE_COMPAT_FOLIO_H

#include <linux/memremap.h>
#include <linux/mm.h>

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
 * Before Linux kernel commit 31a31da8a618 ("mm: move _pincount in folio to
 * page[2] on 32bit") (in v6.15), every large folio kept an exact count.
 */
#ifndef PP_HAVE_FOLIO_HAS_PINCOUNT
static inline bool folio_has_pincount(const struct folio *folio)
{
	return folio_test_large(folio);
}
#endif

/*
 * Before "mm/gup: don't allow FOLL_LONGTERM pinning of FS DAX pages" (in v6.15)
 * the long-term gate did not look for fsdax folios: GUP refused the mapping
 * (vma_is_fsdax()), so that no page of one ever came to the gate.
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
 * Before Linux kernel commit 86ebd50224c0 ("mm: add folio_expected_ref_count()
 * for reference count calculation") (in v6.16), the references that mappings
 * and caches account for were counted by each user, for migration in
 * folio_expected_refs() of mm/migrate.c.
 */
#ifndef PP_HAVE_FOLIO_EXPECTED_REF_COUNT
static inline int folio_expected_ref_count(const struct folio *folio)
{
	const int order = folio_order((struct folio *)folio);
	int refs = 0;

	if (folio_test_anon(folio)) {
		refs += folio_test_swapcache((struct folio *)folio) << order;
	} else {
		refs += !!folio->mapping << order;
		refs += folio_test_private((struct folio *)folio);
	}
	return refs + folio_mapcount((struct folio *)folio);
}
#endif

#endif /* PINPROBE_COMPAT_FOLIO_H */
