// SPDX-License-Identifier: GPL-2.0
/* Disks, and why there are none. */
#include <errno.h>
#include "../lib/disks.h"
#include "disk.h"

int disk_modules(struct world *world)
{
	int err = disks_load();

	return err == -ENODEV ?
	       row_skip(world, "no-disk: the guest was made without " DISKS_MODULES) :
	       err;
}

int disk_find(struct world *world, const char *device)
{
	int err = disks_find(device);

	return err == -ENODEV ? row_skip(world, "no-disk: no %s", device) : err;
}

int disk_mount(struct world *world, const char *device, const char *type,
	       const char *options)
{
	int err = disk_find(world, device);

	if (err)
		return err;
	err = disks_mount(device, type, options);
	return err == -ENODEV ?
	       row_skip(world, "no-disk: the kernel has no %s", type) : err;
}
