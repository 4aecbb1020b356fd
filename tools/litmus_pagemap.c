// SPDX-License-Identifier: GPL-2.0
/* /proc/PID/pagemap: PFNs for root, the other bits for everybody. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "litmus.h"

int litmus_pagemap(const struct litmus_session *s,
		   const struct litmus_area *area, uint64_t *entries)
{
	size_t bytes = area->len / s->page * sizeof(*entries), done = 0;
	off_t at = area->addr / s->page * sizeof(*entries);
	char path[64];
	ssize_t len;
	int fd, err = 0;

	if (s->pid)
		snprintf(path, sizeof(path), "/proc/%d/pagemap", s->pid);
	else
		snprintf(path, sizeof(path), "/proc/self/pagemap");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	while (!err && done < bytes) {
		len = pread(fd, (char *)entries + done, bytes - done, at + done);
		if (len > 0)
			done += len;
		else if (!len)
			err = -EIO;
		else if (errno != EINTR)
			err = -errno;
	}
	close(fd);
	return err;
}

long litmus_exclusive(const struct litmus_session *s,
		      const struct litmus_area *area)
{
	const uint64_t both = LITMUS_PRESENT | LITMUS_EXCLUSIVE;
	size_t nr = area->len / s->page, i;
	uint64_t *entries = calloc(nr, sizeof(*entries));
	long count = 0;
	int err;

	if (!entries)
		return -ENOMEM;
	err = litmus_pagemap(s, area, entries);
	for (i = 0; !err && i < nr; i++)
		count += (entries[i] & both) == both;
	free(entries);
	return err ? err : count;
}
