// SPDX-License-Identifier: GPL-2.0
/* Files of tmpfs. */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>
#include "../lib/mounts.h"
#include "backings.h"
#include "files.h"

static int prepare(struct world *world)
{
	return mount_here("tmpfs", "tmpfs", 0, "huge=never");
}

static int prepare_huge(struct world *world)
{
	int err = mount_here("tmpfs", "tmpfs", 0, "huge=always");

	if (err == -EINVAL)
		return row_skip(world, "no-thp: no huge pages in tmpfs");
	return err;
}

/* The file is larger than what it has: one page, made when it is touched. */
static int make_huge(struct world *world, struct area *area)
{
	int err;

	area_set(world, area, world->pmd_size / world->page_size);
	area->granule = world->pmd_size;
	area->prot = area->shared ? PROT_READ | PROT_WRITE : PROT_READ;
	err = file_make(area, 0);
	if (!err && ftruncate(area->fd, area->len))
		err = -errno;
	if (!err)
		err = area_map(area, 0);
	if (!err)
		err = area_touch(world, area);
	return err ? err : area_one_folio(world, area);
}

static int make_huge_shared(struct world *world, struct area *area)
{
	area->shared = true;
	return make_huge(world, area);
}

const struct backing backing_tmpfs_shared = {
	.name = "tmpfs_shared",
	.what = "file of tmpfs, mapped shared",
	.kind = BACKING_OF_SHMEM,
	.prepare = prepare,
	.make = file_shared,
	.drop = area_unmap,
};

const struct backing backing_tmpfs_private = {
	.name = "tmpfs_private",
	.what = "file of tmpfs, mapped private and not written to",
	.kind = BACKING_OF_SHMEM,
	.prepare = prepare,
	.make = file_private,
	.drop = area_unmap,
};

const struct backing backing_tmpfs_huge_shared = {
	.name = "tmpfs_huge_shared",
	.what = "file of tmpfs with huge=always, one huge page, mapped shared",
	.kind = BACKING_OF_SHMEM,
	.prepare = prepare_huge,
	.make = make_huge_shared,
	.drop = area_unmap,
};

const struct backing backing_tmpfs_huge_private = {
	.name = "tmpfs_huge_private",
	.what = "file of tmpfs with huge=always, one huge page, mapped private and read-only",
	.kind = BACKING_OF_SHMEM,
	.prepare = prepare_huge,
	.make = make_huge,
	.drop = area_unmap,
};

const struct backing backing_tmpfs_past_end = {
	.name = "tmpfs_past_end",
	.what = "file of tmpfs, mapped shared beyond its end",
	.kind = BACKING_OF_NOTHING,
	.prepare = prepare,
	.make = file_past_end,
	.drop = area_unmap,
};
