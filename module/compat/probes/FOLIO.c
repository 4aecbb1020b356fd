// SPDX-License-Identifier: GPL-2.0
/* struct folio and its accessors: 7b230db3b8d3, v5.16 */
#include <linux/mm.h>

int probe(struct page *page);
int probe(struct page *page)
{
	return folio_order(page_folio(page));
}
