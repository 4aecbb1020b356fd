// SPDX-License-Identifier: GPL-2.0
/* Memory whose pages are where a long-term pin may stay, but for the last. */
#include <errno.h>
#include <unistd.h>
#include <sys/mman.h>
#include "../lib/device.h"
#include "backings.h"

#define PAGES	16

static int make(struct world *world, struct area *area)
{
	int err, fd;

	area->len = PAGES * world->page_size;
	area->granule = world->page_size;
	area->prot = PROT_READ | PROT_WRITE;
	err = area_map(area, 0);
	if (err)
		return err;
	if (madvise(area->addr, area->len, MADV_NOHUGEPAGE) && errno != EINVAL)
		return -errno;
	fd = device_pin(world->look.dev, area->addr,
			area->len - world->page_size, PINPROBE_CALL_PIN_FAST,
			PINPROBE_PIN_WRITE | PINPROBE_PIN_LONGTERM, NULL);
	if (fd < 0)
		return fd;
	close(fd);
	return area_touch(world, area);
}

const struct backing backing_anon_settled = {
	.name = "anon_settled",
	.what = "private anonymous memory, of which all but the last page had been pinned for long",
	.kind = BACKING_OF_ANON,
	.make = make,
	.drop = area_unmap,
};
