// SPDX-License-Identifier: GPL-2.0
/* pin_user_pages_unlocked() takes FOLL_LONGTERM: v6.3, which hid FOLL_PIN */
#include <linux/mm.h>

int probe(struct page *page);
int probe(struct page *page)
{
	const unsigned int FOLL_PIN = 0;

	return pin_user_pages_unlocked(0, 1, &page, FOLL_LONGTERM | FOLL_PIN);
}
