// SPDX-License-Identifier: GPL-2.0
/* Puts the probes into tracefs, takes them out again. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include "kpath_internal.h"

#define TRACING		"/sys/kernel/tracing"
#define EXPEDITED	"/sys/kernel/rcu_expedited"

/*
 * Two instances, since one call on many pages fills any buffer: one that has
 * everything until it is full, one that has the calls, and the failures, of the
 * whole time.
 */
static const struct {
	const char *name;
	const char *kb;			/* per CPU */
	const char *overwrite;
} instances[] = {
	{ KPATH_PAGES, "256", "0" },
	{ KPATH_CALLS, "512", "1" },
};

#define PAGES	0
#define CALLS	1

struct kpath_armed kpath_armed;

static int put(const char *path, int flags, const char *text)
{
	size_t len = strlen(text);
	int err = 0;
	int fd;

	fd = open(path, O_WRONLY | O_CLOEXEC | flags);
	if (fd < 0)
		return -errno;
	/* O_TRUNC is all that some files want. */
	if (len && write(fd, text, len) != (ssize_t)len)
		err = -errno;
	close(fd);
	return err;
}

KPATH_PRINTF(3, 4)
static int set(int instance, const char *text, const char *format, ...)
{
	char name[128], path[256];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	snprintf(path, sizeof(path), TRACING "/instances/%s/%s",
		 instances[instance].name, name);
	return put(path, 0, text);
}

/*
 * Each probe added or removed waits for an RCU grace period. Expedited ones
 * make the difference between a tenth of a second and one.
 */
static bool expedite(bool on)
{
	static bool was_off;
	char now = '1';
	int fd;

	if (!on)
		return was_off && !put(EXPEDITED, 0, "0");
	fd = open(EXPEDITED, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		if (read(fd, &now, 1) != 1)
			now = '1';
		close(fd);
	}
	was_off = now == '0';
	return was_off && !put(EXPEDITED, 0, "1");
}

static int mounted(void)
{
	if (!access(TRACING "/dynamic_events", W_OK))
		return 0;
	if (errno != ENOENT)
		return -errno;
	if (mount("tracefs", TRACING, "tracefs", 0, NULL))
		return -errno;
	return access(TRACING "/dynamic_events", W_OK) ? -errno : 0;
}

static int define(const struct kpath_probe *probe)
{
	char text[512];
	size_t s, a;
	int err = -ENOENT;

	for (s = 0; s < 4 && probe->symbols[s]; s++) {
		for (a = 0; a < 4 && probe->args[a]; a++) {
			snprintf(text, sizeof(text), "%c:" KPATH_GROUP "/%s %s %s",
				 probe->type, probe->event, probe->symbols[s],
				 probe->args[a]);
			err = put(TRACING "/dynamic_events", O_APPEND, text);
			if (!err)
				return 0;
		}
	}
	return err;
}

static int enable(int instance, const struct kpath_probe *probe)
{
	const char *group = probe->type == 't' ? probe->symbols[0] :
						 KPATH_GROUP;

	if (probe->only)
		set(instance, probe->only, "events/%s/%s/filter", group,
		    probe->event);
	if (instance == CALLS && probe->per_page) {
		/* Without its filter it would fill that buffer, too. */
		if (!probe->keep || set(instance, probe->keep,
					"events/%s/%s/filter", group,
					probe->event))
			return 0;
	}
	return set(instance, "1", "events/%s/%s/enable", group, probe->event);
}

static int make_instance(int i)
{
	char path[256];
	int err;

	snprintf(path, sizeof(path), TRACING "/instances/%s", instances[i].name);
	if (mkdir(path, 0700))
		return -errno;
	err = set(i, "0", "tracing_on");
	err = err ?: set(i, "mono", "trace_clock");
	err = err ?: set(i, instances[i].kb, "buffer_size_kb");
	return err ?: set(i, instances[i].overwrite, "options/overwrite");
}

static bool kernel_has_cma(const struct kpath_facts *facts)
{
	size_t i;

	for (i = 0; i < facts->nr_migratetypes; i++)
		if (!strcmp(facts->migratetype[i].name, "MIGRATE_CMA"))
			return true;
	/* Not known: then look. */
	return !facts->nr_migratetypes;
}

static int arm(void)
{
	struct kpath_armed *armed = &kpath_armed;
	int err = -ENOENT, first = 0;
	size_t i;

	for (i = 0; i < KPATH_ID_COUNT; i++) {
		const struct kpath_probe *probe = &kpath_probes[i];

		/* The gate reads no migratetype then, all others do all the time. */
		armed->no_cma = !kernel_has_cma(&armed->facts);
		if (i == KPATH_BLOCK && armed->no_cma)
			continue;
		err = probe->type == 't' ? 0 : define(probe);
		err = err ?: enable(PAGES, probe);
		err = err ?: enable(CALLS, probe);
		if (!err)
			armed->seen |= 1U << i;
		else if (!first)
			first = err;
	}
	return armed->seen ? 0 : first;
}

static int tidy(void)
{
	int err = 0, left, i;
	char path[256];

	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), TRACING "/instances/%s",
			 instances[i].name);
		if (access(path, F_OK))
			continue;
		set(i, "0", "tracing_on");
		set(i, "0", "events/enable");
		if (rmdir(path))
			err = -errno;
	}
	left = put(TRACING "/dynamic_events", O_APPEND, "-:" KPATH_GROUP "/");
	/* ENOENT: none of that group. */
	return left && left != -ENOENT ? left : err;
}

int kpath_release(void)
{
	int err;

	if (kpath_armed.ready && kpath_armed.owner != getpid())
		return 0;
	expedite(true);
	err = tidy();
	expedite(false);
	memset(&kpath_armed, 0, sizeof(kpath_armed));
	return err;
}

int kpath_prepare(void)
{
	int err;

	if (kpath_armed.ready)
		return 0;
	err = mounted();
	if (err)
		return err;
	kpath_facts_btf(&kpath_armed.facts, "/sys/kernel/btf/vmlinux");
	kpath_facts_zones(&kpath_armed.facts, "/proc/zoneinfo");
	expedite(true);
	err = tidy();
	err = err ?: make_instance(PAGES);
	err = err ?: make_instance(CALLS);
	err = err ?: arm();
	if (err)
		tidy();
	expedite(false);
	if (err)
		memset(&kpath_armed, 0, sizeof(kpath_armed));
	kpath_armed.ready = !err;
	kpath_armed.owner = getpid();
	return err;
}

static int follow(int instance, const char *tid)
{
	char path[256];
	int err;

	snprintf(path, sizeof(path), TRACING "/instances/%s/trace",
		 instances[instance].name);
	err = put(path, O_TRUNC, "");
	snprintf(path, sizeof(path), TRACING "/instances/%s/set_event_pid",
		 instances[instance].name);
	return err ?: put(path, O_TRUNC, tid);
}

/* Starts with empty buffers, of the calling thread only; or stops. */
int kpath_record(bool on)
{
	char tid[16];
	int err = 0;

	snprintf(tid, sizeof(tid), "%d", gettid());
	if (on) {
		expedite(true);
		err = follow(PAGES, tid);
		err = err ?: follow(CALLS, tid);
		expedite(false);
	}
	err = err ?: set(PAGES, on ? "1" : "0", "tracing_on");
	return err ?: set(CALLS, on ? "1" : "0", "tracing_on");
}
