// SPDX-License-Identifier: GPL-2.0
/* an mm_migrate_pages_start event: 7bc1aec5e287, v5.13 */
#include <linux/mm.h>
#include <linux/migrate.h>
#include <trace/events/migrate.h>

void check(struct tracepoint *tp);
void check(struct tracepoint *tp)
{
	trace_mm_migrate_pages_start(MIGRATE_SYNC, 0);
}
