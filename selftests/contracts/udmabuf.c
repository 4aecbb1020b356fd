// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>
#include "udmabuf.h"

int udmabuf_open(struct world *world)
{
	int fd = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	if (errno == ENOENT)
		return row_skip(world, "not-this-kernel: no /dev/udmabuf");
	return -errno;
}

int udmabuf_seal(int memfd)
{
	return fcntl(memfd, F_ADD_SEALS, F_SEAL_SHRINK) ? -errno : 0;
}

int udmabuf_create(int dev, int memfd, size_t len)
{
	const struct udmabuf_create create = {
		.memfd = memfd,
		.flags = UDMABUF_FLAGS_CLOEXEC,
		.size = len,
	};
	int fd = ioctl(dev, UDMABUF_CREATE, &create);

	return fd < 0 ? -errno : fd;
}
