// SPDX-License-Identifier: GPL-2.0
/* pin_user_pages() and its like have no vmas argument: 4c630f307455, v6.5 */
#include <linux/mm.h>

long probe(struct page **pages);
long probe(struct page **pages)
{
	return pin_user_pages(0, 1, 0, pages);
}
