// SPDX-License-Identifier: GPL-2.0
/* folio_has_pincount() tells which folios count pins exactly */
#include <linux/mm.h>

bool probe(struct folio *folio);
bool probe(struct folio *folio)
{
	return folio_has_pincount(folio);
}
