// SPDX-License-Identifier: GPL-2.0
/* A dma-buf of the memfd that the page is of. */
#include "holds.h"
#include "udmabuf.h"

static int take(struct world *world, struct area *area, struct held *held)
{
	int err;

	held->fd[0] = udmabuf_open(world);
	if (held->fd[0] < 0)
		return held->fd[0];
	err = udmabuf_seal(area->fd);
	if (!err) {
		held->fd[1] = udmabuf_create(held->fd[0], area->fd, area->len);
		err = held->fd[1] < 0 ? held->fd[1] : 0;
	}
	if (err)
		held_close(world, area, held);
	return err;
}

const struct hold hold_udmabuf = {
	.name = "udmabuf",
	.what = "a dma-buf made of its memfd by UDMABUF_CREATE",
	.kind = HOLD_LONGTERM_PIN,
	/* memfd_pin_folios() is there since then. */
	.kind_before = HOLD_REFERENCE,
	.since = { 6, 11 },
	.take = take,
	.drop = held_close,
};
