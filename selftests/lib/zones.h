/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is free in the zones that have unpinnable memory, from /proc/zoneinfo:
 * the page allocator decides zone by zone, and /proc/meminfo adds them up.
 */
#ifndef SELFTESTS_ZONES_H
#define SELFTESTS_ZONES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ZONES_MAX	16

struct zones {
	bool movable;		/* it is ZONE_MOVABLE that is asked about, not CMA */
	size_t nr;		/* zones that had free CMA pages */
	struct {
		int node;
		char name[16];
	} all[ZONES_MAX];
};

struct zones_free {
	uint64_t class_kb;		/* in CMA, or in ZONE_MOVABLE */
	/* Of the zones that have CMA; of all of them for ZONE_MOVABLE. */
	uint64_t free_kb;
	uint64_t ordinary_kb;		/* that an unmovable allocation can have */
};

/* Pages of all CMA pageblocks (/proc/pagetypeinfo), or -errno. */
int64_t zones_cma_pages(void);

/* Both return 0 or -errno. No such zone is no error. */
int zones_find(struct zones *zones, bool movable);
int zones_free(const struct zones *zones, struct zones_free *now);

/*
 * What is free on @nodes, a mask, and can be had by an allocation that is not
 * movable.
 */
int zones_ordinary_kb(uint64_t nodes, uint64_t *kb);

#endif /* SELFTESTS_ZONES_H */
