// SPDX-License-Identifier: GPL-2.0
/* Fixed buffers of io_uring, which are pinned for writing whatever they are for. */
#include <errno.h>
#include <linux/io_uring.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include "consumers.h"
#include "memlock.h"

/* The ring remembers the user whose limit counts. */
static int ready(struct use *use)
{
	struct io_uring_params params = { 0 };

	use->fd[0] = syscall(SYS_io_uring_setup, 1, &params);
	if (use->fd[0] >= 0)
		return 0;
	return row_skip(use->world, "no-io_uring: io_uring_setup(): %s",
			strerror(errno));
}

static int ready_half_memlock(struct use *use)
{
	int err = memlock_limit(use->area->len / 2);

	return err ? err : ready(use);
}

static int run(struct use *use)
{
	struct iovec buffer = {
		.iov_base = use->area->addr,
		.iov_len = use->area->len,
	};

	if (syscall(SYS_io_uring_register, use->fd[0], IORING_REGISTER_BUFFERS,
		    &buffer, 1))
		return -errno;
	return 0;
}

static int undo(struct use *use)
{
	if (syscall(SYS_io_uring_register, use->fd[0],
		    IORING_UNREGISTER_BUFFERS, NULL, 0))
		return -errno;
	return 0;
}

static void done(struct use *use)
{
	if (use->fd[0] >= 0)
		close(use->fd[0]);
	use->fd[0] = -1;
}

const struct consumer consumer_io_uring = {
	.name = "io_uring",
	.what = "IORING_REGISTER_BUFFERS",
	.kind = CONSUMES_LONGTERM,
	.access = ACCESS_WRITE,
	.ready = ready,
	.run = run,
	.undo = undo,
	.close = done,
};

const struct consumer consumer_io_uring_half_memlock = {
	.name = "io_uring_half_memlock",
	.what = "IORING_REGISTER_BUFFERS with half the RLIMIT_MEMLOCK it needs",
	.kind = CONSUMES_LONGTERM,
	.access = ACCESS_WRITE,
	.ready = ready_half_memlock,
	.run = run,
	.undo = undo,
	.close = done,
};
