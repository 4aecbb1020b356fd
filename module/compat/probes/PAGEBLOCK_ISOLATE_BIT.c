// SPDX-License-Identifier: GPL-2.0
/* isolation is a bit beside the migratetype, not a migratetype in its place */
#include <linux/mmzone.h>

unsigned long probe(void);
unsigned long probe(void)
{
	return PAGEBLOCK_MIGRATETYPE_MASK | PAGEBLOCK_ISO_MASK;
}
