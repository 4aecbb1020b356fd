// SPDX-License-Identifier: GPL-2.0
/* Pages of hugetlb pools, which are allocated when they are mapped. */
#include <errno.h>
#include <linux/mman.h>
#include <sys/mman.h>
#include <unistd.h>
#include "../lib/hugetlb.h"
#include "backings.h"

/* More than a search makes, and one to move to. */
#define OVERCOMMIT	512

static int prepare(struct world *world)
{
	int err;

	/* It refuses to move them for a long-term pin, and warns. */
	if (world->version == 6 && world->patchlevel < 2 && world->unpinnable)
		return row_skip(world, "not-this-kernel: hugetlb pages do not move for a long-term pin");
	err = hugetlb_overcommit_set(world->pmd_size, OVERCOMMIT);
	if (err == -ENODEV)
		return row_skip(world, "no-hugetlb: no pool of pages that a PMD maps");
	return err;
}

static void done(struct world *world)
{
	hugetlb_overcommit_set(world->pmd_size, 0);
}

static int map(struct world *world, struct area *area, int flags)
{
	int err;

	area_set(world, area, world->pmd_size / world->page_size);
	area->granule = world->pmd_size;
	err = area_map(area, flags);
	return err ? err : area_touch(world, area);
}

static int make(struct world *world, struct area *area)
{
	return map(world, area, MAP_HUGETLB | __builtin_ctzl(world->pmd_size)
				<< MAP_HUGE_SHIFT);
}

static int make_memfd(struct world *world, struct area *area)
{
	area->shared = true;
	area->fd = memfd_create("contracts", MFD_CLOEXEC | MFD_ALLOW_SEALING |
				MFD_HUGETLB |
				__builtin_ctzl(world->pmd_size) <<
				MAP_HUGE_SHIFT);
	if (area->fd < 0 || ftruncate(area->fd, world->pmd_size))
		return -errno;
	return map(world, area, 0);
}

const struct backing backing_hugetlb = {
	.name = "hugetlb",
	.what = "private anonymous memory, one hugetlb page",
	.kind = BACKING_OF_HUGETLB,
	.prepare = prepare,
	.make = make,
	.drop = area_unmap,
	.done = done,
};

const struct backing backing_memfd_hugetlb = {
	.name = "memfd_hugetlb",
	.what = "memfd of one hugetlb page, mapped shared",
	.kind = BACKING_OF_HUGETLB,
	.prepare = prepare,
	.make = make_memfd,
	.drop = area_unmap,
	.done = done,
};
