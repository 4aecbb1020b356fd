// SPDX-License-Identifier: GPL-2.0
/*
 * DMA mappings of VFIO's type1 driver, for a device that somebody has bound to
 * vfio-pci already. Nothing is bound here, and no device is touched.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/vfio.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "litmus.h"

struct vfio {
	int container;
	int group;
	uint64_t iova;
};

/* The first range of the IOMMU's addresses with room enough. */
static uint64_t room_in(const struct vfio_iommu_type1_info *info)
{
	const struct vfio_iommu_type1_info_cap_iova_range *ranges;
	const struct vfio_info_cap_header *head;
	uint64_t most = (uint64_t)LITMUS_PAGES_MAX * 65536, start;
	uint32_t at = info->flags & VFIO_IOMMU_INFO_CAPS ? info->cap_offset : 0;
	uint32_t i;

	for (; at; at = head->next) {
		head = (const void *)((const char *)info + at);
		if (head->id != VFIO_IOMMU_TYPE1_INFO_CAP_IOVA_RANGE)
			continue;
		ranges = (const void *)head;
		for (i = 0; i < ranges->nr_iovas; i++) {
			start = (ranges->iova_ranges[i].start + 65535) & ~65535ULL;
			if (ranges->iova_ranges[i].end > start + most)
				return start;
		}
	}
	/* Kernels before 5.4 do not say: above what 32 bits reach. */
	return 1ULL << 32;
}

static int find_room(struct vfio *v)
{
	struct vfio_iommu_type1_info *info = calloc(1, 4096);
	int err = 0;

	if (!info)
		return -ENOMEM;
	info->argsz = 4096;
	if (ioctl(v->container, VFIO_IOMMU_GET_INFO, info))
		err = -errno;
	else
		v->iova = room_in(info);
	free(info);
	return err;
}

static int attach(struct vfio *v)
{
	struct vfio_group_status status = { .argsz = sizeof(status) };

	if (ioctl(v->group, VFIO_GROUP_GET_STATUS, &status))
		return -errno;
	if (!(status.flags & VFIO_GROUP_FLAGS_VIABLE))
		return -EPERM;
	if (ioctl(v->group, VFIO_GROUP_SET_CONTAINER, &v->container) ||
	    ioctl(v->container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU))
		return -errno;
	return find_room(v);
}

static int try_group(struct litmus_session *s, struct vfio *v, const char *path)
{
	int err;

	v->container = open("/dev/vfio/vfio", O_RDWR | O_CLOEXEC);
	if (v->container < 0)
		return litmus_fail(s, -errno, "/dev/vfio/vfio: %s", strerror(errno));
	v->group = open(path, O_RDWR | O_CLOEXEC);
	err = v->group < 0 ? -errno : attach(v);
	if (!err) {
		snprintf(s->what, sizeof(s->what), "group %s", strrchr(path, '/') + 1);
		return 0;
	}
	if (v->group >= 0)
		close(v->group);
	close(v->container);
	return litmus_fail(s, err, "%.100s: %s", path, strerror(-err));
}

static int find_group(struct litmus_session *s, struct vfio *v)
{
	const char *wanted = s->options->device;
	int err = -ENODEV;
	char path[64];
	glob_t found;
	size_t i;

	if (wanted) {
		snprintf(path, sizeof(path), "/dev/vfio/%.40s", wanted);
		return try_group(s, v, path);
	}
	litmus_fail(s, err, "no VFIO group: no device is bound to vfio-pci");
	if (glob("/dev/vfio/[0-9]*", 0, NULL, &found))
		return err;
	for (i = 0; err && i < found.gl_pathc; i++)
		err = try_group(s, v, found.gl_pathv[i]);
	globfree(&found);
	return err;
}

static int vfio_open(struct litmus_session *s)
{
	struct vfio *v = calloc(1, sizeof(*v));
	int err;

	if (!v)
		return -ENOMEM;
	err = find_group(s, v);
	if (err)
		free(v);
	else
		s->state = v;
	return err;
}

static void vfio_close(struct litmus_session *s)
{
	struct vfio *v = s->state;

	close(v->group);
	close(v->container);
	free(v);
}

static int vfio_pin(struct litmus_session *s, const struct litmus_area *area,
		    bool write)
{
	struct vfio *v = s->state;
	const struct vfio_iommu_type1_dma_map map = {
		.argsz = sizeof(map),
		.flags = VFIO_DMA_MAP_FLAG_READ |
			 (write ? VFIO_DMA_MAP_FLAG_WRITE : 0),
		.vaddr = area->addr,
		.iova = v->iova,
		.size = area->len,
	};

	return ioctl(v->container, VFIO_IOMMU_MAP_DMA, &map) ? -errno : 0;
}

static int vfio_unpin(struct litmus_session *s, const struct litmus_area *area)
{
	struct vfio *v = s->state;
	struct vfio_iommu_type1_dma_unmap unmap = {
		.argsz = sizeof(unmap),
		.iova = v->iova,
		.size = area->len,
	};

	if (ioctl(v->container, VFIO_IOMMU_UNMAP_DMA, &unmap))
		return -errno;
	return unmap.size == area->len ? 0 : -ESTALE;
}

const struct litmus_provider litmus_vfio = {
	.name = "vfio",
	.summary = "VFIO_IOMMU_MAP_DMA of type1 (--device GROUP)",
	.expect = LITMUS_RUNG_LONGTERM,
	.open = vfio_open,
	.pin = vfio_pin,
	.unpin = vfio_unpin,
	.close = vfio_close,
};
