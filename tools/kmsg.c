// SPDX-License-Identifier: GPL-2.0
/* Records of the kernel's log, which read() gives one by one. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "kmsg.h"

int kmsg_each(void (*each)(void *ctx, const char *record), void *ctx)
{
	int fd = open(KMSG_PATH, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char record[8192];
	ssize_t len;

	if (fd < 0)
		return -errno;
	for (;;) {
		len = read(fd, record, sizeof(record) - 1);
		/* EPIPE: what came next has been overwritten meanwhile. */
		if (len < 0 && (errno == EPIPE || errno == EINTR))
			continue;
		if (len <= 0)
			break;
		record[len] = '\0';
		each(ctx, record);
	}
	close(fd);
	return 0;
}
