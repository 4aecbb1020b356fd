// SPDX-License-Identifier: GPL-2.0
/* Files that have no name, and their mappings. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "../lib/mounts.h"
#include "backings.h"
#include "files.h"

#define PAGES	16

/* On a disk all its blocks are there: nothing is allocated during the row. */
int file_make(struct area *area, size_t len)
{
	char text[4096];
	size_t offset;

	memset(text, 'c', sizeof(text));
	area->fd = open(MOUNT_POINT, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (area->fd < 0)
		return -errno;
	for (offset = 0; offset < len; offset += sizeof(text))
		if (pwrite(area->fd, text, sizeof(text), offset) < 0)
			return -errno;
	return fsync(area->fd) ? -errno : 0;
}

static int map_shared(struct world *world, struct area *area, int prot)
{
	int err;

	area_set(world, area, PAGES);
	area->prot = prot;
	area->shared = true;
	err = file_make(area, area->len);
	if (!err)
		err = area_map(area, 0);
	return err ? err : area_touch(world, area);
}

int file_shared(struct world *world, struct area *area)
{
	return map_shared(world, area, PROT_READ | PROT_WRITE);
}

int file_readonly(struct world *world, struct area *area)
{
	return map_shared(world, area, PROT_READ);
}

int file_private(struct world *world, struct area *area)
{
	int err;

	area_set(world, area, PAGES);
	err = file_make(area, area->len);
	if (!err)
		err = area_map(area, 0);
	return err ? err : area_read(area, area->len);
}

int file_past_end(struct world *world, struct area *area)
{
	int err;

	area_set(world, area, PAGES);
	area->shared = true;
	area->target = area->len / 2;
	err = file_make(area, area->target);
	if (!err)
		err = area_map(area, 0);
	return err ? err : area_read(area, area->target);
}
