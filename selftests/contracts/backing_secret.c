// SPDX-License-Identifier: GPL-2.0
/* Memory that is not in the kernel's map of all memory. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "backings.h"

#define PAGES	16

static int make(struct world *world, struct area *area)
{
	size_t offset;
	int err;

	area_set(world, area, PAGES);
	area->shared = true;
	area->fd = syscall(SYS_memfd_secret, O_CLOEXEC);
	if (area->fd < 0)
		return row_skip(world, "no-secretmem: memfd_secret(): %s",
				strerror(errno));
	if (ftruncate(area->fd, area->len))
		return -errno;
	err = area_map(area, 0);
	if (err)
		return err;
	/* MADV_POPULATE_WRITE would go through GUP. */
	for (offset = 0; offset < area->len; offset += world->page_size)
		area->addr[offset] = 1;
	return 0;
}

const struct backing backing_secret = {
	.name = "secret",
	.what = "memfd_secret()",
	.kind = BACKING_OF_SECRET,
	.make = make,
	.drop = area_unmap,
};
