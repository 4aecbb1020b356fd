// SPDX-License-Identifier: GPL-2.0
/* the flags word of a folio is a type of its own */
#include <linux/mm.h>

unsigned long probe(struct folio *folio);
unsigned long probe(struct folio *folio)
{
	return folio->flags.f;
}
