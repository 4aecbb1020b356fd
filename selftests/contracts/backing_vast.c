// SPDX-License-Identifier: GPL-2.0
/*
 * More addresses than the kernel can remember pages for: a pointer each is more
 * than a call may allocate, whatever the machine has. (kvmalloc() gives no more
 * than INT_MAX bytes since Linux kernel commit 7661809d493b ("mm: don't allow
 * oversized kvmalloc() calls") (in v5.14).)
 */
#include <errno.h>
#include <sys/mman.h>
#include "backings.h"

#define LEN	(1UL << 43)
#define CHUNK_PAGES	16

static int make(struct world *world, struct area *area)
{
	int err;

	if (sizeof(void *) < 8)
		return row_skip(world, "no-memory: addresses are too few");
	area_set(world, area, LEN / world->page_size);
	err = area_map(area, MAP_NORESERVE);
	if (!err && madvise(area->addr, LEN, MADV_NOHUGEPAGE) && errno != EINVAL)
		err = -errno;
	return err;
}

static void drop(struct area *area)
{
	munmap(area->addr, LEN);
	area->addr = NULL;
}

/* What everybody does about it. */
static int make_chunk(struct world *world, struct area *area)
{
	int err = make(world, area);

	area->len = CHUNK_PAGES * world->page_size;
	return err;
}

const struct backing backing_vast = {
	.name = "vast",
	.what = "8 TiB of private anonymous addresses, never touched",
	.kind = BACKING_OF_NOTHING,
	.make = make,
	.drop = drop,
};

const struct backing backing_vast_chunk = {
	.name = "vast_chunk",
	.what = "the first pages of 8 TiB of private anonymous addresses, never touched",
	.kind = BACKING_OF_NOTHING,
	.make = make_chunk,
	.drop = drop,
};
