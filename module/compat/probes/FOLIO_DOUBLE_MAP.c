// SPDX-License-Identifier: GPL-2.0
/* mappings of a THP are counted in its pages once more, or in all of them */
#include <linux/mm.h>

bool probe(struct folio *folio);
bool probe(struct folio *folio)
{
	return folio_test_double_map(folio);
}
