/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_COMPAT_MIGRATE_H
#define PINPROBE_COMPAT_MIGRATE_H

#include <linux/migrate_mode.h>

/*
 * The prototypes of the mm_migrate_pages_start and mm_migrate_pages events. A
 * probe of another one reads rubbish, so observe.c has the compiler compare.
 */
#ifdef PP_HAVE_MIGRATE_TRACE_REASON
#define PP_COMPAT_MIGRATE_REASON	enum migrate_reason reason
#else
#define PP_COMPAT_MIGRATE_REASON	int reason
#endif

#define PP_COMPAT_MIGRATE_START_ARGS \
	enum migrate_mode mode, PP_COMPAT_MIGRATE_REASON

/*
 * Before Linux kernel commit 49cac03a8f0a ("mm/migrate: add nr_split to
 * trace_mm_migrate_pages stats.") (in v6.7), splits of folios that are not
 * PMD-mappable were not reported.
 */
#ifdef PP_HAVE_MIGRATE_TRACE_SPLIT
#define PP_COMPAT_MIGRATE_SPLIT \
	unsigned long thp_split, unsigned long large_folio_split
#else
#define PP_COMPAT_MIGRATE_SPLIT \
	unsigned long thp_split
#endif

#define PP_COMPAT_MIGRATE_PAGES_ARGS \
	unsigned long succeeded, unsigned long failed, \
	unsigned long thp_succeeded, unsigned long thp_failed, \
	PP_COMPAT_MIGRATE_SPLIT, enum migrate_mode mode, \
	PP_COMPAT_MIGRATE_REASON

#endif /* PINPROBE_COMPAT_MIGRATE_H */
