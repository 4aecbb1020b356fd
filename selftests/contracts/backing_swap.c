// SPDX-License-Identifier: GPL-2.0
/* Private anonymous memory that was swapped out, to a disk that is memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/swap.h>
#include <unistd.h>
#include "backings.h"
#include "disk.h"

#define DEVICE	"/dev/ram2"
#define PAGES	16
#define TRIES	16

/* The page that mkswap writes: counts at 1024, the signature at its end. */
static int format(const struct world *world)
{
	static const char signature[10] = "SWAPSPACE2";
	uint32_t counts[3] = { 1 };
	char page[world->page_size];
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC), err = 0;
	off_t size;

	if (fd < 0)
		return -errno;
	size = lseek(fd, 0, SEEK_END);
	counts[1] = size / world->page_size - 1;
	memset(page, 0, sizeof(page));
	memcpy(page + 1024, counts, sizeof(counts));
	memcpy(page + sizeof(page) - sizeof(signature), signature,
	       sizeof(signature));
	if (pwrite(fd, page, sizeof(page), 0) != (ssize_t)sizeof(page) ||
	    fsync(fd))
		err = errno ? -errno : -EIO;
	close(fd);
	return err;
}

static int prepare(struct world *world)
{
	int err = disk_find(world, DEVICE);

	if (!err)
		err = format(world);
	if (err)
		return err;
	return swapon(DEVICE, 0) ? -errno : 0;
}

static void done(struct world *world)
{
	swapoff(DEVICE);
}

static bool all_out(const struct world *world, const struct area *area,
		    int *err)
{
	struct pinprobe_page pages[PAGES];
	size_t i;

	*err = look_pages(&world->look, area->addr, PAGES, pages);
	for (i = 0; !*err && i < PAGES; i++)
		if (pages[i].state != PINPROBE_STATE_ABSENT)
			return false;
	return true;
}

/* Pages in a batch, or being written, stay: once more brings them out. */
static int make_out(struct world *world, struct area *area)
{
	int err = area_map_small(world, area, PAGES), i;

	if (!err)
		err = area_touch(world, area);
	for (i = 0; !err && i < TRIES; i++) {
		if (madvise(area->addr, area->len, MADV_PAGEOUT))
			return -errno;
		if (all_out(world, area, &err))
			return err;
	}
	return err ? err : -ENODATA;
}

static int make_in(struct world *world, struct area *area)
{
	int err = make_out(world, area);

	return err ? err : area_touch(world, area);
}

const struct backing backing_swapped_out = {
	.name = "swapped_out",
	.what = "private anonymous memory, swapped out",
	.kind = BACKING_OF_NOTHING,
	.prepare = prepare,
	.make = make_out,
	.drop = area_unmap,
	.done = done,
};

const struct backing backing_swapped_in = {
	.name = "swapped_in",
	.what = "private anonymous memory, swapped out and in again",
	.kind = BACKING_OF_ANON,
	.prepare = prepare,
	.make = make_in,
	.drop = area_unmap,
	.done = done,
};
