// SPDX-License-Identifier: GPL-2.0
/* Reads what the instances recorded. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "kpath_internal.h"

#define INSTANCES	"/sys/kernel/tracing/instances/"

static char *read_trace(const char *instance)
{
	size_t room = 1 << 16, len = 0;
	char path[256], *text, *more;
	ssize_t got = 0;
	int fd;

	snprintf(path, sizeof(path), INSTANCES "%s/trace", instance);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	text = malloc(room);
	while (text) {
		got = read(fd, text + len, room - len - 1);
		if (got <= 0)
			break;
		len += got;
		if (room - len > 1 << 12)
			continue;
		room *= 2;
		more = realloc(text, room);
		if (!more)
			free(text);
		text = more;
	}
	close(fd);
	if (text && got < 0) {
		free(text);
		return NULL;
	}
	if (text)
		text[len] = '\0';
	return text;
}

/* Sum over all CPUs of a "name: N" line of their statistics. */
static uint64_t count(const char *instance, const char *name)
{
	unsigned long value, sum = 0;
	char path[256], line[128];
	FILE *file;
	int cpu;

	for (cpu = 0; ; cpu++) {
		snprintf(path, sizeof(path), INSTANCES "%s/per_cpu/cpu%d/stats",
			 instance, cpu);
		file = fopen(path, "r");
		if (!file)
			return sum;
		while (fgets(line, sizeof(line), file))
			if (!strncmp(line, name, strlen(name)) &&
			    sscanf(line + strlen(name), ": %lu", &value) == 1)
				sum += value;
		fclose(file);
	}
}

static int take(const char *instance, struct kpath_events *events)
{
	char *text = read_trace(instance);
	int err;

	if (!text)
		return -EIO;
	err = kpath_parse(text, events);
	free(text);
	return err;
}

int kpath_read(struct kpath_events *events, struct kpath_lost *lost)
{
	struct kpath_events pages = { .nr = 0 };
	int err;

	memset(events, 0, sizeof(*events));
	lost->calls = 0;
	lost->pages = count(KPATH_PAGES, "dropped events");
	if (!lost->pages)
		return take(KPATH_PAGES, events);

	lost->calls = count(KPATH_CALLS, "overrun");
	err = take(KPATH_PAGES, &pages);
	err = err ?: take(KPATH_CALLS, events);
	err = err ?: kpath_merge(events, &pages);
	free(pages.event);
	return err;
}
