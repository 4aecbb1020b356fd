// SPDX-License-Identifier: GPL-2.0
/* Memory of a PCI device that no driver has claimed, mapped through sysfs. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "backings.h"

static int map(struct world *world, struct area *area, const char *path)
{
	struct stat stat;
	int err = -ENODEV;

	area->fd = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
	if (area->fd < 0)
		return -errno;
	if (!fstat(area->fd, &stat) && stat.st_size >= (off_t)world->page_size) {
		area_set(world, area, 1);
		area->shared = true;
		err = area_map(area, 0);
	}
	if (err) {
		close(area->fd);
		area->fd = -1;
	}
	return err;
}

/* It is never touched: nobody knows what that would do. */
static int make(struct world *world, struct area *area)
{
	glob_t found;
	size_t i;
	int err = -ENODEV;

	if (glob("/sys/bus/pci/devices/*/resource[0-5]", 0, NULL, &found))
		found.gl_pathc = 0;
	for (i = 0; err && i < found.gl_pathc; i++)
		err = map(world, area, found.gl_pathv[i]);
	if (found.gl_pathc)
		globfree(&found);
	return err ? row_skip(world, "no-bar: no PCI device whose memory can be mapped") :
	       0;
}

const struct backing backing_bar = {
	.name = "bar",
	.what = "memory of a PCI device (VM_PFNMAP)",
	.kind = BACKING_OF_DEVICE,
	.make = make,
	.drop = area_unmap,
};
