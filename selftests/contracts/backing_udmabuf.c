// SPDX-License-Identifier: GPL-2.0
/* What a dma-buf maps: pages of a memfd, as numbers. */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>
#include "backings.h"
#include "udmabuf.h"

#define PAGES	16

static int make_dmabuf(struct world *world, size_t len)
{
	int dev = udmabuf_open(world), memfd, fd;

	if (dev < 0)
		return dev;
	memfd = memfd_create("contracts", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (memfd < 0 || ftruncate(memfd, len))
		fd = -errno;
	else
		fd = udmabuf_seal(memfd);
	if (!fd)
		fd = udmabuf_create(dev, memfd, len);
	if (memfd >= 0)
		close(memfd);
	close(dev);
	return fd;
}

static int make(struct world *world, struct area *area)
{
	int fd;

	area_set(world, area, PAGES);
	area->shared = true;
	fd = make_dmabuf(world, area->len);
	if (fd < 0)
		return fd;
	area->fd = fd;
	return area_map(area, 0);
}

const struct backing backing_udmabuf = {
	.name = "udmabuf",
	.what = "dma-buf of a memfd, mapped (VM_PFNMAP)",
	.kind = BACKING_OF_DEVICE,
	.make = make,
	.drop = area_unmap,
};
