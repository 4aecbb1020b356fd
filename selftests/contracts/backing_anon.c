// SPDX-License-Identifier: GPL-2.0
/* Private anonymous memory of base pages. */
#include <errno.h>
#include <sys/mman.h>
#include "backings.h"

#define PAGES	16

static int make(struct world *world, struct area *area)
{
	int err = area_map_small(world, area, PAGES);

	return err ? err : area_touch(world, area);
}

static int make_locked(struct world *world, struct area *area)
{
	int err = make(world, area);

	if (!err && mlock(area->addr, area->len))
		err = -errno;
	return err;
}

static int make_readonly(struct world *world, struct area *area)
{
	int err = make(world, area);

	if (!err && mprotect(area->addr, area->len, PROT_READ))
		err = -errno;
	area->prot = PROT_READ;
	return err;
}

const struct backing backing_anon = {
	.name = "anon",
	.what = "private anonymous memory, base pages",
	.kind = BACKING_OF_ANON,
	.make = make,
	.drop = area_unmap,
};

const struct backing backing_anon_locked = {
	.name = "anon_locked",
	.what = "private anonymous memory, base pages, mlock()",
	.kind = BACKING_OF_ANON,
	.make = make_locked,
	.drop = area_unmap,
};

const struct backing backing_anon_readonly = {
	.name = "anon_readonly",
	.what = "private anonymous memory, base pages, mprotect(PROT_READ)",
	.kind = BACKING_OF_ANON,
	.make = make_readonly,
	.drop = area_unmap,
};
