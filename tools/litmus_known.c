// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of every kernel that stand on the lower rungs, to see that litmus tells
 * them apart: mlock() takes no page, vmsplice() takes references, and
 * process_vm_readv() pins what it copies from while it copies.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "litmus.h"

static void *pointer(const struct litmus_area *area)
{
	return (void *)(uintptr_t)area->addr;
}

static int nothing_open(struct litmus_session *s)
{
	(void)s;
	return 0;
}

static int mlock_pin(struct litmus_session *s, const struct litmus_area *area,
		     bool write)
{
	(void)s;
	(void)write;
	return mlock(pointer(area), area->len) ? -errno : 0;
}

static int mlock_unpin(struct litmus_session *s, const struct litmus_area *area)
{
	(void)s;
	return munlock(pointer(area), area->len) ? -errno : 0;
}

const struct litmus_provider litmus_mlock = {
	.name = "mlock",
	.summary = "mlock(), which keeps pages resident and takes none",
	.flags = LITMUS_ONE_ACCESS,
	.expect = LITMUS_RUNG_NONE,
	.open = nothing_open,
	.pin = mlock_pin,
	.unpin = mlock_unpin,
};

/* What a pipe may hold without privilege, less a page for nothing to spare. */
#define PIPE_PAGES	128

struct pipe_state {
	int ends[2];
};

static int vmsplice_open(struct litmus_session *s)
{
	struct pipe_state *state = malloc(sizeof(*state));

	if (!state)
		return -ENOMEM;
	s->state = state;
	return 0;
}

static int vmsplice_pin(struct litmus_session *s, const struct litmus_area *area,
			bool write)
{
	struct iovec bytes = { .iov_base = pointer(area), .iov_len = area->len };
	struct pipe_state *state = s->state;
	ssize_t len;
	int err;

	(void)write;
	if (pipe2(state->ends, O_CLOEXEC | O_NONBLOCK))
		return -errno;
	if (fcntl(state->ends[1], F_SETPIPE_SZ, PIPE_PAGES * s->page) < 0) {
		err = -errno;
	} else {
		len = vmsplice(state->ends[1], &bytes, 1, 0);
		err = len < 0 ? -errno : len < (ssize_t)area->len ? -ENOBUFS : 0;
	}
	if (err) {
		close(state->ends[0]);
		close(state->ends[1]);
	}
	return err;
}

static int vmsplice_unpin(struct litmus_session *s, const struct litmus_area *area)
{
	struct pipe_state *state = s->state;

	(void)area;
	close(state->ends[0]);
	return close(state->ends[1]) ? -errno : 0;
}

static void vmsplice_close(struct litmus_session *s)
{
	free(s->state);
}

const struct litmus_provider litmus_vmsplice = {
	.name = "vmsplice",
	.summary = "vmsplice() to a pipe, which takes references",
	.flags = LITMUS_ONE_ACCESS,
	.max_pages = PIPE_PAGES,
	.expect = LITMUS_RUNG_GET,
	.open = vmsplice_open,
	.pin = vmsplice_pin,
	.unpin = vmsplice_unpin,
	.close = vmsplice_close,
};
