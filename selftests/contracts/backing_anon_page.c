// SPDX-License-Identifier: GPL-2.0
/* A page alone: nothing before it that could be had. */
#include <errno.h>
#include <sys/mman.h>
#include "backings.h"

static int make(struct world *world, struct area *area)
{
	int err;

	area->len = world->page_size;
	area->granule = world->page_size;
	area->prot = PROT_READ | PROT_WRITE;
	err = area_map(area, 0);
	return err ? err : area_touch(world, area);
}

const struct backing backing_anon_page = {
	.name = "anon_page",
	.what = "one page of private anonymous memory",
	.kind = BACKING_OF_ANON,
	.make = make,
	.drop = area_unmap,
};
