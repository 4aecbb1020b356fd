// SPDX-License-Identifier: GPL-2.0
/* Compaction of all memory, which moves whatever it may. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "consumers.h"

static int prepare(struct use *use)
{
	use->fd[0] = open("/proc/sys/vm/compact_memory", O_WRONLY | O_CLOEXEC);
	return use->fd[0] < 0 ? -errno : 0;
}

static int run(struct use *use)
{
	return write(use->fd[0], "1", 1) == 1 ? 0 : -errno;
}

static void done(struct use *use)
{
	close(use->fd[0]);
	use->fd[0] = -1;
}

const struct consumer consumer_compaction = {
	.name = "compaction",
	.what = "compaction of all memory, by /proc/sys/vm/compact_memory",
	.kind = CONSUMES_PLACE,
	.by_chance = true,
	.access = ACCESS_WRITE,
	.prepare = prepare,
	.run = run,
	.close = done,
};
