/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_COMPAT_PAGEBLOCK_H
#define PINPROBE_COMPAT_PAGEBLOCK_H

#include <linux/mmzone.h>

/*
 * Before Linux kernel commit e904bce2d9d4 ("mm/page_isolation: make page
 * isolation a standalone bit") (in v6.17), MIGRATE_ISOLATE was a migratetype
 * stored in place of the block's own.
 */
#ifdef PP_HAVE_PAGEBLOCK_ISOLATE_BIT
#define PP_MIGRATETYPE_MASK		PAGEBLOCK_MIGRATETYPE_MASK
#define PP_PAGEBLOCK_ISOLATE_MASK	PAGEBLOCK_ISO_MASK
#else
#define PP_MIGRATETYPE_MASK		MIGRATETYPE_MASK
#define PP_PAGEBLOCK_ISOLATE_MASK	0UL
#endif

#endif /* PINPROBE_COMPAT_PAGEBLOCK_H */
