// SPDX-License-Identifier: GPL-2.0
/* Calls of the kernel's own, whose contract its source says: AF_XDP and udmabuf. */
#include <errno.h>
#include <fcntl.h>
#include <linux/if_xdp.h>
#include <linux/udmabuf.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "litmus.h"

/* A socket takes one umem in its life. */
static int xdp_open(struct litmus_session *s)
{
	int fd = socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return litmus_fail(s, -errno, "socket(AF_XDP): %s", strerror(errno));
	close(fd);
	s->state = (void *)(intptr_t)-1;
	return 0;
}

static int xdp_pin(struct litmus_session *s, const struct litmus_area *area,
		   bool write)
{
	const struct xdp_umem_reg umem = {
		.addr = area->addr,
		.len = area->len,
		.chunk_size = s->page,
	};
	int fd = socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0), err;

	(void)write;
	if (fd < 0)
		return -errno;
	if (setsockopt(fd, SOL_XDP, XDP_UMEM_REG, &umem, sizeof(umem))) {
		err = -errno;
		close(fd);
		return err;
	}
	s->state = (void *)(intptr_t)fd;
	return 0;
}

static int fd_unpin(struct litmus_session *s, const struct litmus_area *area)
{
	(void)area;
	return close((intptr_t)s->state) ? -errno : 0;
}

const struct litmus_provider litmus_xdp = {
	.name = "xdp",
	.summary = "XDP_UMEM_REG on an AF_XDP socket",
	.flags = LITMUS_ONE_ACCESS,
	.expect = LITMUS_RUNG_LONGTERM,
	.open = xdp_open,
	.pin = xdp_pin,
	.unpin = fd_unpin,
};

static int udmabuf_open(struct litmus_session *s)
{
	int fd = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return litmus_fail(s, -errno, "/dev/udmabuf: %s", strerror(errno));
	close(fd);
	return 0;
}

static int udmabuf_pin(struct litmus_session *s, const struct litmus_area *area,
		       bool write)
{
	const struct udmabuf_create create = {
		.memfd = area->fd,
		.flags = UDMABUF_FLAGS_CLOEXEC,
		.size = area->len,
	};
	int dev = open("/dev/udmabuf", O_RDWR | O_CLOEXEC), fd, err;

	(void)write;
	if (dev < 0)
		return -errno;
	fd = ioctl(dev, UDMABUF_CREATE, &create);
	err = fd < 0 ? -errno : 0;
	close(dev);
	if (!err)
		s->state = (void *)(intptr_t)fd;
	return err;
}

/* udmabuf's own limit is 64 MiB a buffer unless a parameter says otherwise. */
const struct litmus_provider litmus_udmabuf = {
	.name = "udmabuf",
	.summary = "UDMABUF_CREATE of a memfd",
	.flags = LITMUS_ONE_ACCESS | LITMUS_TAKES_MEMFD,
	.max_pages = (64 << 20) / 65536,
	.open = udmabuf_open,
	.pin = udmabuf_pin,
	.unpin = fd_unpin,
};
