// SPDX-License-Identifier: GPL-2.0
/* Counts mm_migrate_pages events of one thread. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include "migrations.h"

#define TRACEFS		"/sys/kernel/tracing"

static char dir[96];
static pid_t owner;
static int trace_pipe = -1;
/* Why those are migrated that are counted, as the event's text ends. */
static const char *reason;

static int open_file(const char *name, int flags)
{
	char path[192];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int write_file(const char *name, const char *text)
{
	int fd = open_file(name, O_WRONLY);
	ssize_t len = strlen(text);
	int err = 0;

	if (fd < 0)
		return fd;
	if (write(fd, text, len) != len)
		err = -errno;
	close(fd);
	return err;
}

/* The number of @name in the format of an event, -1 if it has no such reason. */
static long reason_number(const char *format, const char *name)
{
	char quoted[32], *at;

	snprintf(quoted, sizeof(quoted), ", \"%s\"", name);
	at = strstr(format, quoted);
	while (at && at > format && *at != '{')
		at--;
	if (!at)
		return -1;
	reason = name;
	return strtol(at + 1, NULL, 0);
}

/*
 * Others may migrate without end meanwhile. What the reason's number is, the
 * event's own format says. Before "mm/gup: migrate pinned pages out of movable zone"
 * (d1e153fea2a8, v5.13) a long-term pin had none of its own.
 */
static int filter_reason(void)
{
	int fd = open_file("events/migrate/mm_migrate_pages/format", O_RDONLY);
	char format[4096], filter[48];
	ssize_t len;
	long nr;

	if (fd < 0)
		return fd;
	len = read(fd, format, sizeof(format) - 1);
	close(fd);
	if (len < 0)
		return -errno;
	format[len] = '\0';
	nr = reason_number(format, "longterm_pin");
	if (nr < 0)
		nr = reason_number(format, "contig_range");
	if (nr < 0)
		return -ENODATA;
	snprintf(filter, sizeof(filter), "reason == %ld", nr);
	return write_file("events/migrate/mm_migrate_pages/filter", filter);
}

int migrations_start(void)
{
	int err;

	if (trace_pipe >= 0)
		return 0;
	if (access(TRACEFS "/instances", F_OK) &&
	    mount("tracefs", TRACEFS, "tracefs", 0, NULL))
		return -errno;
	owner = getpid();
	snprintf(dir, sizeof(dir), TRACEFS "/instances/migrations-%d", owner);
	if (mkdir(dir, 0700))
		return -errno;
	err = write_file("buffer_size_kb", "64");
	if (!err)
		err = filter_reason();
	if (!err)
		err = write_file("events/migrate/mm_migrate_pages/enable", "1");
	if (!err)
		trace_pipe = open_file("trace_pipe", O_RDONLY | O_NONBLOCK);
	if (!err && trace_pipe < 0)
		err = trace_pipe;
	if (err)
		migrations_stop();
	return err;
}

void migrations_stop(void)
{
	if (owner != getpid())
		return;
	if (trace_pipe >= 0)
		close(trace_pipe);
	trace_pipe = -1;
	owner = 0;
	write_file("events/migrate/mm_migrate_pages/enable", "0");
	rmdir(dir);
}

/* The number behind @name in @line, 0 if there is none. */
static unsigned long long field(const char *line, const char *name)
{
	const char *at = strstr(line, name);

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/* A line begins with "COMM-TID [CPU]". */
static void add_event(const char *line, pid_t tid,
		      struct migrations *migrations)
{
	struct pinprobe_migrate *sums = &migrations->sums;
	char thread[32], why[48];

	snprintf(thread, sizeof(thread), "-%d ", tid);
	snprintf(why, sizeof(why), " reason=%s", reason);
	if (!strstr(line, thread) || !strstr(line, " mm_migrate_pages: ") ||
	    !strstr(line, why))
		return;
	sums->calls++;
	sums->succeeded += field(line, " nr_succeeded=");
	migrations->last_failed = field(line, " nr_failed=");
	sums->failed += migrations->last_failed;
	sums->thp_succeeded += field(line, " nr_thp_succeeded=");
	sums->thp_failed += field(line, " nr_thp_failed=");
	sums->thp_split += field(line, " nr_thp_split=");
}

/* A read returns whole lines. */
int migrations_read_of(pid_t tid, struct migrations *migrations)
{
	char text[4096 + 1], *line, *save;
	ssize_t len;

	if (!tid)
		tid = gettid();
	memset(migrations, 0, sizeof(*migrations));
	while ((len = read(trace_pipe, text, sizeof(text) - 1)) > 0) {
		text[len] = '\0';
		if (strstr(text, "LOST"))
			return -EOVERFLOW;
		for (line = strtok_r(text, "\n", &save); line;
		     line = strtok_r(NULL, "\n", &save))
			add_event(line, tid, migrations);
	}
	return len < 0 && errno != EAGAIN ? -errno : 0;
}

int migrations_read(struct migrations *migrations)
{
	return migrations_read_of(0, migrations);
}

int migrations_clear(void)
{
	struct migrations migrations;

	return migrations_read(&migrations);
}

void migrations_of_hugetlb(struct migrations *migrations, size_t nr)
{
	struct pinprobe_migrate *sums = &migrations->sums;

	if (!(sums->succeeded % nr) && !(sums->failed % nr))
		return;
	sums->succeeded *= nr;
	sums->failed *= nr;
	migrations->last_failed *= nr;
}
