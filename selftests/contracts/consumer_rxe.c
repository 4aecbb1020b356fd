// SPDX-License-Identifier: GPL-2.0
/* Memory regions of Soft-RoCE. */
#include <errno.h>
#include <rdma/ib_user_verbs.h>
#include <stdlib.h>
#include "../lib/rxe.h"
#include "consumers.h"
#include "memlock.h"
#include "uverbs.h"

#define IOVA	0x200000000ULL

struct region {
	struct rxe rxe;
	struct ibv_mr *mr;
	char *other;		/* what it covers before it is registered again */
};

static int prepare(struct use *use)
{
	struct region *region = calloc(1, sizeof(*region));
	int err;

	if (!region)
		return -ENOMEM;
	err = rxe_open(&region->rxe);
	if (!err) {
		use->private = region;
		return 0;
	}
	free(region);
	if (err == -ENODEV)
		return row_skip(use->world, "no-rxe: no rdma_rxe device");
	return err;
}

static int access_of(const struct use *use)
{
	return use->access == ACCESS_WRITE ? IBV_ACCESS_LOCAL_WRITE : 0;
}

static int reg(struct use *use, int access)
{
	struct region *region = use->private;

	errno = 0;
	region->mr = ibv_reg_mr(region->rxe.pd, use->area->addr,
				use->area->len, access);
	return region->mr ? 0 : -errno;
}

static int run(struct use *use)
{
	return reg(use, access_of(use));
}

static int run_odp(struct use *use)
{
	return reg(use, access_of(use) | IBV_ACCESS_ON_DEMAND);
}

static int run_iova(struct use *use)
{
	struct region *region = use->private;

	errno = 0;
	region->mr = ibv_reg_mr_iova2(region->rxe.pd, use->area->addr,
				      use->area->len, IOVA, access_of(use));
	return region->mr ? 0 : -errno;
}

static int undo(struct use *use)
{
	struct region *region = use->private;
	struct ibv_mr *mr = region->mr;

	region->mr = NULL;
	return -ibv_dereg_mr(mr);
}

static void done(struct use *use)
{
	struct region *region = use->private;

	if (region->mr)
		ibv_dereg_mr(region->mr);
	rxe_close(&region->rxe);
	free(region->other);
	free(region);
}

/* A region of one page, which is to cover the row's memory afterwards. */
static int ready_rereg(struct use *use)
{
	struct region *region = use->private;
	size_t page = use->world->page_size;

	region->other = aligned_alloc(page, page);
	if (!region->other)
		return -ENOMEM;
	*region->other = 1;
	region->mr = ibv_reg_mr(region->rxe.pd, region->other, page,
				access_of(use));
	return region->mr ? 0 : -errno;
}

/* As the kernel takes it: the library refuses what its provider has not. */
static int run_rereg(struct use *use)
{
	struct region *region = use->private;
	struct ib_uverbs_rereg_mr_resp answer;
	const struct ib_uverbs_rereg_mr body = {
		.response = (uintptr_t)&answer,
		.mr_handle = region->mr->handle,
		.flags = IBV_REREG_MR_CHANGE_TRANSLATION,
		.start = (uintptr_t)use->area->addr,
		.length = use->area->len,
		.hca_va = (uintptr_t)use->area->addr,
	};

	return uverbs_invoke(region->rxe.context->cmd_fd,
			     IB_USER_VERBS_CMD_REREG_MR, &body, sizeof(body),
			     &answer, sizeof(answer));
}

static int ready_no_memlock(struct use *use)
{
	return memlock_limit(0);
}

static int ready_half_memlock(struct use *use)
{
	return memlock_limit(use->area->len / 2);
}

const struct consumer consumer_rxe_mr = {
	.name = "rxe_mr",
	.what = "ibv_reg_mr() on Soft-RoCE",
	.kind = CONSUMES_LONGTERM,
	.access = ACCESS_READ | ACCESS_WRITE,
	/* ib_umem_get(): FOLL_WRITE | FOLL_FORCE for what is not writable. */
	.forced_until = { 6, 1 },
	.prepare = prepare,
	.run = run,
	.undo = undo,
	.close = done,
};

const struct consumer consumer_rxe_mr_iova = {
	.name = "rxe_mr_iova",
	.what = "ibv_reg_mr_iova2() on Soft-RoCE, at another IOVA",
	.kind = CONSUMES_LONGTERM,
	.access = ACCESS_READ | ACCESS_WRITE,
	.prepare = prepare,
	.run = run_iova,
	.undo = undo,
	.close = done,
};

const struct consumer consumer_rxe_mr_odp = {
	.name = "rxe_mr_odp",
	.what = "ibv_reg_mr() on Soft-RoCE with IBV_ACCESS_ON_DEMAND",
	.kind = CONSUMES_NOTHING,
	.access = ACCESS_READ | ACCESS_WRITE,
	.prepare = prepare,
	.run = run_odp,
	.undo = undo,
	.close = done,
};

const struct consumer consumer_rxe_rereg = {
	.name = "rxe_rereg",
	.what = "REREG_MR with a new translation on Soft-RoCE",
	.kind = CONSUMES_LONGTERM,
	.access = ACCESS_READ | ACCESS_WRITE,
	.prepare = prepare,
	.ready = ready_rereg,
	.run = run_rereg,
	.undo = undo,
	.close = done,
};

const struct consumer consumer_rxe_mr_no_memlock = {
	.name = "rxe_mr_no_memlock",
	.what = "ibv_reg_mr() on Soft-RoCE with RLIMIT_MEMLOCK 0",
	.kind = CONSUMES_LONGTERM,
	.access = ACCESS_READ | ACCESS_WRITE,
	.prepare = prepare,
	.ready = ready_no_memlock,
	.run = run,
	.undo = undo,
	.close = done,
};

const struct consumer consumer_rxe_mr_half_memlock = {
	.name = "rxe_mr_half_memlock",
	.what = "ibv_reg_mr() on Soft-RoCE with half the RLIMIT_MEMLOCK it needs",
	.kind = CONSUMES_LONGTERM,
	.access = ACCESS_READ | ACCESS_WRITE,
	.prepare = prepare,
	.ready = ready_half_memlock,
	.run = run,
	.undo = undo,
	.close = done,
};
