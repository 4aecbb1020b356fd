// SPDX-License-Identifier: GPL-2.0
/*
 * process_vm_readv() that sleeps in the middle: it pins what it reads from, and
 * userfaultfd withholds what it writes to.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#include "../lib/fault_trap.h"
#include "holds.h"

#define WAIT_MS	5000

struct copy {
	pthread_t thread;
	struct fault_trap trap;
	char *from, *to;
	size_t len;
	ssize_t copied;
	bool started;
};

/* A thread: a fork would leave the consumer other pages. */
static void *copy_thread(void *arg)
{
	struct copy *copy = arg;
	struct iovec local = { .iov_base = copy->to, .iov_len = copy->len };
	struct iovec remote = { .iov_base = copy->from, .iov_len = copy->len };

	copy->copied = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
	return NULL;
}

static int release(struct copy *copy)
{
	int err = 0;

	if (copy->started) {
		err = fault_trap_fill(&copy->trap, copy->to);
		if (!err)
			err = -pthread_join(copy->thread, NULL);
		if (!err && copy->copied != (ssize_t)copy->len)
			err = -EIO;
	}
	fault_trap_free(&copy->trap);
	if (copy->to)
		munmap(copy->to, copy->len);
	free(copy);
	return err;
}

static int drop(struct world *world, struct area *area, struct held *held)
{
	struct copy *copy = held->private;

	held->private = NULL;
	return copy ? release(copy) : 0;
}

static int start(struct copy *copy)
{
	int err = fault_trap_set(&copy->trap, copy->to, copy->len);

	if (!err)
		err = -pthread_create(&copy->thread, NULL, copy_thread, copy);
	if (err)
		return err;
	copy->started = true;
	return fault_trap_wait(&copy->trap, WAIT_MS);
}

static int take(struct world *world, struct area *area, struct held *held)
{
	struct copy *copy = calloc(1, sizeof(*copy));
	int err;

	if (!copy)
		return -ENOMEM;
	copy->trap.fd = -1;
	copy->from = area->addr + area->target;
	copy->len = world->page_size;
	copy->to = mmap(NULL, copy->len, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (copy->to == MAP_FAILED) {
		free(copy);
		return -ENOMEM;
	}
	err = start(copy);
	if (!err) {
		held->private = copy;
		return 0;
	}
	release(copy);
	if (err == -EOPNOTSUPP)
		return row_skip(world, "no-userfaultfd: none that traps the kernel");
	return err;
}

const struct hold hold_process_vm = {
	.name = "process_vm",
	.what = "process_vm_readv() from it, asleep in a fault of its destination",
	.kind = HOLD_FOLL_PIN,
	.take = take,
	.drop = drop,
};
