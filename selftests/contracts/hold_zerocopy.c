// SPDX-License-Identifier: GPL-2.0
/*
 * MSG_ZEROCOPY that cannot leave: it waits behind more than the other end has
 * room for. What the loopback device delivers it copies first, what is not sent
 * yet is the page itself.
 */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "holds.h"

#define ROOM_THERE	4096
#define ROOM_HERE	(1 << 20)
#define AHEAD		(64 << 10)

enum { SENDER, LISTENER, RECEIVER };

static int set_number(int sock, int option, int value)
{
	return setsockopt(sock, SOL_SOCKET, option, &value, sizeof(value)) ?
	       -errno : 0;
}

static int join(struct held *held)
{
	struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t len = sizeof(addr);
	int err;

	held->fd[LISTENER] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	held->fd[SENDER] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (held->fd[LISTENER] < 0 || held->fd[SENDER] < 0)
		return -errno;
	err = set_number(held->fd[LISTENER], SO_RCVBUF, ROOM_THERE);
	if (!err)
		err = set_number(held->fd[SENDER], SO_SNDBUFFORCE, ROOM_HERE);
	if (!err)
		err = set_number(held->fd[SENDER], SO_ZEROCOPY, 1);
	if (err)
		return err;
	if (bind(held->fd[LISTENER], (struct sockaddr *)&addr, len) ||
	    listen(held->fd[LISTENER], 1) ||
	    getsockname(held->fd[LISTENER], (struct sockaddr *)&addr, &len) ||
	    connect(held->fd[SENDER], (struct sockaddr *)&addr, len))
		return -errno;
	held->fd[RECEIVER] = accept4(held->fd[LISTENER], NULL, NULL,
				     SOCK_CLOEXEC);
	return held->fd[RECEIVER] < 0 ? -errno : 0;
}

/* More than the other end has room for, so that nothing behind it leaves. */
static int fill(struct held *held)
{
	static const char block[16384];
	size_t sent;
	ssize_t ret;

	for (sent = 0; sent < AHEAD; sent += ret) {
		ret = send(held->fd[SENDER], block, sizeof(block),
			   MSG_DONTWAIT | MSG_NOSIGNAL);
		if (ret <= 0)
			return ret ? -errno : -EIO;
	}
	return 0;
}

static int drop(struct world *world, struct area *area, struct held *held)
{
	struct linger now = { .l_onoff = 1 };

	/* What was not sent is thrown away at once. */
	if (held->fd[SENDER] >= 0)
		setsockopt(held->fd[SENDER], SOL_SOCKET, SO_LINGER, &now,
			   sizeof(now));
	return held_close(world, area, held);
}

static int take(struct world *world, struct area *area, struct held *held)
{
	ssize_t sent;
	int err = join(held);

	if (!err)
		err = fill(held);
	if (!err) {
		sent = send(held->fd[SENDER], area->addr + area->target,
			    world->page_size,
			    MSG_ZEROCOPY | MSG_DONTWAIT | MSG_NOSIGNAL);
		/* A part of the page is the page. */
		if (sent <= 0)
			err = sent ? -errno : -EIO;
	}
	if (err)
		drop(world, area, held);
	return err;
}

const struct hold hold_zerocopy = {
	.name = "zerocopy",
	.what = "MSG_ZEROCOPY of it to a peer that does not read",
	.kind = HOLD_REFERENCE,
	.take = take,
	.drop = drop,
};
