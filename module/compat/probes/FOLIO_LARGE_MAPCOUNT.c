// SPDX-License-Identifier: GPL-2.0
/* a large folio has one count of all its mappings: v6.10 */
#include <linux/mm.h>

int probe(struct folio *folio);
int probe(struct folio *folio)
{
	return atomic_read(&folio->_large_mapcount);
}
