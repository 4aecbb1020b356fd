// SPDX-License-Identifier: GPL-2.0
/* A memfd, mapped shared. */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>
#include "backings.h"

#define PAGES	16

static int make(struct world *world, struct area *area)
{
	int err;

	area_set(world, area, PAGES);
	area->shared = true;
	area->fd = memfd_create("contracts", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (area->fd < 0)
		return -errno;
	if (ftruncate(area->fd, area->len))
		return -errno;
	err = area_map(area, 0);
	return err ? err : area_touch(world, area);
}

const struct backing backing_memfd = {
	.name = "memfd",
	.what = "memfd, mapped shared",
	.kind = BACKING_OF_SHMEM,
	.make = make,
	.drop = area_unmap,
};
