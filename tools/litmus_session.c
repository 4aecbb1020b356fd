// SPDX-License-Identifier: GPL-2.0
/* What a provider is given to register: a memfd and a file on a disk. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "litmus.h"

int litmus_fail(struct litmus_session *s, int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(s->why, sizeof(s->why), fmt, args);
	va_end(args);
	return err;
}

const char *litmus_why(const struct litmus_session *s, int err)
{
	if (s->why[0])
		return s->why;
	return err == -LITMUS_EHIDDEN ? "refused" : strerror(-err);
}

static int open_memfd(struct litmus_session *s)
{
	s->memfd = memfd_create("pinprobe-litmus", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (s->memfd < 0)
		return -errno;
	if (ftruncate(s->memfd, (off_t)LITMUS_PAGES_MAX * s->page) ||
	    fcntl(s->memfd, F_ADD_SEALS, F_SEAL_SHRINK))
		return -errno;
	return 0;
}

/* Is memory of its files written back to anywhere? */
static bool written_back(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return false;
	/* The field is signed on some architectures, and the magic is not. */
	switch ((unsigned int)fs.f_type) {
	case TMPFS_MAGIC:
	case RAMFS_MAGIC:
	case HUGETLBFS_MAGIC:
		return false;
	}
	return true;
}

static int fill(struct litmus_session *s, int fd)
{
	size_t len = LITMUS_FILE_PAGES * s->page;
	char *bytes = malloc(len);
	int err = 0;

	if (!bytes)
		return -ENOMEM;
	memset(bytes, 0x5a, len);
	if (pwrite(fd, bytes, len, 0) != (ssize_t)len || fsync(fd))
		err = errno ? -errno : -EIO;
	free(bytes);
	return err;
}

/* It has no name, so that nothing is left behind whatever happens. */
static int open_unnamed(const char *dir)
{
	char path[4096];
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd < 0 ? -errno : fd;
	if (snprintf(path, sizeof(path), "%s/pinprobe-litmus-XXXXXX", dir) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	unlink(path);
	return fd;
}

static int try_dir(struct litmus_session *s, const char *dir)
{
	int fd = open_unnamed(dir), err = fd < 0 ? fd : 0;

	if (!err && !written_back(fd))
		err = -EMEDIUMTYPE;
	if (!err)
		err = fill(s, fd);
	if (!err) {
		s->file = fd;
		snprintf(s->file_why, sizeof(s->file_why), "%s", dir);
		return 0;
	}
	snprintf(s->file_why, sizeof(s->file_why), "%s: %s", dir,
		 err == -EMEDIUMTYPE ? "its files are not written back" :
		 strerror(-err));
	if (fd >= 0)
		close(fd);
	return err;
}

/* Without one there is less evidence; that is not an error. */
static void open_file(struct litmus_session *s)
{
	const char *const dirs[] = { getenv("TMPDIR"), "/var/tmp", "/tmp", "." };
	size_t i;

	if (s->options->dir) {
		try_dir(s, s->options->dir);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(dirs); i++)
		if (dirs[i] && !try_dir(s, dirs[i]))
			return;
	snprintf(s->file_why, sizeof(s->file_why),
		 "no folder whose files are written back: give one with --dir");
}

int litmus_session_open(struct litmus_session *s,
			const struct litmus_provider *provider,
			const struct litmus_options *options)
{
	int err;

	memset(s, 0, sizeof(*s));
	s->provider = provider;
	s->options = options;
	s->memfd = -1;
	s->file = -1;
	s->page = sysconf(_SC_PAGESIZE);
	err = open_memfd(s);
	if (err)
		return litmus_fail(s, err, "memfd: %s", strerror(-err));
	open_file(s);
	err = provider->open(s);
	if (err)
		s->provider = NULL;
	return err;
}

void litmus_session_close(struct litmus_session *s)
{
	if (s->provider && s->provider->close)
		s->provider->close(s);
	s->provider = NULL;
	if (s->file >= 0)
		close(s->file);
	if (s->memfd >= 0)
		close(s->memfd);
	s->file = -1;
	s->memfd = -1;
}
