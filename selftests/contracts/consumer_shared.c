// SPDX-License-Identifier: GPL-2.0
/*
 * One pin for two users, which lives as long as the last of them: instead of
 * coming for the page a second time, the consumer shares what the holder has.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "../lib/device.h"
#include "consumers.h"

static int run(struct use *use)
{
	use->fd[0] = fcntl(use->held->fd[0], F_DUPFD_CLOEXEC, 0);
	return use->fd[0] < 0 ? -errno : 0;
}

/* The holder goes first, and the page is as pinned as it was. */
static int undo(struct use *use)
{
	struct area *area = use->area;
	struct pinprobe_page page;
	int err;

	close(use->held->fd[0]);
	use->held->fd[0] = -1;
	err = look_pages(&use->world->look, area->addr + area->target, 1,
			 &page);
	if (!err && (page.pins != 1 || page.unpinnable))
		err = -ESTALE;
	close(use->fd[0]);
	use->fd[0] = -1;
	return err;
}

const struct consumer consumer_shared_pin = {
	.name = "shared_pin",
	.what = "a second descriptor of the pin that the holder has",
	.kind = CONSUMES_LONGTERM,
	.access = ACCESS_WRITE,
	.run = run,
	.undo = undo,
};
