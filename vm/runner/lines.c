// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "text.h"

void lines_init(struct lines *l, size_t limit, size_t overlap,
		void (*line)(void *ctx, char *line, bool cut), void *ctx)
{
	memset(l, 0, sizeof(*l));
	l->buf = text_alloc(limit + 1);
	l->limit = limit;
	l->overlap = overlap;
	l->line = line;
	l->ctx = ctx;
}

static void lines_emit(struct lines *l, bool cut)
{
	size_t len = l->len, i;

	while (!cut && len && l->buf[len - 1] == '\r')
		len--;
	for (i = 0; i < len; i++)
		if (!l->buf[i])
			l->buf[i] = '?';
	l->buf[len] = '\0';
	l->line(l->ctx, l->buf, cut);
}

static void lines_full(struct lines *l)
{
	if (!l->overlap) {
		l->dropping = true;
		return;
	}
	lines_emit(l, true);
	memmove(l->buf, l->buf + l->len - l->overlap, l->overlap);
	l->len = l->overlap;
	l->piece = true;
}

static void lines_end(struct lines *l)
{
	lines_emit(l, l->dropping);
	l->len = 0;
	l->dropping = false;
	l->piece = false;
}

void lines_feed(struct lines *l, const char *bytes, size_t len)
{
	const char *end = bytes + len, *nl;
	size_t take;

	while (bytes < end) {
		nl = memchr(bytes, '\n', end - bytes);
		take = (nl ? nl : end) - bytes;
		while (take && !l->dropping) {
			size_t part = l->limit - l->len;

			if (!part) {
				lines_full(l);
				continue;
			}
			if (part > take)
				part = take;
			memcpy(l->buf + l->len, bytes, part);
			l->len += part;
			bytes += part;
			take -= part;
		}
		bytes += take;
		if (nl) {
			lines_end(l);
			bytes++;
		}
	}
}

void lines_flush(struct lines *l)
{
	if (l->len)
		lines_end(l);
}

void lines_free(struct lines *l)
{
	free(l->buf);
	l->buf = NULL;
}
