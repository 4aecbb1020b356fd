// SPDX-License-Identifier: GPL-2.0
/* Files of file systems that write back to a disk. */
#include "backings.h"
#include "disk.h"
#include "files.h"

static int prepare_ext4(struct world *world)
{
	return disk_mount(world, "/dev/ram0", "ext4", NULL);
}

static int prepare_xfs(struct world *world)
{
	return disk_mount(world, "/dev/ram1", "xfs", NULL);
}

const struct backing backing_ext4_shared = {
	.name = "ext4_shared",
	.what = "file of ext4, mapped shared",
	.kind = BACKING_OF_FILE,
	.prepare = prepare_ext4,
	.make = file_shared,
	.drop = area_unmap,
};

const struct backing backing_ext4_readonly = {
	.name = "ext4_readonly",
	.what = "file of ext4, mapped shared and read-only",
	.kind = BACKING_OF_FILE,
	.prepare = prepare_ext4,
	.make = file_readonly,
	.drop = area_unmap,
};

const struct backing backing_ext4_private = {
	.name = "ext4_private",
	.what = "file of ext4, mapped private and not written to",
	.kind = BACKING_OF_FILE,
	.prepare = prepare_ext4,
	.make = file_private,
	.drop = area_unmap,
};

const struct backing backing_ext4_past_end = {
	.name = "ext4_past_end",
	.what = "file of ext4, mapped shared beyond its end",
	.kind = BACKING_OF_NOTHING,
	.prepare = prepare_ext4,
	.make = file_past_end,
	.drop = area_unmap,
};

const struct backing backing_xfs_shared = {
	.name = "xfs_shared",
	.what = "file of XFS, mapped shared",
	.kind = BACKING_OF_FILE,
	.prepare = prepare_xfs,
	.make = file_shared,
	.drop = area_unmap,
};

const struct backing backing_xfs_private = {
	.name = "xfs_private",
	.what = "file of XFS, mapped private and not written to",
	.kind = BACKING_OF_FILE,
	.prepare = prepare_xfs,
	.make = file_private,
	.drop = area_unmap,
};
