// SPDX-License-Identifier: GPL-2.0
/* Fixed buffers of io_uring, and requests that are on their way. */
#include <inttypes.h>
#include <time.h>

#include "holders_internal.h"
#include "ring_fdinfo.h"

#define TRIES	20

/* The kernel says nothing of a ring at the moments at which it is in use. */
static void read_ring(struct holders *h, struct ring *ring, pid_t pid, int fd)
{
	const struct timespec pause = { .tv_nsec = 5000000 };
	struct text info = { 0 };
	enum source_state state;
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		text_clear(&info);
		state = source_read(h->query->source, &info,
				    "/proc/%d/fdinfo/%d", pid, fd);
		ring_parse(ring, info.s);
		if (state != SOURCE_OK || ring->told ||
		    !source_live(h->query->source))
			break;
		ring_free(ring);
		nanosleep(&pause, NULL);
	}
	if (state != SOURCE_OK)
		holders_missing(h, "io_uring of process %d, descriptor %d: %s",
				pid, fd, source_why(state));
	else if (!ring->told)
		holders_missing(h, "io_uring of process %d, descriptor %d: in use all the time, so that the kernel does not list its buffers",
				pid, fd);
	text_free(&info);
}

/* A ring that a child inherited has the same inode and the same buffers. */
static bool seen(const struct holders *h, pid_t pid, uint64_t inode,
		 const struct ring_buffer *b)
{
	size_t i;

	for (i = 0; inode && i < h->nr; i++)
		if (h->holder[i].kind == HOLDER_RING && h->holder[i].pid != pid &&
		    h->holder[i].file == inode &&
		    h->holder[i].start == b->start)
			return true;
	return false;
}

static void add_buffer(struct holders *h, pid_t pid, int fd, uint64_t inode,
		       const struct ring_buffer *b)
{
	struct holder *holder = holders_add(h, HOLDER_RING, pid, fd);

	holder->claim = HOLDER_CLAIM_ADDRESS;
	holder->takes = HOLDER_TAKES_PIN;
	holder->file = inode;
	holder->start = b->start;
	holder->bytes = b->bytes;
	holder->what = text_format("io_uring fixed buffer %u, %" PRIx64 "-%" PRIx64,
				   b->index, b->start, b->start + b->bytes);
	holder->evidence = text_dup("fdinfo of the ring lists a buffer that has this address");
}

static void add_requests(struct holders *h, pid_t pid, int fd, uint64_t inode,
			 uint32_t flying)
{
	struct holder *holder = holders_add(h, HOLDER_RING, pid, fd);

	holder->claim = HOLDER_CLAIM_KIND;
	holder->takes = HOLDER_TAKES_PIN | HOLDER_TAKES_REF;
	holder->file = inode;
	holder->what = text_format("io_uring with %u request%s not completed",
				   flying, flying == 1 ? "" : "s");
	holder->evidence = text_dup("by the counters of its fdinfo; direct I/O holds pages, and others do not");
}

void holders_ring(struct holders *h, pid_t pid, int fd, uint64_t inode)
{
	bool covers = false;
	struct ring ring;
	size_t i;

	read_ring(h, &ring, pid, fd);
	for (i = 0; i < ring.buffers; i++) {
		const struct ring_buffer *b = &ring.buffer[i];

		if (!holders_covers(h, pid, b->start, b->bytes))
			continue;
		covers = true;
		if (!seen(h, pid, inode, b))
			add_buffer(h, pid, fd, inode, b);
	}
	/* Completions that are left out make the difference grow for ever. */
	if (!covers && ring.flying && ring.flying < 1U << 16)
		add_requests(h, pid, fd, inode, ring.flying);
	ring_free(&ring);
}
