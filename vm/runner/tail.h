/* SPDX-License-Identifier: GPL-2.0 */
/* Follows a file that somebody else writes. */
#ifndef VMRUN_TAIL_H
#define VMRUN_TAIL_H

#include <stdbool.h>
#include <stddef.h>

struct tail {
	int fd;
	void (*bytes)(void *ctx, const char *bytes, size_t len);
	void *ctx;
};

/* The file is created, or emptied if there was one. */
bool tail_open(struct tail *t, const char *path,
	       void (*bytes)(void *ctx, const char *bytes, size_t len),
	       void *ctx);
/* Passes on what is new, at most limit bytes; true if there may be more. */
bool tail_read(struct tail *t, size_t limit);
/* How much there is, read or not. */
size_t tail_size(const struct tail *t);
void tail_close(struct tail *t);

#endif
