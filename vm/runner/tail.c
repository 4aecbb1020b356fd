// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tail.h"

bool tail_open(struct tail *t, const char *path,
	       void (*bytes)(void *ctx, const char *bytes, size_t len),
	       void *ctx)
{
	t->fd = open(path, O_RDONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	t->bytes = bytes;
	t->ctx = ctx;
	return t->fd >= 0;
}

bool tail_read(struct tail *t, size_t limit)
{
	static char buf[65536];
	size_t done = 0;
	ssize_t len;

	while (done < limit) {
		len = read(t->fd, buf, sizeof(buf));
		if (len < 0 && errno == EINTR)
			continue;
		if (len <= 0)
			return false;
		t->bytes(t->ctx, buf, len);
		done += len;
	}
	return true;
}

size_t tail_size(const struct tail *t)
{
	struct stat st;

	return fstat(t->fd, &st) ? 0 : st.st_size;
}

void tail_close(struct tail *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}
