// SPDX-License-Identifier: GPL-2.0
/* A dma-buf made of a memfd: the pages are pinned, not what is mapped of them. */
#include <errno.h>
#include <unistd.h>
#include "consumers.h"
#include "udmabuf.h"

static int prepare(struct use *use)
{
	use->fd[0] = udmabuf_open(use->world);
	return use->fd[0] < 0 ? use->fd[0] : 0;
}

static int ready(struct use *use)
{
	return udmabuf_seal(use->area->fd);
}

static int run(struct use *use)
{
	use->fd[1] = udmabuf_create(use->fd[0], use->area->fd, use->area->len);
	return use->fd[1] < 0 ? use->fd[1] : 0;
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
