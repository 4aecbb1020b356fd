// SPDX-License-Identifier: GPL-2.0
/* Memory that is storage: a file of ext4 with dax, and a device of its own. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "backings.h"
#include "disk.h"
#include "files.h"
#include "nvdimm.h"

static int prepare_file(struct world *world)
{
	char path[32];
	int err = nvdimm_disk(world, path, sizeof(path));

	return err ? err : disk_mount(world, path, "ext4", "dax=always");
}

/* The device decides in which units it can be mapped. */
static int make_device(struct world *world, struct area *area)
{
	char path[32];
	int err = nvdimm_device(world, path, sizeof(path));

	if (err)
		return err;
	area_set(world, area, world->pmd_size / world->page_size);
	area->granule = world->pmd_size;
	area->shared = true;
	area->fd = open(path, O_RDWR | O_CLOEXEC);
	if (area->fd < 0)
		return -errno;
	err = area_map(area, 0);
	return err ? err : area_touch(world, area);
}

const struct backing backing_fsdax = {
	.name = "fsdax",
	.what = "file of ext4 with dax=always, mapped shared",
	.kind = BACKING_OF_DAX,
	.here = nvdimm_here,
	.prepare = prepare_file,
	.make = file_shared,
	.drop = area_unmap,
};

const struct backing backing_devdax = {
	.name = "devdax",
	.what = "device of persistent memory (devdax), mapped shared",
	.kind = BACKING_OF_DAX,
	.here = nvdimm_here,
	.make = make_device,
	.drop = area_unmap,
};
