// SPDX-License-Identifier: GPL-2.0
/* A fixed buffer of io_uring, which is a long-term pin. */
#include <errno.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include "holds.h"

static int ring_register(int ring, unsigned int what, void *arg,
			 unsigned int nr)
{
	return syscall(SYS_io_uring_register, ring, what, arg, nr) < 0 ?
	       -errno : 0;
}

/* A descriptor that never is one. */
static bool has_io_uring(void)
{
	return ring_register(-2, IORING_REGISTER_BUFFERS, NULL, 0) == -EBADF;
}

static int take(struct world *world, struct area *area, struct held *held)
{
	struct io_uring_params params = { 0 };
	struct iovec iov = {
		.iov_base = area->addr + area->target,
		.iov_len = world->page_size,
	};
	int ring, err;

	if (!has_io_uring())
		return row_skip(world, "no-io_uring: not in this kernel");
	ring = syscall(SYS_io_uring_setup, 1, &params);
	if (ring < 0)
		return -errno;
	err = ring_register(ring, IORING_REGISTER_BUFFERS, &iov, 1);
	if (err)
		close(ring);
	else
		held->fd[0] = ring;
	return err;
}

/* What a ring holds at its end it lets go milliseconds later, unless told before. */
static int drop(struct world *world, struct area *area, struct held *held)
{
	int err = ring_register(held->fd[0], IORING_UNREGISTER_BUFFERS, NULL, 0);

	held_close(world, area, held);
	return err;
}

const struct hold hold_io_uring = {
	.name = "io_uring",
	.what = "a fixed buffer of io_uring",
	.kind = HOLD_LONGTERM_PIN,
	.take = take,
	.drop = drop,
};
