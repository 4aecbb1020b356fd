/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_COMPAT_MIGRATE_H
#define PINPROBE_COMPAT_MIGRATE_H

#include <linux/migrate.h>
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
 * Before Linux kernel commit 7bc1aec5e287 ("mm: cma: add trace events for CMA alloc
 * perf testing") (in v5.13) the end of a migration was an event, its start none.
 */
#ifdef PP_HAVE_MIGRATE_TRACE_START
#define PP_MIGRATE_START_TOLD		1
#define pp_compat_check_migrate_start	check_trace_callback_type_mm_migrate_pages_start
#else
#define PP_MIGRATE_START_TOLD		0
static inline void
pp_compat_check_migrate_start(void (*probe)(void *data,
					    PP_COMPAT_MIGRATE_START_ARGS))
{
}
#endif

/*
 * Before Linux kernel commit d1e153fea2a8 ("mm/gup: migrate pinned pages out of
 * movable zone") (in v5.13) the long-term gate was for CMA alone, not for blocks that
 * are isolated either, and what it had moved gave the reason of contiguous allocations.
 */
#ifdef PP_HAVE_MIGRATE_LONGTERM
#define PP_GATE_CHECKS_MOVABLE		1
#define PP_COMPAT_MR_LONGTERM_PIN	MR_LONGTERM_PIN
#else
#define PP_GATE_CHECKS_MOVABLE		0
#define PP_COMPAT_MR_LONGTERM_PIN	MR_CONTIG_RANGE
#endif

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
