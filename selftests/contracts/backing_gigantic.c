// SPDX-License-Identifier: GPL-2.0
/*
 * One gigantic page. The kernel makes none for a migration: the target is one
 * that lies free in the pool, or there is none.
 */
#include <linux/mman.h>
#include <sys/mman.h>
#include <unistd.h>
#include "../lib/hugetlb.h"
#include "../lib/vmstat.h"
#include "backings.h"

#define SIZE		HUGETLB_GIGANTIC_SIZE
/* What the consumer is given: the page moves as a whole for any part of it. */
#define GIVEN		(4UL << 20)

/* In emulation, on a machine that has other things to do. */
#define DEADLINE_MS	40000

/* A CMA area holds some, and memory has room for one more. Of one node. */
static int here(struct world *world)
{
	if (hugetlb_pool_free(SIZE) >= 0 &&
	    meminfo_kb("CmaTotal") >= (int64_t)(SIZE >> 10) &&
	    access("/sys/devices/system/node/node1", F_OK))
		return 0;
	return row_skip(world, "not-this-profile: no hugetlb_cma=, or two nodes");
}

/* More than the CMA area can hold: one lies elsewhere. */
static int prepare(struct world *world)
{
	return hugetlb_pool_set(SIZE, meminfo_kb("CmaTotal") / (SIZE >> 10) + 1);
}

/* The first to come is the area's. */
static int prepare_alone(struct world *world)
{
	return hugetlb_pool_set(SIZE, 1);
}

static void done(struct world *world)
{
	hugetlb_pool_set(SIZE, 0);
}

static int make(struct world *world, struct area *area)
{
	int err;

	area_set(world, area, SIZE / world->page_size);
	area->granule = SIZE;
	area->given = GIVEN;
	err = area_map(area, MAP_HUGETLB | __builtin_ctzl(SIZE) << MAP_HUGE_SHIFT);
	return err ? err : area_read(area, world->page_size);
}

const struct backing backing_gigantic = {
	.name = "gigantic",
	.what = "private anonymous memory, one gigantic page, others free in the pool",
	.kind = BACKING_OF_HUGETLB,
	.deadline_ms = DEADLINE_MS,
	.here = here,
	.prepare = prepare,
	.make = make,
	.drop = area_unmap,
	.done = done,
};

const struct backing backing_gigantic_alone = {
	.name = "gigantic_alone",
	.what = "private anonymous memory, the only gigantic page of its pool",
	.kind = BACKING_OF_HUGETLB,
	.deadline_ms = DEADLINE_MS,
	.here = here,
	.prepare = prepare_alone,
	.make = make,
	.drop = area_unmap,
	.done = done,
};
