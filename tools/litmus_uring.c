// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "litmus.h"
#include "litmus_uring.h"

static int ring_open(void)
{
	struct io_uring_params params = { 0 };
	int fd = syscall(SYS_io_uring_setup, 1, &params);

	return fd < 0 ? -errno : fd;
}

static int ring_register(int ring, void *addr, size_t len)
{
	struct iovec buffer = { .iov_base = addr, .iov_len = len };

	if (syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS,
		    &buffer, 1))
		return -errno;
	return 0;
}

static int ring_unregister(int ring)
{
	if (syscall(SYS_io_uring_register, ring, IORING_UNREGISTER_BUFFERS, NULL, 0))
		return -errno;
	return 0;
}

int litmus_uring_try(void *addr, size_t len)
{
	int ring = ring_open(), err;

	if (ring < 0)
		return ring;
	err = ring_register(ring, addr, len);
	if (!err)
		err = ring_unregister(ring);
	close(ring);
	return err;
}

static int uring_open(struct litmus_session *s)
{
	int ring = ring_open();

	if (ring < 0)
		return litmus_fail(s, ring, "io_uring_setup(): %s%s",
				   strerror(-ring), ring == -EPERM ?
				   " (kernel.io_uring_disabled?)" : "");
	s->state = (void *)(intptr_t)ring;
	return 0;
}

static int uring_pin(struct litmus_session *s, const struct litmus_area *area,
		     bool write)
{
	(void)write;
	return ring_register((intptr_t)s->state, (void *)(uintptr_t)area->addr,
			     area->len);
}

static int uring_unpin(struct litmus_session *s, const struct litmus_area *area)
{
	(void)area;
	return ring_unregister((intptr_t)s->state);
}

static void uring_close(struct litmus_session *s)
{
	close((intptr_t)s->state);
}

const struct litmus_provider litmus_io_uring = {
	.name = "io_uring",
	.summary = "IORING_REGISTER_BUFFERS",
	.flags = LITMUS_ONE_ACCESS,
	.expect = LITMUS_RUNG_LONGTERM,
	.open = uring_open,
	.pin = uring_pin,
	.unpin = uring_unpin,
	.close = uring_close,
};
