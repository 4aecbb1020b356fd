// SPDX-License-Identifier: GPL-2.0
/*
 * Holders of a moment, again and again, while the consumer comes. Whether it meets
 * one is chance: it is called until it succeeds, and each holder counts.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>
#include "../lib/device.h"
#include "../lib/memory.h"
#include "../lib/vmstat.h"
#include "holds.h"

#define FIRST_MS	5000

struct racer {
	pthread_t thread;
	struct world *world;
	struct area *area;
	int (*round)(struct racer *racer);
	bool started;
	atomic_bool go, stop;
	atomic_ulong rounds;
	atomic_int error;	/* of a round that failed as none may */
	unsigned long rounds_before;
};

/* Elsewhere than the consumer, which stays where it is. */
static void go_elsewhere(void)
{
	int nr = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((sched_getcpu() + 1) % nr, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void *race(void *arg)
{
	struct racer *racer = arg;
	int err;

	go_elsewhere();
	while (!atomic_load(&racer->go) && !atomic_load(&racer->stop))
		sched_yield();
	while (!atomic_load(&racer->stop)) {
		err = racer->round(racer);
		if (!err) {
			atomic_fetch_add(&racer->rounds, 1);
		} else if (err != -ENOMEM) {
			atomic_store(&racer->error, -err);
			break;
		}
	}
	/* Pages that it moved lie in batches of its CPU. */
	memory_settle();
	return NULL;
}

static int copy_once(struct racer *racer)
{
	char to[64];
	struct iovec local = { .iov_base = to, .iov_len = sizeof(to) };
	struct iovec remote = {
		.iov_base = racer->area->addr + racer->area->target,
		.iov_len = sizeof(to),
	};

	if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) < 0)
		return -errno;
	return 0;
}

/* All of the area, through another function than consumers use. */
static int pin_once(struct racer *racer)
{
	int fd = device_pin(racer->world->look.dev, racer->area->addr,
			    racer->area->len, PINPROBE_CALL_PIN,
			    PINPROBE_PIN_LONGTERM | PINPROBE_PIN_WRITE, NULL);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/* Whether it comes round once more than @rounds; it may not have had a CPU yet. */
static int await_more(struct racer *racer, unsigned long rounds)
{
	int64_t deadline = now_ms() + FIRST_MS;

	while (atomic_load(&racer->rounds) <= rounds) {
		if (atomic_load(&racer->error) || now_ms() > deadline)
			return -ETIME;
		usleep(1000);
	}
	return 0;
}

/* @met: it has to have come round while the consumer was there, and not after. */
static int end(struct racer *racer, bool met)
{
	int err = 0, late = 0;

	if (!met)
		late = await_more(racer, racer->rounds_before);
	atomic_store(&racer->stop, true);
	if (racer->started)
		err = -pthread_join(racer->thread, NULL);
	if (!err)
		err = -atomic_load(&racer->error);
	if (met && atomic_load(&racer->rounds) <= racer->rounds_before)
		late = -ENODATA;
	free(racer);
	return err ?: late;
}

static int drop(struct world *world, struct area *area, struct held *held)
{
	struct racer *racer = held->private;

	held->private = NULL;
	return racer ? end(racer, held->met) : 0;
}

static int await_round(struct racer *racer)
{
	int err = await_more(racer, 0);

	racer->rounds_before = atomic_load(&racer->rounds);
	return err;
}

static int begin(struct world *world, struct area *area, struct held *held,
		 int (*round)(struct racer *racer))
{
	struct racer *racer = calloc(1, sizeof(*racer));
	int err;

	if (!racer)
		return -ENOMEM;
	racer->world = world;
	racer->area = area;
	racer->round = round;
	err = -pthread_create(&racer->thread, NULL, race, racer);
	if (err) {
		free(racer);
		return err;
	}
	racer->started = true;
	held->private = racer;
	return 0;
}

static int take_copying(struct world *world, struct area *area,
			struct held *held)
{
	struct racer *racer;
	int err = begin(world, area, held, copy_once);

	if (err)
		return err;
	racer = held->private;
	atomic_store(&racer->go, true);
	err = await_round(racer);
	if (err)
		drop(world, area, held);
	return err;
}

static int take_racing(struct world *world, struct area *area,
		       struct held *held)
{
	return begin(world, area, held, pin_once);
}

static int go(struct world *world, struct area *area, struct held *held)
{
	struct racer *racer = held->private;

	atomic_store(&racer->go, true);
	return 0;
}

/* It need not have been quick enough while the consumer ran. */
static int drop_racing(struct world *world, struct area *area,
		       struct held *held)
{
	struct racer *racer = held->private;

	if (racer) {
		atomic_store(&racer->go, true);
		await_round(racer);
		racer->rounds_before = 0;
	}
	return drop(world, area, held);
}

const struct hold hold_copying = {
	.name = "copying",
	.what = "process_vm_readv() from it, again and again",
	.kind = HOLD_TRANSIENT,
	.take = take_copying,
	.drop = drop,
};

const struct hold hold_racing = {
	.name = "racing",
	.what = "pin_user_pages() with FOLL_LONGTERM, at the same time, again and again",
	.kind = HOLD_TRANSIENT,
	.take = take_racing,
	.race = go,
	.drop = drop_racing,
};
