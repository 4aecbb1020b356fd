// SPDX-License-Identifier: GPL-2.0
/* Mappings, as backings need them. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "backings.h"

/* Room for @area at a multiple of @align, to be mapped over. */
static char *reserve(const struct area *area, size_t align)
{
	size_t len = area->len + align;
	char *room, *addr;

	room = mmap(NULL, len, PROT_NONE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (room == MAP_FAILED)
		return NULL;
	addr = (char *)(((uintptr_t)room + align - 1) & ~(align - 1));
	if (addr > room)
		munmap(room, addr - room);
	munmap(addr + area->len, room + len - addr - area->len);
	return addr;
}

int area_map(struct area *area, int flags)
{
	size_t align = area->granule;
	char *addr = NULL;

	flags |= area->shared ? MAP_SHARED : MAP_PRIVATE;
	if (area->fd < 0)
		flags |= MAP_ANONYMOUS;
	if (align > (size_t)sysconf(_SC_PAGESIZE)) {
		addr = reserve(area, align);
		if (!addr)
			return -errno;
		flags |= MAP_FIXED;
	}
	addr = mmap(addr, area->len, area->prot, flags, area->fd, 0);
	if (addr == MAP_FAILED)
		return -errno;
	area->addr = addr;
	return 0;
}

int area_touch(const struct world *world, struct area *area)
{
	int advice = area->prot & PROT_WRITE ? MADV_POPULATE_WRITE
					     : MADV_POPULATE_READ;

	return madvise(area->addr, area->len, advice) ? -errno : 0;
}

int area_read(struct area *area, size_t len)
{
	return madvise(area->addr, len, MADV_POPULATE_READ) ? -errno : 0;
}

int area_one_folio(const struct world *world, const struct area *area)
{
	struct pinprobe_page page;
	int err = look_pages(&world->look, area->addr, 1, &page);

	if (err)
		return err;
	if (page.state != PINPROBE_STATE_PRESENT ||
	    world->page_size << page.order != area->len)
		return -ENODATA;
	return 0;
}

void area_set(const struct world *world, struct area *area, size_t nr)
{
	area->len = nr * world->page_size;
	area->granule = world->page_size;
	area->prot = PROT_READ | PROT_WRITE;
}

int area_map_small(const struct world *world, struct area *area, size_t nr)
{
	int err;

	area_set(world, area, nr);
	err = area_map(area, 0);
	if (err)
		return err;
	/* EINVAL: a kernel without huge pages. */
	if (madvise(area->addr, area->len, MADV_NOHUGEPAGE) && errno != EINVAL)
		return -errno;
	return 0;
}

void area_unmap(struct area *area)
{
	if (area->addr)
		munmap(area->addr, area->len);
	if (area->fd >= 0)
		close(area->fd);
	area->addr = NULL;
	area->fd = -1;
}
