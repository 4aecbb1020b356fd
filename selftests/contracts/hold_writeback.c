// SPDX-License-Identifier: GPL-2.0
/*
 * A page that is being written back, to a disk that does not answer. Nobody has a
 * reference: who migrates it waits.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include "../lib/child.h"
#include "../lib/device.h"
#include "../lib/vmstat.h"
#include "holds.h"
#include "mapper.h"

#define ANSWER_US	200000
#define WAIT_MS		5000
#define TRIES		100

/* What comes behind. */
struct written {
	pthread_t thread;	/* who lets it go on */
	bool threaded;
	int answered;
	struct child child;	/* who migrates it, pid 0: nobody */
	char *addr;
	size_t len;
	int dev;
};

static int start(struct world *world, struct area *area)
{
	size_t page = world->page_size;
	int err;

	if (!mapper_disk())
		return -ENODEV;
	area->addr[area->target] = 'w';
	err = stalled_suspend(mapper_disk());
	if (err)
		return err;
	/* Begins to write it, and does not wait. That it did is looked at. */
	if (!sync_file_range(area->fd, area->target, page,
			     SYNC_FILE_RANGE_WRITE))
		return 0;
	err = -errno;
	stalled_resume(mapper_disk());
	return err;
}

static int end(struct world *world, struct area *area)
{
	int err = stalled_resume(mapper_disk());

	if (!err && sync_file_range(area->fd, area->target, world->page_size,
				    SYNC_FILE_RANGE_WAIT_BEFORE))
		err = -errno;
	return err;
}

static int take(struct world *world, struct area *area, struct held *held)
{
	return start(world, area);
}

static int drop(struct world *world, struct area *area, struct held *held)
{
	return end(world, area);
}

static int take_ending(struct world *world, struct area *area, struct held *held)
{
	struct written *written = calloc(1, sizeof(*written));
	int err;

	if (!written)
		return -ENOMEM;
	err = start(world, area);
	if (err)
		free(written);
	else
		held->private = written;
	return err;
}

static void *answer(void *arg)
{
	struct written *written = arg;

	usleep(ANSWER_US);
	written->answered = stalled_resume(mapper_disk());
	return NULL;
}

static int race_ending(struct world *world, struct area *area, struct held *held)
{
	struct written *written = held->private;
	int err = pthread_create(&written->thread, NULL, answer, written);

	written->threaded = !err;
	return -err;
}

static int drop_ending(struct world *world, struct area *area, struct held *held)
{
	struct written *written = held->private;
	int err = 0, ended;

	held->private = NULL;
	if (written->threaded)
		err = -pthread_join(written->thread, NULL);
	if (!err)
		err = written->answered;
	free(written);
	ended = end(world, area);
	return err ? err : ended;
}

/*
 * Has the page isolated from its list, and waits, until the disk answers. What the
 * file system still has to do with the page then can make the kernel give up.
 */
static int migrate(int sock, void *arg)
{
	struct written *written = arg;
	int fd, tries = TRIES;

	do {
		fd = device_pin(written->dev, written->addr, written->len,
				PINPROBE_CALL_PIN_FAST, PINPROBE_PIN_LONGTERM,
				NULL);
	} while (fd == -ENOMEM && --tries);
	return fd == -ENOMEM;
}

static int await_isolated(struct world *world, struct written *written)
{
	int64_t deadline = now_ms() + WAIT_MS;
	struct pinprobe_page page;
	int err;

	for (;;) {
		err = look_pages(&world->look, written->addr, 1, &page);
		if (err || !(page.flags & PINPROBE_PAGE_LRU))
			return err;
		if (now_ms() > deadline)
			return -ETIME;
		usleep(1000);
	}
}

static int drop_migrating(struct world *world, struct area *area,
			  struct held *held)
{
	struct written *written = held->private;
	int err = stalled_resume(mapper_disk()), ended;

	held->private = NULL;
	/* Who waits for the writeback meanwhile has a reference. */
	if (written->child.pid && child_end(&written->child) > 0 && !err)
		err = -EAGAIN;
	free(written);
	ended = end(world, area);
	return err ? err : ended;
}

/* A process: the row's own mappings can be changed meanwhile. */
static int take_migrating(struct world *world, struct area *area,
			  struct held *held)
{
	struct written *written;
	int err = take_ending(world, area, held);

	if (err)
		return err;
	written = held->private;
	written->dev = world->look.dev;
	written->addr = area->addr + area->target;
	written->len = world->page_size;
	err = child_start(&written->child, migrate, written);
	if (!err)
		err = await_isolated(world, written);
	if (err)
		drop_migrating(world, area, held);
	return err;
}

const struct hold hold_writeback = {
	.name = "writeback",
	.what = "its writeback, to a suspended device",
	.kind = HOLD_WRITEBACK,
	.take = take,
	.drop = drop,
};

const struct hold hold_writeback_ending = {
	.name = "writeback_ending",
	.what = "its writeback, to a device that is resumed while the call waits",
	.kind = HOLD_TRANSIENT,
	.take = take_ending,
	.race = race_ending,
	.drop = drop_ending,
};

const struct hold hold_migrating = {
	.name = "migrating",
	.what = "another's long-term pin that moves it and waits for its writeback",
	.kind = HOLD_WRITEBACK,
	.take = take_migrating,
	.drop = drop_migrating,
};
