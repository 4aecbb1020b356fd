// SPDX-License-Identifier: GPL-2.0
/*
 * FOLL_PIN without FOLL_LONGTERM, on any kernel: process_vm_readv() and
 * process_vm_writev() pin pages of the other side while they copy, and the copy
 * sleeps on a page of this side that userfaultfd withholds. The other side is this
 * process too.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "litmus.h"

/* What one go of the copy takes: the kernel's table of them is two pages. */
#define COPY_PAGES	1024

struct copy {
	int trap;
	int done[2];		/* a pipe: the copy has ended */
	pthread_t thread;
	struct iovec local;
	struct iovec remote;
	bool write;
};

static void *run(void *arg)
{
	struct copy *copy = arg;
	ssize_t len;
	char byte = 0;
	int err = 0;

	if (copy->write)
		len = process_vm_writev(getpid(), &copy->local, 1, &copy->remote, 1, 0);
	else
		len = process_vm_readv(getpid(), &copy->local, 1, &copy->remote, 1, 0);
	if (len < 0)
		err = errno;
	if (write(copy->done[1], &byte, 1) != 1)
		err = EIO;
	return (void *)(intptr_t)err;
}

static int trap_open(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return -errno;
	if (ioctl(fd, UFFDIO_API, &api)) {
		close(fd);
		return -EOPNOTSUPP;
	}
	return fd;
}

static int copy_open(struct litmus_session *s)
{
	struct copy *copy;
	int trap = trap_open();

	if (trap < 0)
		return litmus_fail(s, trap, "userfaultfd(): %s%s", strerror(-trap),
				   trap == -EPERM ?
				   " (vm.unprivileged_userfaultfd?)" : "");
	close(trap);
	copy = calloc(1, sizeof(*copy));
	if (!copy)
		return -ENOMEM;
	s->state = copy;
	return 0;
}

static void copy_close(struct litmus_session *s)
{
	free(s->state);
}

static int trap_set(struct copy *copy, size_t len)
{
	struct uffdio_register withhold = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	void *addr;

	addr = mmap(NULL, len, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (addr == MAP_FAILED)
		return -errno;
	madvise(addr, len, MADV_NOHUGEPAGE);
	copy->local.iov_base = addr;
	copy->local.iov_len = len;
	copy->trap = trap_open();
	withhold.range.start = (uintptr_t)addr;
	withhold.range.len = len;
	if (copy->trap >= 0 && !ioctl(copy->trap, UFFDIO_REGISTER, &withhold))
		return 0;
	munmap(addr, len);
	if (copy->trap >= 0)
		close(copy->trap);
	return -EOPNOTSUPP;
}

static void let_go(struct copy *copy)
{
	struct uffdio_zeropage zero = {
		.range = {
			.start = (uintptr_t)copy->local.iov_base,
			.len = copy->local.iov_len,
		},
	};

	ioctl(copy->trap, UFFDIO_ZEROPAGE, &zero);
}

/* Ends the thread; what the copy said, 0 or -errno. */
static int end(struct copy *copy)
{
	void *err = NULL;

	pthread_join(copy->thread, &err);
	close(copy->trap);
	close(copy->done[0]);
	close(copy->done[1]);
	munmap(copy->local.iov_base, copy->local.iov_len);
	return -(int)(intptr_t)err;
}

static int copy_pin(struct litmus_session *s, const struct litmus_area *area,
		    bool write)
{
	struct copy *copy = s->state;
	struct pollfd wait[2];
	int err;

	copy->write = write;
	copy->remote.iov_base = (void *)(uintptr_t)area->addr;
	copy->remote.iov_len = area->len;
	if (pipe2(copy->done, O_CLOEXEC))
		return -errno;
	err = trap_set(copy, area->len);
	if (!err) {
		err = -pthread_create(&copy->thread, NULL, run, copy);
		if (err) {
			close(copy->trap);
			munmap(copy->local.iov_base, area->len);
		}
	}
	if (err) {
		close(copy->done[0]);
		close(copy->done[1]);
		return err;
	}
	wait[0] = (struct pollfd){ .fd = copy->trap, .events = POLLIN };
	wait[1] = (struct pollfd){ .fd = copy->done[0], .events = POLLIN };
	while (poll(wait, 2, -1) < 0)
		;
	/* Asleep in the trap: the pages are pinned. */
	if (wait[0].revents & POLLIN)
		return 0;
	err = end(copy);
	return err ? err : -EIO;
}

static int copy_unpin(struct litmus_session *s, const struct litmus_area *area)
{
	(void)area;
	let_go(s->state);
	return end(s->state);
}

const struct litmus_provider litmus_process_vm = {
	.name = "process_vm",
	.summary = "process_vm_readv() and _writev(), which pin for a moment",
	.max_pages = COPY_PAGES,
	.expect = LITMUS_RUNG_PIN,
	.open = copy_open,
	.pin = copy_pin,
	.unpin = copy_unpin,
	.close = copy_close,
};
