// SPDX-License-Identifier: GPL-2.0
/* A page in an unread pipe, which is a plain reference to it. */
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>
#include "holds.h"

static int open_pipe(struct held *held)
{
	return pipe2(held->fd, O_CLOEXEC | O_NONBLOCK) ? -errno : 0;
}

static int all_of(struct world *world, ssize_t moved)
{
	if (moved < 0)
		return -errno;
	return (size_t)moved == world->page_size ? 0 : -EIO;
}

static int take_vmsplice(struct world *world, struct area *area,
			 struct held *held)
{
	struct iovec iov = {
		.iov_base = area->addr + area->target,
		.iov_len = world->page_size,
	};
	int err = open_pipe(held);

	if (err)
		return err;
	return all_of(world, vmsplice(held->fd[1], &iov, 1, 0));
}

static int take_splice(struct world *world, struct area *area,
		       struct held *held)
{
	off_t at = area->target;
	int err;

	if (area->fd < 0)
		return -EBADF;
	err = open_pipe(held);
	if (err)
		return err;
	return all_of(world, splice(area->fd, &at, held->fd[1], NULL,
				    world->page_size, 0));
}

const struct hold hold_vmsplice = {
	.name = "vmsplice",
	.what = "vmsplice() into a pipe that nobody reads",
	.kind = HOLD_REFERENCE,
	.take = take_vmsplice,
	.drop = held_close,
};

const struct hold hold_splice = {
	.name = "splice",
	.what = "splice() of the file into a pipe that nobody reads",
	.kind = HOLD_REFERENCE,
	.take = take_splice,
	.drop = held_close,
};
