/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_COMPAT_FOLIO_H
#define PINPROBE_COMPAT_FOLIO_H

#include <linux/memremap.h>
#include <linux/mm.h>

/*
 * Kernels that have folio_has_pincount() keep an exact count for those folios
 * alone that it names; before, every large folio had one.
 */
#ifndef PP_HAVE_FOLIO_HAS_PINCOUNT
static inline bool folio_has_pincount(const struct folio *folio)
{
	return folio_test_large(folio);
}
#endif

/*
 * Kernels that have folio_is_fsdax() refuse fsdax folios in the long-term gate;
 * before, GUP refused the mapping (vma_is_fsdax()), so that no page of one ever
 * came to the gate.
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
 * The references that mappings and caches account for. Kernels that have the
 * function count the same for migration; those before did it by hand in
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
