// SPDX-License-Identifier: GPL-2.0
/* the mm_migrate_pages event tells splits of THP and of other folios apart */
#include <linux/mm.h>
#include <linux/migrate_mode.h>
#include <trace/events/migrate.h>

void probe(void);
void probe(void)
{
	trace_mm_migrate_pages(0, 0, 0, 0, 0, 0, MIGRATE_SYNC, MR_LONGTERM_PIN);
}
