// SPDX-License-Identifier: GPL-2.0
/* Memory of a PCI device that no driver has claimed, mapped through sysfs. */
#include "../lib/bar.h"
#include "backings.h"

/* It is never touched: nobody knows what that would do. */
static int make(struct world *world, struct area *area)
{
	area_set(world, area, 1);
	area->shared = true;
	area->fd = bar_open(area->len);
	if (area->fd < 0)
		return row_skip(world, "no-bar: no PCI device whose memory can be mapped");
	return area_map(area, 0);
}

const struct backing backing_bar = {
	.name = "bar",
	.what = "memory of a PCI device (VM_PFNMAP)",
	.kind = BACKING_OF_DEVICE,
	.make = make,
	.drop = area_unmap,
};
