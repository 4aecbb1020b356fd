/* SPDX-License-Identifier: GPL-2.0 */
/* What /proc/PID/fdinfo says of an io_uring. */
#ifndef PINPROBE_RING_FDINFO_H
#define PINPROBE_RING_FDINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct ring_buffer - a fixed buffer
 * @index:	its number
 * @start:	address in the process that registered it
 * @bytes:	its length
 */
struct ring_buffer {
	unsigned int index;
	uint64_t start;
	uint64_t bytes;
};

/**
 * struct ring - a ring
 * @told:	the kernel listed the buffers; it does not while the ring is busy
 * @flying:	requests that were taken and not completed, as far as counters tell
 * @buffer:	the buffers that hold memory of the process
 * @buffers:	how many
 */
struct ring {
	bool told;
	uint32_t flying;
	struct ring_buffer *buffer;
	size_t buffers;
};

/* Reads an fdinfo file; for ring_free(). */
void ring_parse(struct ring *ring, const char *fdinfo);
void ring_free(struct ring *ring);

#endif
