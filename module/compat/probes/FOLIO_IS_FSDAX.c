// SPDX-License-Identifier: GPL-2.0
/* the long-term gate looks for fsdax folios */
#include <linux/memremap.h>
#include <linux/mm.h>

bool probe(struct folio *folio);
bool probe(struct folio *folio)
{
	return folio_is_fsdax(folio);
}
