// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of a PCI device that others may do DMA to (p2pmem), as the NVMe driver
 * publishes a controller's: pages in ZONE_DEVICE, handed out through sysfs.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "../lib/module.h"
#include "../lib/vmstat.h"
#include "backings.h"

#define PAGES		16
#define CLASSES		"/sys/bus/pci/devices/*/class"
#define NVME		0x010802
#define ALLOCATE	"/sys/bus/pci/devices/*/p2pmem/allocate"
/* Its driver looks at a device after it was loaded. */
#define PROBE_MS	10000

static unsigned int class_at(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned int class;

	if (!file)
		return 0;
	if (fscanf(file, "%x", &class) != 1)
		class = 0;
	fclose(file);
	return class;
}

static int here(struct world *world)
{
	unsigned int nr = 0;
	glob_t found;
	size_t i;

	if (glob(CLASSES, 0, NULL, &found))
		found.gl_pathc = 0;
	for (i = 0; i < found.gl_pathc; i++)
		nr += class_at(found.gl_pathv[i]) == NVME;
	if (found.gl_pathc)
		globfree(&found);
	return nr ? 0 : row_skip(world, "not-this-profile: no NVMe device");
}

static int open_allocator(void)
{
	glob_t found;
	int fd;

	if (glob(ALLOCATE, 0, NULL, &found))
		return -ENOENT;
	fd = open(found.gl_pathv[0], O_RDWR | O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	globfree(&found);
	return fd;
}

/* By then the driver has published what it does publish. */
static bool works(void)
{
	FILE *file = fopen("/sys/class/nvme/nvme0/state", "re");
	char state[16];
	bool live;

	if (!file)
		return false;
	live = fscanf(file, "%15s", state) == 1 && !strcmp(state, "live");
	fclose(file);
	return live;
}

static int prepare(struct world *world)
{
	int64_t deadline = now_ms() + PROBE_MS;
	int err = module_load("nvme"), fd;

	if (err == -ENOENT)
		return row_skip(world, "no-p2p: no nvme module");
	while (!err && !works()) {
		if (now_ms() > deadline)
			err = -ETIME;
		usleep(10000);
	}
	if (err)
		return err;
	fd = open_allocator();
	if (fd == -ENOENT)
		return row_skip(world, "no-p2p: the device publishes no memory");
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/* Its pages are there as soon as it is mapped. */
static int make(struct world *world, struct area *area)
{
	area_set(world, area, PAGES);
	area->shared = true;
	area->fd = open_allocator();
	return area->fd < 0 ? area->fd : area_map(area, 0);
}

const struct backing backing_p2pmem = {
	.name = "p2pmem",
	.what = "memory of a PCI device for peer-to-peer DMA (p2pmem), mapped shared",
	.kind = BACKING_OF_DEVICE,
	.here = here,
	.prepare = prepare,
	.make = make,
	.drop = area_unmap,
};
