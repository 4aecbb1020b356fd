// SPDX-License-Identifier: GPL-2.0
/* the long-term gate looks at ZONE_MOVABLE, and its migrations have a reason: v5.13 */
#include <linux/migrate.h>

int probe(void);
int probe(void)
{
	return MR_LONGTERM_PIN;
}
