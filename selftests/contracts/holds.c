// SPDX-License-Identifier: GPL-2.0
/* What somebody did with the page before, in the order in which rows run. */
#include <unistd.h>
#include "holds.h"

const struct hold *holds[HOLDS_ROOM] = {
	&hold_none,
	&hold_get,
	&hold_pin,
	&hold_longterm,
	&hold_vmsplice,
	&hold_splice,
	&hold_process_vm,
	&hold_io_uring,
	&hold_vmsplice_forked,
	&hold_vmsplice_forked_child,
	&hold_pin_forked,
	&hold_pin_forked_child,
	&hold_forked_pin,
	&hold_forked_pin_child,
	&hold_direct_io,
	&hold_zerocopy,
	&hold_copying,
	&hold_racing,
	&hold_pin_after_longterm,
	&hold_region,
	&hold_writeback,
	&hold_writeback_ending,
	&hold_migrating,
	&hold_udmabuf,
	NULL
};

int held_close(struct world *world, struct area *area, struct held *held)
{
	size_t i;

	for (i = 0; i < sizeof(held->fd) / sizeof(*held->fd); i++) {
		if (held->fd[i] >= 0)
			close(held->fd[i]);
		held->fd[i] = -1;
	}
	return 0;
}

static int take_none(struct world *world, struct area *area, struct held *held)
{
	return 0;
}

const struct hold hold_none = {
	.name = "none",
	.what = "nothing",
	.kind = HOLD_NOTHING,
	.take = take_none,
	.drop = held_close,
};
