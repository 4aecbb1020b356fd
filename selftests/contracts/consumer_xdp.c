// SPDX-License-Identifier: GPL-2.0
/* The umem of an AF_XDP socket. */
#include <errno.h>
#include <linux/if_xdp.h>
#include <sys/socket.h>
#include <unistd.h>
#include "consumers.h"
#include "memlock.h"

static int prepare(struct use *use)
{
	use->fd[0] = socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (use->fd[0] >= 0)
		return 0;
	if (errno == EAFNOSUPPORT)
		return row_skip(use->world, "no-xdp: no AF_XDP sockets");
	return -errno;
}

static int ready_half_memlock(struct use *use)
{
	return memlock_limit(use->area->len / 2);
}

static int run(struct use *use)
{
	const struct xdp_umem_reg umem = {
		.addr = (uintptr_t)use->area->addr,
		.len = use->area->len,
		.chunk_size = use->world->page_size,
	};

	if (setsockopt(use->fd[0], SOL_XDP, XDP_UMEM_REG, &umem, sizeof(umem)))
		return -errno;
	return 0;
}

static void done(struct use *use)
{
	if (use->fd[0] >= 0)
		close(use->fd[0]);
	use->fd[0] = -1;
}

static int undo(struct use *use)
{
	done(use);
	return 0;
}

const struct consumer consumer_xdp_umem = {
	.name = "xdp_umem",
	.what = "XDP_UMEM_REG on an AF_XDP socket",
	.kind = CONSUMES_LONGTERM,
	.access = ACCESS_WRITE,
	.prepare = prepare,
	.run = run,
	.undo = undo,
	.close = done,
};

const struct consumer consumer_xdp_umem_half_memlock = {
	.name = "xdp_umem_half_memlock",
	.what = "XDP_UMEM_REG with half the RLIMIT_MEMLOCK it needs",
	.kind = CONSUMES_LONGTERM,
	.access = ACCESS_WRITE,
	.prepare = prepare,
	.ready = ready_half_memlock,
	.run = run,
	.undo = undo,
	.close = done,
};
