// SPDX-License-Identifier: GPL-2.0
/* Transparent huge pages of private anonymous memory. */
#include <errno.h>
#include <sys/mman.h>
#include "backings.h"

/* What is registered where another page of the folio is held: those before. */
#define GIVEN_PAGES	16

static int make(struct world *world, struct area *area)
{
	int err;

	area_set(world, area, world->pmd_size / world->page_size);
	area->granule = world->pmd_size;
	err = area_map(area, 0);
	if (err)
		return err;
	if (madvise(area->addr, area->len, MADV_HUGEPAGE))
		return errno == EINVAL ?
			row_skip(world, "no-thp: no transparent huge pages") :
			-errno;
	err = area_touch(world, area);
	return err ? err : area_one_folio(world, area);
}

static int make_part(struct world *world, struct area *area)
{
	area->given = GIVEN_PAGES * world->page_size;
	return make(world, area);
}

const struct backing backing_thp = {
	.name = "thp",
	.what = "private anonymous memory, one transparent huge page",
	.kind = BACKING_OF_ANON,
	.make = make,
	.drop = area_unmap,
};

const struct backing backing_thp_part = {
	.name = "thp_part",
	.what = "some base pages of a transparent huge page, another one of which is held",
	.kind = BACKING_OF_ANON,
	.make = make_part,
	.drop = area_unmap,
};
