// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source.h"

bool source_live(const struct source *s)
{
	return !*s->root;
}

const char *source_why(enum source_state state)
{
	switch (state) {
	case SOURCE_OK:
		return "read";
	case SOURCE_ABSENT:
		return "absent";
	case SOURCE_DENIED:
		return "not allowed";
	default:
		return "unreadable";
	}
}

static char *path_of(const struct source *s, const char *fmt, va_list args)
{
	char *name, *path;

	if (vasprintf(&name, fmt, args) < 0)
		return text_dup("");
	path = text_format("%s%s", s->root, name);
	free(name);
	return path;
}

static bool recorded_denied(const struct source *s, const char *path)
{
	char *marker;
	bool denied;

	if (source_live(s))
		return false;
	marker = text_format("%s.denied", path);
	denied = !access(marker, F_OK);
	free(marker);
	return denied;
}

static enum source_state state_of(const struct source *s, const char *path,
				  int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return SOURCE_DENIED;
	case ENOENT:
	case ENOTDIR:
	/* A process that went away, a device that has no such attribute. */
	case ESRCH:
	case ENODEV:
	case ENXIO:
		return recorded_denied(s, path) ? SOURCE_DENIED : SOURCE_ABSENT;
	default:
		return SOURCE_FAILED;
	}
}

static int read_all(int fd, struct text *t)
{
	char buf[65536];
	ssize_t got;

	while ((got = read(fd, buf, sizeof(buf)))) {
		if (got < 0 && errno != EINTR)
			return errno;
		if (got > 0)
			text_add(t, buf, got);
	}
	return 0;
}

static enum source_state read_path(const struct source *s, struct text *t,
				   const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;

	text_add(t, "", 0);
	if (fd < 0)
		return state_of(s, path, errno);
	error = read_all(fd, t);
	close(fd);
	return error ? state_of(s, path, error) : SOURCE_OK;
}

enum source_state source_read(const struct source *s, struct text *t,
			      const char *fmt, ...)
{
	enum source_state state;
	va_list args;
	char *path;

	va_start(args, fmt);
	path = path_of(s, fmt, args);
	va_end(args);
	state = read_path(s, t, path);
	free(path);
	return state;
}

static enum source_state line_of(const struct source *s, char **line,
				 const char *path)
{
	struct text t = { 0 };
	enum source_state state = read_path(s, &t, path);
	size_t len = strcspn(t.s, "\n");

	while (len && isspace((unsigned char)t.s[len - 1]))
		len--;
	*line = state == SOURCE_OK ? text_dup_len(t.s, len) : NULL;
	text_free(&t);
	return state;
}

enum source_state source_line(const struct source *s, char **line,
			      const char *fmt, ...)
{
	enum source_state state;
	va_list args;
	char *path;

	va_start(args, fmt);
	path = path_of(s, fmt, args);
	va_end(args);
	state = line_of(s, line, path);
	free(path);
	return state;
}

enum source_state source_number(const struct source *s, long long *value,
				const char *fmt, ...)
{
	enum source_state state;
	va_list args;
	char *path, *line;

	va_start(args, fmt);
	path = path_of(s, fmt, args);
	va_end(args);
	state = line_of(s, &line, path);
	if (state == SOURCE_OK && !text_number(line, value))
		state = SOURCE_FAILED;
	free(line);
	free(path);
	return state;
}

static enum source_state target_of(const struct source *s, char **target,
				   const char *path)
{
	char buf[PATH_MAX];
	ssize_t len = readlink(path, buf, sizeof(buf));

	*target = len < 0 ? NULL : text_dup_len(buf, len);
	return len < 0 ? state_of(s, path, errno) : SOURCE_OK;
}

enum source_state source_target(const struct source *s, char **target,
				const char *fmt, ...)
{
	enum source_state state;
	va_list args;
	char *path;

	va_start(args, fmt);
	path = path_of(s, fmt, args);
	va_end(args);
	state = target_of(s, target, path);
	free(path);
	return state;
}

enum source_state source_link(const struct source *s, char **target,
			      const char *fmt, ...)
{
	enum source_state state;
	char *path, *slash;
	va_list args;

	va_start(args, fmt);
	path = path_of(s, fmt, args);
	va_end(args);
	state = target_of(s, target, path);
	slash = *target ? strrchr(*target, '/') : NULL;
	if (slash)
		memmove(*target, slash + 1, strlen(slash));
	free(path);
	return state;
}

static int by_version(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

enum source_state source_list(const struct source *s,
			      struct source_names *names,
			      const char *fmt, ...)
{
	enum source_state state = SOURCE_OK;
	struct dirent *entry;
	va_list args;
	char *path;
	DIR *dir;

	memset(names, 0, sizeof(*names));
	va_start(args, fmt);
	path = path_of(s, fmt, args);
	va_end(args);
	dir = opendir(path);
	if (!dir)
		state = state_of(s, path, errno);
	while (dir && (entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		names->name = text_grow(names->name, names->count,
					sizeof(*names->name));
		names->name[names->count++] = text_dup(entry->d_name);
	}
	if (dir)
		closedir(dir);
	if (names->count)
		qsort(names->name, names->count, sizeof(*names->name),
		      by_version);
	free(path);
	return state;
}

bool source_exists(const struct source *s, const char *fmt, ...)
{
	va_list args;
	char *path;
	bool is;

	va_start(args, fmt);
	path = path_of(s, fmt, args);
	va_end(args);
	is = !access(path, F_OK) || recorded_denied(s, path);
	free(path);
	return is;
}

int source_open(const struct source *s, const char *fmt, ...)
{
	va_list args;
	char *path;
	int fd;

	va_start(args, fmt);
	path = path_of(s, fmt, args);
	va_end(args);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fd = state_of(s, path, errno) == SOURCE_DENIED ? -EACCES : -errno;
	free(path);
	return fd;
}

void source_names_free(struct source_names *names)
{
	size_t i;

	for (i = 0; i < names->count; i++)
		free(names->name[i]);
	free(names->name);
	memset(names, 0, sizeof(*names));
}
