// SPDX-License-Identifier: GPL-2.0
/*
 * A contiguous allocation: a gigantic page out of the CMA area that is reserved for
 * them takes all frames of a range, whoever has them at that time.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "../lib/hugetlb.h"
#include "consumers.h"

#define AREAS		"/sys/kernel/mm/cma"
#define POOL		"/sys/devices/system/node/node%d/hugepages/hugepages-%lukB/nr_hugepages"
#define FRAME_HUGE	(1ULL << 17)	/* KPF_HUGE */

enum { POOL_FD, FRAMES_FD };

static int has_area(struct world *world)
{
	if (!access(AREAS "/hugetlb0", F_OK))
		return 0;
	return row_skip(world, "not-this-profile: no CMA area for gigantic pages");
}

/* How many gigantic pages the area of the target's node is for. */
static int count_places(const struct use *use)
{
	unsigned long pages = 0;
	char path[96];
	FILE *file;

	snprintf(path, sizeof(path), AREAS "/hugetlb%d/total_pages",
		 use->before->node);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	if (fscanf(file, "%lu", &pages) != 1)
		pages = 0;
	fclose(file);
	pages /= HUGETLB_GIGANTIC_SIZE / use->world->page_size;
	return pages ? (int)pages : -ENODATA;
}

static int set_pool(const struct use *use, int nr)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d\n", nr);

	return pwrite(use->fd[POOL_FD], text, len, 0) == len ? 0 : -errno;
}

static void done(struct use *use)
{
	int i;

	for (i = POOL_FD; i <= FRAMES_FD; i++) {
		if (use->fd[i] >= 0)
			close(use->fd[i]);
		use->fd[i] = -1;
	}
}

static int ready(struct use *use)
{
	int places = count_places(use);
	char path[128];

	if (places < 0)
		return places;
	use->private = (void *)(intptr_t)places;
	snprintf(path, sizeof(path), POOL, use->before->node,
		 HUGETLB_GIGANTIC_SIZE >> 10);
	use->fd[POOL_FD] = open(path, O_RDWR | O_CLOEXEC);
	use->fd[FRAMES_FD] = open("/proc/kpageflags", O_RDONLY | O_CLOEXEC);
	return use->fd[POOL_FD] < 0 || use->fd[FRAMES_FD] < 0 ? -errno : 0;
}

/*
 * It asks for as many as there are places, so that the target's is one of them.
 * There is no error if fewer came, or came from elsewhere: the frame tells.
 */
static int run(struct use *use)
{
	uint64_t flags = 0;
	int err = set_pool(use, (intptr_t)use->private);

	if (err)
		return err;
	if (pread(use->fd[FRAMES_FD], &flags, sizeof(flags),
		  use->before->pfn * sizeof(flags)) != sizeof(flags))
		return -EIO;
	return flags & FRAME_HUGE ? 0 : -EBUSY;
}

static int undo(struct use *use)
{
	return set_pool(use, 0);
}

/* Those that came from elsewhere go too. */
static void undo_and_close(struct use *use)
{
	if (use->fd[POOL_FD] >= 0)
		undo(use);
	done(use);
}

const struct consumer consumer_contig = {
	.name = "contig",
	.what = "a gigantic page of hugetlb_cma= (cma_alloc()) where the page lies",
	.kind = CONSUMES_PLACE,
	.access = ACCESS_WRITE,
	.here = has_area,
	.ready = ready,
	.run = run,
	.undo = undo,
	.close = undo_and_close,
};
