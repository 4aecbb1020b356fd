// SPDX-License-Identifier: GPL-2.0
/*
 * Memory for a device that user space drives: the type1 driver of VFIO pins what
 * it maps into an IOMMU. The device is the one without a driver that profiles with
 * an IOMMU have for that.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/vfio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "../lib/vfio.h"
#include "consumers.h"

/* Anywhere but where interrupts are. */
#define IOVA		(1ULL << 28)

enum { CONTAINER, GROUP };

static int has_iommu(struct world *world)
{
	if (vfio_iommu())
		return 0;
	return row_skip(world, "not-this-profile: no IOMMU");
}

static int open_group(const char *device)
{
	char path[PATH_MAX], group[PATH_MAX];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "%s/iommu_group", device);
	len = readlink(path, group, sizeof(group) - 1);
	if (len < 0)
		return -errno;
	group[len] = '\0';
	snprintf(path, sizeof(path), "/dev/vfio/%d",
		 atoi(strrchr(group, '/') + 1));
	fd = open(path, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static void done(struct use *use)
{
	int i;

	for (i = GROUP; i >= CONTAINER; i--) {
		if (use->fd[i] >= 0)
			close(use->fd[i]);
		use->fd[i] = -1;
	}
}

static int open_all(struct use *use, const char *device)
{
	int err;

	use->fd[CONTAINER] = open("/dev/vfio/vfio", O_RDWR | O_CLOEXEC);
	if (use->fd[CONTAINER] < 0)
		return -errno;
	use->fd[GROUP] = open_group(device);
	if (use->fd[GROUP] < 0)
		err = use->fd[GROUP];
	else if (ioctl(use->fd[GROUP], VFIO_GROUP_SET_CONTAINER,
		       &use->fd[CONTAINER]) ||
		 ioctl(use->fd[CONTAINER], VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU))
		err = -errno;
	else
		return 0;
	done(use);
	return err;
}

static int prepare(struct use *use)
{
	char device[128];
	int err = vfio_ready(device, sizeof(device));

	if (err == -ENODEV || err == -ENOENT)
		return row_skip(use->world, "no-vfio: %s", err == -ENODEV ?
				"no device for it" : "the kernel has none");
	return err ? err : open_all(use, device);
}

static int run(struct use *use)
{
	const struct vfio_iommu_type1_dma_map map = {
		.argsz = sizeof(map),
		.flags = VFIO_DMA_MAP_FLAG_READ |
			 (use->access == ACCESS_WRITE ? VFIO_DMA_MAP_FLAG_WRITE :
			  0),
		.vaddr = (uintptr_t)use->area->addr,
		.iova = IOVA,
		.size = use->area->len,
	};

	if (ioctl(use->fd[CONTAINER], VFIO_IOMMU_MAP_DMA, &map))
		return -errno;
	return 0;
}

static int undo(struct use *use)
{
	struct vfio_iommu_type1_dma_unmap unmap = {
		.argsz = sizeof(unmap),
		.iova = IOVA,
		.size = use->area->len,
	};

	if (ioctl(use->fd[CONTAINER], VFIO_IOMMU_UNMAP_DMA, &unmap))
		return -errno;
	return unmap.size == use->area->len ? 0 : -ESTALE;
}

const struct consumer consumer_vfio = {
	.name = "vfio",
	.what = "VFIO_IOMMU_MAP_DMA of the type1 driver",
	.kind = CONSUMES_LONGTERM,
	.access = ACCESS_READ | ACCESS_WRITE,
	.here = has_iommu,
	.prepare = prepare,
	.run = run,
	.undo = undo,
	.close = done,
};
