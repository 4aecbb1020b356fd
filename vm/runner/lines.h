/* SPDX-License-Identifier: GPL-2.0 */
/* Cuts a stream of bytes into lines of bounded length. */
#ifndef VMRUN_LINES_H
#define VMRUN_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct lines {
	char *buf;
	size_t len;
	size_t limit;
	/*
	 * What happens to a line over the limit: with overlap it comes in
	 * pieces, each starting with the last overlap bytes of the one before;
	 * without, its end is dropped.
	 */
	size_t overlap;
	bool dropping;
	bool piece;		/* buf starts with an overlap */
	/* line is terminated by NUL; NUL bytes inside have become '?' */
	void (*line)(void *ctx, char *line, bool cut);
	void *ctx;
};

void lines_init(struct lines *l, size_t limit, size_t overlap,
		void (*line)(void *ctx, char *line, bool cut), void *ctx);
void lines_feed(struct lines *l, const char *bytes, size_t len);
/* Passes on an unfinished last line, if there is one. */
void lines_flush(struct lines *l);
void lines_free(struct lines *l);

#endif
