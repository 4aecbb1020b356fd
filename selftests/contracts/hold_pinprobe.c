// SPDX-License-Identifier: GPL-2.0
/* Holds that pinprobe.ko takes: the rungs of the ladder. */
#include <errno.h>
#include <sys/mman.h>
#include "../lib/device.h"
#include "holds.h"

static int hold_range(struct world *world, struct area *area, struct held *held,
		      size_t from, size_t len, uint32_t call, uint32_t flags)
{
	int fd;

	if (!look_refs(&world->look))
		return -ENODEV;
	if (area->prot & PROT_WRITE)
		flags |= PINPROBE_PIN_WRITE;
	fd = device_pin(world->look.dev, area->addr + from, len, call, flags,
			NULL);
	if (fd < 0)
		return fd;
	held->fd[0] = fd;
	return 0;
}

static int hold(struct world *world, struct area *area, struct held *held,
		uint32_t call, uint32_t flags)
{
	return hold_range(world, area, held, area->target, world->page_size,
			  call, flags);
}

static int take_get(struct world *world, struct area *area, struct held *held)
{
	return hold(world, area, held, PINPROBE_CALL_GET_FAST, 0);
}

static int take_pin(struct world *world, struct area *area, struct held *held)
{
	return hold(world, area, held, PINPROBE_CALL_PIN_FAST, 0);
}

static int take_longterm(struct world *world, struct area *area,
			 struct held *held)
{
	return hold(world, area, held, PINPROBE_CALL_PIN_FAST,
		    PINPROBE_PIN_LONGTERM);
}

/* Memory is made pinnable before the first weak pin: it moves while it can. */
static int take_pin_after_longterm(struct world *world, struct area *area,
				   struct held *held)
{
	int err = take_longterm(world, area, held);

	if (err)
		return err;
	held_close(world, area, held);
	return take_pin(world, area, held);
}

/* All of the memory, as one who registers it has it. */
static int take_region(struct world *world, struct area *area,
		       struct held *held)
{
	return hold_range(world, area, held, 0, area->len,
			  PINPROBE_CALL_PIN_FAST, PINPROBE_PIN_LONGTERM);
}

const struct hold hold_get = {
	.name = "get",
	.what = "get_user_pages_fast(), still held",
	.kind = HOLD_REFERENCE,
	.take = take_get,
	.drop = held_close,
};

const struct hold hold_pin = {
	.name = "pin",
	.what = "pin_user_pages_fast() without FOLL_LONGTERM, still held",
	.kind = HOLD_FOLL_PIN,
	.take = take_pin,
	.drop = held_close,
};

const struct hold hold_longterm = {
	.name = "longterm",
	.what = "pin_user_pages_fast() with FOLL_LONGTERM, still held",
	.kind = HOLD_LONGTERM_PIN,
	.take = take_longterm,
	.drop = held_close,
};

const struct hold hold_pin_after_longterm = {
	.name = "pin_after_longterm",
	.what = "FOLL_LONGTERM taken and let go, then pin_user_pages_fast() without it, still held",
	.kind = HOLD_FOLL_PIN,
	.take = take_pin_after_longterm,
	.drop = held_close,
};

const struct hold hold_region = {
	.name = "region",
	.what = "pin_user_pages_fast() with FOLL_LONGTERM of all of the memory, still held",
	.kind = HOLD_LONGTERM_PIN,
	.take = take_region,
	.drop = held_close,
};
