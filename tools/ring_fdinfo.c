// SPDX-License-Identifier: GPL-2.0
/* What /proc/PID/fdinfo says of an io_uring. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ring_fdinfo.h"
#include "text.h"

/*
 * The last one: names of registered files come before, and up to v6.1 at least a
 * name with a newline in it is printed as it is.
 */
static const char *buffers_of(const char *fdinfo)
{
	const char *found = NULL, *at;

	for (at = fdinfo; (at = strstr(at, "UserBufs:")); at++)
		if (at == fdinfo || at[-1] == '\n')
			found = at;
	return found;
}

static uint32_t counter(const char *fdinfo, const char *key)
{
	size_t len = strlen(key);
	const char *line;

	for (line = fdinfo; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, key, len) && line[len] == ':')
			return strtoul(line + len + 1, NULL, 10);
	}
	return 0;
}

/* An empty slot has none; a buffer of the kernel has no address. */
static void add(struct ring *ring, const char *line)
{
	struct ring_buffer b;

	if (sscanf(line, " %u: 0x%" SCNx64 "/%" SCNu64, &b.index, &b.start,
		   &b.bytes) != 3 || !b.start || b.start + b.bytes < b.start)
		return;
	ring->buffer = text_grow(ring->buffer, ring->buffers,
				 sizeof(*ring->buffer));
	ring->buffer[ring->buffers++] = b;
}

void ring_parse(struct ring *ring, const char *fdinfo)
{
	const char *line = buffers_of(fdinfo);
	unsigned long count;
	size_t lines = 0;

	memset(ring, 0, sizeof(*ring));
	if (!line)
		return;
	ring->flying = counter(fdinfo, "CachedSqHead") -
		       counter(fdinfo, "CachedCqTail");
	count = strtoul(line + strlen("UserBufs:"), NULL, 10);
	while ((line = strchr(line, '\n')) && *++line == ' ') {
		lines++;
		add(ring, line);
	}
	ring->told = lines >= count;
}

void ring_free(struct ring *ring)
{
	free(ring->buffer);
	memset(ring, 0, sizeof(*ring));
}
