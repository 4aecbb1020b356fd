// SPDX-License-Identifier: GPL-2.0
/* folio_expected_ref_count() is shared with the rest of the kernel */
#include <linux/mm.h>

int probe(struct folio *folio);
int probe(struct folio *folio)
{
	return folio_expected_ref_count(folio);
}
