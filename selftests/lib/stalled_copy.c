// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#include "stalled_copy.h"

#define WAIT_MS	5000

static void *copy_thread(void *arg)
{
	struct stalled_copy *copy = arg;
	struct iovec local = { .iov_base = copy->to, .iov_len = copy->len };
	struct iovec remote = { .iov_base = copy->from, .iov_len = copy->len };

	copy->copied = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
	return NULL;
}

int stalled_copy_start(struct stalled_copy *copy, char *from, size_t len)
{
	char *to;
	int err;

	memset(copy, 0, sizeof(*copy));
	copy->trap.fd = -1;
	copy->from = from;
	copy->len = len;
	to = mmap(NULL, len, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (to == MAP_FAILED)
		return -errno;
	copy->to = to;
	err = fault_trap_set(&copy->trap, to, len);
	/* A thread: a fork would leave others than the copy with other pages. */
	if (!err)
		err = -pthread_create(&copy->thread, NULL, copy_thread, copy);
	if (err)
		return err;
	copy->running = true;
	return fault_trap_wait(&copy->trap, WAIT_MS);
}

int stalled_copy_end(struct stalled_copy *copy)
{
	int err = fault_trap_fill(&copy->trap, copy->to);

	if (!err)
		err = -pthread_join(copy->thread, NULL);
	if (err)
		return err;
	copy->running = false;
	return copy->copied == (ssize_t)copy->len ? 0 : -EIO;
}

void stalled_copy_free(struct stalled_copy *copy)
{
	if (copy->running)
		stalled_copy_end(copy);
	/* Nobody sleeps in a trap that is not there. */
	fault_trap_free(&copy->trap);
	if (copy->running)
		pthread_join(copy->thread, NULL);
	copy->running = false;
	if (copy->to)
		munmap(copy->to, copy->len);
	copy->to = NULL;
}
