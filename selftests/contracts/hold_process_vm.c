// SPDX-License-Identifier: GPL-2.0
/* A copy out of the page that sleeps in the middle. */
#include <errno.h>
#include <stdlib.h>
#include "../lib/stalled_copy.h"
#include "holds.h"

static int drop(struct world *world, struct area *area, struct held *held)
{
	struct stalled_copy *copy = held->private;
	int err;

	held->private = NULL;
	if (!copy)
		return 0;
	err = stalled_copy_end(copy);
	stalled_copy_free(copy);
	free(copy);
	return err;
}

static int take(struct world *world, struct area *area, struct held *held)
{
	struct stalled_copy *copy = calloc(1, sizeof(*copy));
	int err;

	if (!copy)
		return -ENOMEM;
	err = stalled_copy_start(copy, area->addr + area->target,
				 world->page_size);
	if (!err) {
		held->private = copy;
		return 0;
	}
	stalled_copy_free(copy);
	free(copy);
	if (err == -EOPNOTSUPP)
		return row_skip(world, "no-userfaultfd: none that traps the kernel");
	return err;
}

const struct hold hold_process_vm = {
	.name = "process_vm",
	.what = "process_vm_readv() from it, asleep in a fault of its destination",
	.kind = HOLD_FOLL_PIN,
	.take = take,
	.drop = drop,
};
