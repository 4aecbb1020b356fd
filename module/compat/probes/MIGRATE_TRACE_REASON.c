// SPDX-License-Identifier: GPL-2.0
/* the mm_migrate_pages events take the reason as an enum, not as an int */
#include <linux/mm.h>
#include <linux/migrate_mode.h>
#include <trace/events/migrate.h>

static void probe(void *data, enum migrate_mode mode,
		  enum migrate_reason reason)
{
}

void check(void);
void check(void)
{
	check_trace_callback_type_mm_migrate_pages_start(probe);
}
