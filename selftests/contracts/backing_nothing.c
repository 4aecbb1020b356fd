// SPDX-License-Identifier: GPL-2.0
/* Private anonymous memory that nobody has written to. */
#include <errno.h>
#include <sys/mman.h>
#include "backings.h"

#define PAGES	16

static int map(struct world *world, struct area *area)
{
	return area_map_small(world, area, PAGES);
}

static int make_zero(struct world *world, struct area *area)
{
	int err = map(world, area);

	return err ? err : area_read(area, area->len);
}

static int make_on_fault(struct world *world, struct area *area)
{
	int err = map(world, area);

	if (!err && mlock2(area->addr, area->len, MLOCK_ONFAULT))
		err = -errno;
	return err;
}

const struct backing backing_untouched = {
	.name = "untouched",
	.what = "private anonymous memory, never touched",
	.kind = BACKING_OF_NOTHING,
	.make = map,
	.drop = area_unmap,
};

const struct backing backing_on_fault = {
	.name = "on_fault",
	.what = "private anonymous memory, mlock2(MLOCK_ONFAULT), never touched",
	.kind = BACKING_OF_NOTHING,
	.make = make_on_fault,
	.drop = area_unmap,
};

const struct backing backing_zero_page = {
	.name = "zero_page",
	.what = "private anonymous memory, only read: the zero page",
	.kind = BACKING_OF_NOTHING,
	.make = make_zero,
	.drop = area_unmap,
};
