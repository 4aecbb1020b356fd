// SPDX-License-Identifier: GPL-2.0
/* Memory offline of the block where the target page was at first. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "../lib/promise.h"
#include "consumers.h"

#define MEMORY	"/sys/devices/system/memory/"

static int has_hotplug(struct world *world)
{
	if (promise_profile("hotplug"))
		return 0;
	return row_skip(world, "not-this-profile: no hot-added memory");
}

static int open_state(struct use *use)
{
	unsigned long long size = 0;
	char path[96];
	FILE *file;

	file = fopen(MEMORY "block_size_bytes", "re");
	if (!file)
		return -errno;
	if (fscanf(file, "%llx", &size) != 1 || !size) {
		fclose(file);
		return -EIO;
	}
	fclose(file);
	snprintf(path, sizeof(path), MEMORY "memory%llu/state",
		 use->before->pfn * use->world->page_size / size);
	use->fd[0] = open(path, O_RDWR | O_CLOEXEC);
	return use->fd[0] < 0 ? -errno : 0;
}

static int run(struct use *use)
{
	return write(use->fd[0], "offline", 7) == 7 ? 0 : -errno;
}

static int undo(struct use *use)
{
	static const char online[] = "online_movable";

	return pwrite(use->fd[0], online, strlen(online), 0) < 0 ? -errno : 0;
}

/* One that was killed may have been done by then. */
static void done(struct use *use)
{
	char state[16] = "";

	if (use->fd[0] < 0)
		return;
	if (pread(use->fd[0], state, sizeof(state) - 1, 0) > 0 &&
	    !strncmp(state, "offline", 7))
		undo(use);
	close(use->fd[0]);
	use->fd[0] = -1;
}

const struct consumer consumer_memory_offline = {
	.name = "memory_offline",
	.what = "memory offline of the page's block",
	.kind = CONSUMES_PLACE,
	.access = ACCESS_WRITE,
	.here = has_hotplug,
	.ready = open_state,
	.run = run,
	.undo = undo,
	.close = done,
};
