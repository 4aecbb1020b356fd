// SPDX-License-Identifier: GPL-2.0
/* A mapping that was promised no page, of a pool that has none. */
#include <linux/mman.h>
#include <sys/mman.h>
#include "../lib/hugetlb.h"
#include "backings.h"

static int prepare(struct world *world)
{
	int64_t reach = hugetlb_pool_reach(world->pmd_size);

	if (reach < 0)
		return row_skip(world, "no-hugetlb: no pool of pages that a PMD maps");
	if (reach)
		return row_skip(world, "no-hugetlb: the pool is not empty");
	return 0;
}

static int make(struct world *world, struct area *area)
{
	area_set(world, area, world->pmd_size / world->page_size);
	area->granule = world->pmd_size;
	return area_map(area, MAP_NORESERVE | MAP_HUGETLB |
			__builtin_ctzl(world->pmd_size) << MAP_HUGE_SHIFT);
}

const struct backing backing_hugetlb_empty = {
	.name = "hugetlb_empty",
	.what = "private hugetlb mapping with MAP_NORESERVE, of a pool that is empty",
	.kind = BACKING_OF_NOTHING,
	.prepare = prepare,
	.make = make,
	.drop = area_unmap,
};
