// SPDX-License-Identifier: GPL-2.0
/* Who wants the page to be elsewhere: soft offline, another node. */
#include <errno.h>
#include <fcntl.h>
#include <linux/mman.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "../lib/look.h"
#include "../lib/module.h"
#include "../lib/promise.h"
#include "consumers.h"

#define UNPOISON	"/sys/kernel/debug/hwpoison/unpoison-pfn"
#define UNPOISON_FD	0
#define MOVE_OWN	2	/* MPOL_MF_MOVE, which only <numaif.h> has */

static char *target(const struct use *use)
{
	return use->area->addr + use->area->target;
}

/* A block with a poisoned page cannot be onlined again by others. */
static int no_hotplug(struct world *world)
{
	if (!promise_profile("hotplug"))
		return 0;
	return row_skip(world, "not-this-profile: blocks are offlined here");
}

/*
 * Without CONFIG_MEMORY_FAILURE the advice is not known. The frame is lost to the
 * kernel until somebody gives it back: nobody could have the area of contiguous
 * memory any more in which it lies.
 */
static int prepare_soft_offline(struct use *use)
{
	int err = -ENOENT;

	if (access("/proc/sys/vm/memory_failure_recovery", F_OK))
		return row_skip(use->world, "no-memory-failure: no soft offline");
	if (access(UNPOISON, F_OK))
		err = module_load("hwpoison_inject");
	if (err == -ENOENT && access(UNPOISON, F_OK))
		return row_skip(use->world, "no-memory-failure: nothing gives frames back");
	use->fd[UNPOISON_FD] = open(UNPOISON, O_WRONLY | O_CLOEXEC);
	return use->fd[UNPOISON_FD] < 0 ? -errno : 0;
}

static int ready_soft_offline(struct use *use)
{
	struct pinprobe_page page;
	int err = look_pages(&use->world->look, target(use), 1, &page);

	use->private = (void *)(uintptr_t)page.pfn;
	return err;
}

static int run_soft_offline(struct use *use)
{
	if (madvise(target(use), use->world->page_size, MADV_SOFT_OFFLINE))
		return -errno;
	return 0;
}

static int undo_soft_offline(struct use *use)
{
	char text[24];
	int len = snprintf(text, sizeof(text), "%ju\n",
			   (uintmax_t)(uintptr_t)use->private);

	return write(use->fd[UNPOISON_FD], text, len) == len ? 0 : -errno;
}

static void close_soft_offline(struct use *use)
{
	if (use->fd[UNPOISON_FD] >= 0)
		close(use->fd[UNPOISON_FD]);
	use->fd[UNPOISON_FD] = -1;
}

static int has_nodes(struct world *world)
{
	if (!access("/sys/devices/system/node/node1", F_OK))
		return 0;
	return row_skip(world, "no-numa: one node only");
}

/* How many pages did not move is the answer, and why not is not told. */
static int run_move_pages(struct use *use)
{
	void *page = target(use);
	int node = !use->before->node, status = 0;
	long stayed;

	stayed = syscall(SYS_move_pages, 0, 1UL, &page, &node, &status,
			 MOVE_OWN);
	if (stayed < 0)
		return -errno;
	if (stayed)
		return -EBUSY;
	return status < 0 ? status : 0;
}

const struct consumer consumer_soft_offline = {
	.name = "soft_offline",
	.what = "MADV_SOFT_OFFLINE",
	.kind = CONSUMES_PLACE,
	.access = ACCESS_WRITE,
	.here = no_hotplug,
	.prepare = prepare_soft_offline,
	.ready = ready_soft_offline,
	.run = run_soft_offline,
	.undo = undo_soft_offline,
	.close = close_soft_offline,
};

const struct consumer consumer_move_pages = {
	.name = "move_pages",
	.what = "move_pages() to the other node",
	.kind = CONSUMES_PLACE,
	.access = ACCESS_WRITE,
	.here = has_nodes,
	.run = run_move_pages,
};
