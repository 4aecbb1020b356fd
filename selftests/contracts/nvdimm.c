// SPDX-License-Identifier: GPL-2.0
/* Persistent memory, and why there is none. */
#include "../lib/pmem.h"
#include "disk.h"
#include "nvdimm.h"

int nvdimm_here(struct world *world)
{
	int nr = pmem_found();

	if (nr < 0)
		return row_skip(world, "not-this-profile: no virtio device");
	return nr < 2 ? row_skip(world, "not-this-profile: no persistent memory") : 0;
}

int nvdimm_disk(struct world *world, char *path, size_t len)
{
	int err = disk_modules(world);

	return err ? err : pmem_disk(path, len);
}

int nvdimm_device(struct world *world, char *path, size_t len)
{
	int err = disk_modules(world);

	return err ? err : pmem_device(path, len);
}
