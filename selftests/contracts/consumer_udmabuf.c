// SPDX-License-Identifier: GPL-2.0
/* A dma-buf made of a memfd: the pages are pinned, not what is mapped of them. */
#include <errno.h>
#include <fcntl.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "consumers.h"

static int prepare(struct use *use)
{
	use->fd[0] = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
	if (use->fd[0] >= 0)
		return 0;
	if (errno == ENOENT)
		return row_skip(use->world, "not-this-kernel: no /dev/udmabuf");
	return -errno;
}

static int ready(struct use *use)
{
	if (fcntl(use->area->fd, F_ADD_SEALS, F_SEAL_SHRINK))
		return -errno;
	return 0;
}

static int run(struct use *use)
{
	const struct udmabuf_create create = {
		.memfd = use->area->fd,
		.flags = UDMABUF_FLAGS_CLOEXEC,
		.size = use->area->len,
	};

	use->fd[1] = ioctl(use->fd[0], UDMABUF_CREATE, &create);
	return use->fd[1] < 0 ? -errno : 0;
}

static int undo(struct use *use)
{
	int err = close(use->fd[1]) ? -errno : 0;

	use->fd[1] = -1;
	return err;
}

static void done(struct use *use)
{
	close(use->fd[0]);
	use->fd[0] = -1;
}

const struct consumer consumer_udmabuf = {
	.name = "udmabuf",
	.what = "UDMABUF_CREATE of a memfd",
	.kind = CONSUMES_LONGTERM,
	.access = ACCESS_WRITE,
	.prepare = prepare,
	.ready = ready,
	.run = run,
	.undo = undo,
	.close = done,
};
