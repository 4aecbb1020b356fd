// SPDX-License-Identifier: GPL-2.0
/* Open files of a process that may hold pages. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "holders_internal.h"

int holders_borrow(struct holders *h, pid_t pid, int fd)
{
	int process, copy;

	if (!source_live(h->query->source))
		return -EOPNOTSUPP;
	process = syscall(SYS_pidfd_open, pid, 0);
	if (process < 0)
		return -errno;
	copy = syscall(SYS_pidfd_getfd, process, fd, 0);
	if (copy < 0)
		copy = -errno;
	close(process);
	return copy;
}

const char *fdinfo_value(const char *fdinfo, const char *key)
{
	size_t len = strlen(key);
	const char *line;

	for (line = fdinfo; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, key, len) && line[len] == ':')
			return line + len + 1 + strspn(line + len + 1, " \t");
	}
	return NULL;
}

static uint64_t inode_in(const char *link)
{
	const char *at = strchr(link, '[');

	return at ? strtoull(at + 1, NULL, 10) : 0;
}

static uint64_t inode_of(struct holders *h, pid_t pid, int fd)
{
	struct text info = { 0 };
	const char *value;
	uint64_t inode = 0;

	source_read(h->query->source, &info, "/proc/%d/fdinfo/%d", pid, fd);
	value = fdinfo_value(info.s, "ino");
	if (value)
		inode = strtoull(value, NULL, 10);
	text_free(&info);
	return inode;
}

/* A pin may be of another process's pages; all else is of its own. */
static bool matters(const struct holders *h, pid_t pid)
{
	return h->query->all || !h->targets || holders_maps_it(h, pid);
}

/* Links of files that are nowhere: "anon_inode:[io_uring]", "pipe:[4711]". */
static void one(struct holders *h, pid_t pid, int fd, const char *link)
{
	if (!strcmp(link, "anon_inode:[pinprobe]"))
		holders_pin(h, pid, fd);
	else if (!matters(h, pid))
		return;
	else if (!strcmp(link, "anon_inode:[io_uring]"))
		holders_ring(h, pid, fd, inode_of(h, pid, fd));
	else if (text_starts(link, "pipe:["))
		holders_pipe(h, pid, fd, inode_in(link));
	else if (text_starts(link, "socket:["))
		holders_socket(h, pid, fd, inode_in(link));
	else if (text_starts(link, "/dmabuf:"))
		holders_dmabuf(h, pid, fd);
	else if (!strcmp(link, "/dev/vfio/vfio") || !strcmp(link, "/dev/iommu"))
		holders_vfio(h, pid, fd, link);
}

void holders_files(struct holders *h, pid_t pid)
{
	struct source_names names;
	enum source_state state;
	size_t i;

	state = source_list(h->query->source, &names, "/proc/%d/fd", pid);
	if (state == SOURCE_DENIED && !holders_maps_it(h, pid))
		h->denied_files++;
	else if (state == SOURCE_DENIED || state == SOURCE_FAILED)
		holders_missing(h, "descriptors of process %d: %s", pid,
				source_why(state));
	for (i = 0; i < names.count; i++) {
		char *link = NULL;
		long long fd;

		if (!text_number(names.name[i], &fd))
			continue;
		source_target(h->query->source, &link, "/proc/%d/fd/%lld", pid, fd);
		if (link)
			one(h, pid, fd, link);
		free(link);
	}
	source_names_free(&names);
}
