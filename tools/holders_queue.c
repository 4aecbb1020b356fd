// SPDX-License-Identifier: GPL-2.0
/* Pipes and sockets with bytes in them, whose pages they may be. */
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "holders_internal.h"

#ifndef SO_ZEROCOPY
#define SO_ZEROCOPY	60
#endif
#ifndef AF_XDP
#define AF_XDP		44
#endif

static bool seen(const struct holders *h, enum holder_kind kind, uint64_t inode)
{
	size_t i;

	for (i = 0; i < h->nr; i++)
		if (h->holder[i].kind == kind && h->holder[i].file == inode)
			return true;
	return false;
}

static struct holder *add(struct holders *h, enum holder_kind kind, pid_t pid,
			  int fd, uint64_t inode, uint64_t bytes)
{
	struct holder *holder = holders_add(h, kind, pid, fd);

	holder->claim = HOLDER_CLAIM_KIND;
	holder->takes = HOLDER_TAKES_REF;
	holder->file = inode;
	holder->bytes = bytes;
	return holder;
}

/* -errno if it cannot be asked. */
static int borrow(struct holders *h, pid_t pid, int fd, const char *what)
{
	int copy = holders_borrow(h, pid, fd);

	if (copy < 0 && copy != -ESRCH && copy != -EBADF)
		holders_missing(h, "%s of process %d: %s", what, pid,
				copy == -EOPNOTSUPP ? "cannot be asked here" :
				strerror(-copy));
	return copy;
}

void holders_pipe(struct holders *h, pid_t pid, int fd, uint64_t inode)
{
	struct holder *holder;
	int copy, bytes = 0;

	if (seen(h, HOLDER_PIPE, inode))
		return;
	copy = borrow(h, pid, fd, "pipes");
	if (copy < 0)
		return;
	if (ioctl(copy, FIONREAD, &bytes))
		bytes = 0;
	close(copy);
	if (bytes <= 0)
		return;
	holder = add(h, HOLDER_PIPE, pid, fd, inode, bytes);
	holder->what = text_format("pipe:[%llu]", (unsigned long long)inode);
	holder->evidence = text_format("%d bytes in it are not read; they are pages of others if vmsplice(), splice() or tee() put them there",
				       bytes);
}

static int option(int fd, int name)
{
	int value = 0;
	socklen_t len = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, name, &value, &len) ? 0 : value;
}

static void xdp_socket(struct holders *h, pid_t pid, int fd, uint64_t inode)
{
	struct holder *holder = add(h, HOLDER_DRIVER, pid, fd, inode, 0);

	holder->takes = HOLDER_TAKES_PIN;
	holder->what = text_dup("AF_XDP socket");
	holder->evidence = text_dup("its UMEM is pinned for as long as a socket has it; at which address is not told");
}

void holders_socket(struct holders *h, pid_t pid, int fd, uint64_t inode)
{
	struct holder *holder;
	int copy, bytes = 0;
	bool zerocopy;

	if (seen(h, HOLDER_SOCKET, inode))
		return;
	copy = borrow(h, pid, fd, "sockets");
	if (copy < 0)
		return;
	zerocopy = option(copy, SO_ZEROCOPY);
	if (option(copy, SO_DOMAIN) == AF_XDP)
		xdp_socket(h, pid, fd, inode);
	else if (ioctl(copy, SIOCOUTQ, &bytes))
		bytes = 0;
	close(copy);
	if (bytes <= 0)
		return;
	holder = add(h, HOLDER_SOCKET, pid, fd, inode, bytes);
	holder->what = text_format("socket:[%llu]", (unsigned long long)inode);
	holder->evidence = text_format("%d bytes of it are not sent or not acknowledged; %s",
				       bytes, zerocopy ?
				       "it has SO_ZEROCOPY, so that they may be pages of the sender" :
				       "they are pages of others if sendfile() or splice() put them there");
}
