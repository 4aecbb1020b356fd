// SPDX-License-Identifier: GPL-2.0
/* Where the target page of a row can lie. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "../lib/device.h"
#include "../lib/memory.h"
#include "../lib/nodes.h"
#include "../lib/vmstat.h"
#include "placements.h"

/* Areas of one search: a few MiB of base pages, more than CPUs have in lists. */
#define TRIES		256
/*
 * What each CPU has in lists comes first and lies anywhere: after some tries more
 * is taken at once.
 */
#define BALLAST_TRIES	32
#define BALLASTS	(TRIES / BALLAST_TRIES)
#define BALLAST_SIZE	(16UL << 20)
/* Of larger ones fewer, so that the guest has memory left. */
#define TRIED_BYTES	(160UL << 20)
/* Of the largest: one that lies elsewhere, and one. */
#define LEAST_TRIES	2
/* Pages of an area that are looked at for a target. */
#define LOOK_PAGES	1024

const struct placement *const placements[] = {
	&placement_ordinary,
	&placement_cma,
	&placement_hidden_cma,
	&placement_movable,
	&placement_movable_node,
	&placement_movable_node_bound,
	&placement_movable_node_cpuset,
	&placement_isolated,
	&placement_isolated_unseen,
	&placement_nowhere,
	&placement_device,
	NULL
};

/* A thousandth of each zone, which is less than the least that a CPU keeps. */
#define LIST_FRACTION	"/proc/sys/vm/percpu_pagelist_high_fraction"
#define LIST_EXCESS	(4UL << 20)

/* Pages above the limit go when others are freed. */
static int shorten_list(int cpu)
{
	cpu_set_t set;
	char *pages;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return -errno;
	pages = mmap(NULL, LIST_EXCESS, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (pages == MAP_FAILED)
		return -errno;
	if (madvise(pages, LIST_EXCESS, MADV_NOHUGEPAGE) && errno != EINVAL)
		return -errno;
	if (madvise(pages, LIST_EXCESS, MADV_POPULATE_WRITE))
		return -errno;
	munmap(pages, LIST_EXCESS);
	return 0;
}

int placements_prepare(void)
{
	int fd = open(LIST_FRACTION, O_WRONLY | O_CLOEXEC), cpu, err = 0;
	int nr = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t all;

	if (fd < 0)
		return -errno;
	if (write(fd, "1000", 4) != 4)
		err = -errno;
	close(fd);
	if (!err && sched_getaffinity(0, sizeof(all), &all))
		err = -errno;
	if (err)
		return err;
	for (cpu = 0; !err && cpu < nr; cpu++)
		err = shorten_list(cpu);
	sched_setaffinity(0, sizeof(all), &all);
	return err;
}

static bool lies(const struct placement *placement,
		 const struct pinprobe_page *page)
{
	if (page->state != PINPROBE_STATE_PRESENT)
		return false;
	return placement->unpinnable ? page->unpinnable & placement->unpinnable
				     : !page->unpinnable;
}

/* Whether @area has such a page; the last one, so that others come before it. */
static int choose_target(const struct world *world,
			 const struct placement *placement, struct area *area)
{
	size_t nr = area->len / world->page_size, i;
	struct pinprobe_page *pages;
	int err;

	if (nr > LOOK_PAGES)
		nr = LOOK_PAGES;
	pages = calloc(nr, sizeof(*pages));
	if (!pages)
		return -ENOMEM;
	err = look_pages(&world->look, area->addr, nr, pages);
	for (i = nr; !err && i && !lies(placement, &pages[i - 1]); i--)
		;
	if (!err && !i)
		err = -ENODATA;
	if (!err)
		area->target = (i - 1) * world->page_size;
	free(pages);
	return err;
}

static int pin_once(const struct world *world, const char *addr, size_t len,
		    uint32_t flags)
{
	int fd = device_pin(world->look.dev, addr, len, PINPROBE_CALL_PIN_FAST,
			    flags | PINPROBE_PIN_LONGTERM, NULL);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/*
 * Memory that has been pinned for long lies where it may. Pages of a file are
 * pinned by a mapping that nobody writes to: through another one a file system
 * would refuse, and a private one would get pages of its own.
 */
static int make_pinnable(const struct world *world, struct area *area)
{
	char *pages;
	int err;

	if (area->fd < 0)
		return pin_once(world, area->addr,
				area->given ? area->given : area->len,
				area->prot & PROT_WRITE ? PINPROBE_PIN_WRITE : 0);
	pages = mmap(NULL, area->len, PROT_READ, MAP_SHARED, area->fd, 0);
	if (pages == MAP_FAILED)
		return -errno;
	err = pin_once(world, pages, area->len, 0);
	munmap(pages, area->len);
	return err;
}

static int try_once(struct world *world, const struct placement *placement,
		    const struct backing *backing, struct area *area)
{
	int err;

	memset(area, 0, sizeof(*area));
	area->fd = -1;
	area->backing = backing;
	err = backing->make(world, area);
	if (err)
		return err;
	err = choose_target(world, placement, area);
	if (err != -ENODATA || placement->unpinnable)
		return err;
	/* What is too slow for a deadline has moved nevertheless. */
	make_pinnable(world, area);
	return choose_target(world, placement, area);
}

int placement_search(struct world *world, const struct placement *placement,
		     const struct backing *backing, struct area *area)
{
	struct area *passed = calloc(TRIES, sizeof(*passed));
	void *ballast[BALLASTS] = { NULL };
	int err = -ENODATA, nr, i;
	size_t bytes = 0;

	if (!passed)
		return -ENOMEM;
	for (nr = 0; err == -ENODATA && nr < TRIES &&
	     (bytes < TRIED_BYTES || nr < LEAST_TRIES); nr++) {
		err = try_once(world, placement, backing, area);
		if (err == -ENODATA)
			passed[nr] = *area;
		bytes += area->len;
		if (err == -ENODATA && nr % BALLAST_TRIES == BALLAST_TRIES - 1)
			ballast[nr / BALLAST_TRIES] =
				memory_touched(BALLAST_SIZE);
	}
	for (i = 0; i < BALLASTS; i++)
		if (ballast[i])
			munmap(ballast[i], BALLAST_SIZE);
	/* The last one is the caller's, or is of no use. */
	while (nr-- > 0)
		if (passed[nr].addr && backing->drop)
			backing->drop(&passed[nr]);
	free(passed);
	if (err == -ENODATA)
		memset(area, 0, sizeof(*area));
	return err;
}

/* The one area that is made, and what stands at its target. */
static int make_one(struct world *world, const struct backing *backing,
		    struct area *area, struct pinprobe_page *page)
{
	int err;

	area->fd = -1;
	area->backing = backing;
	err = backing->make(world, area);
	return err ? err : look_pages(&world->look, area->addr + area->target, 1,
				      page);
}

/* The backing knows which of its addresses is meant, and nothing is there. */
static int find_nothing(struct world *world, const struct placement *placement,
			const struct backing *backing, struct area *area)
{
	struct pinprobe_page page;
	int err = make_one(world, backing, area, &page);

	return !err && page.state == PINPROBE_STATE_PRESENT ? -EEXIST : err;
}

static int find_device(struct world *world, const struct placement *placement,
		       const struct backing *backing, struct area *area)
{
	struct pinprobe_page page;
	int err = make_one(world, backing, area, &page);

	return !err && page.zone != PINPROBE_ZONE_DEVICE ? -ENODATA : err;
}

/* Pages of it are free, and of no area: Kexec HandOver's are like that. */
static bool cma_is_hidden(void)
{
	return meminfo_kb("CmaFree") > 0 && !meminfo_kb("CmaTotal");
}

static int has_cma(struct world *world)
{
	if (world->unpinnable & PINPROBE_UNPINNABLE_CMA && !cma_is_hidden())
		return 0;
	return row_skip(world, "not-this-profile: no MIGRATE_CMA memory is promised");
}

static int has_hidden_cma(struct world *world)
{
	if (world->unpinnable & PINPROBE_UNPINNABLE_CMA && cma_is_hidden())
		return 0;
	return row_skip(world, "not-this-profile: no MIGRATE_CMA memory without an area is promised");
}

static int has_movable(struct world *world)
{
	if (!(world->unpinnable & PINPROBE_UNPINNABLE_MOVABLE))
		return row_skip(world, "not-this-profile: no ZONE_MOVABLE is promised");
	/* It is another placement then, and no different for most rows. */
	if (nodes_all_movable())
		return row_skip(world, "not-this-profile: ZONE_MOVABLE is a node of its own");
	return 0;
}

const struct placement placement_ordinary = {
	.name = "ordinary",
	.what = "memory where a long-term pin may stay",
	.find = placement_search,
};

const struct placement placement_nowhere = {
	.name = "nowhere",
	.what = "no page, or none that the kernel knows as such",
	.find = find_nothing,
};

const struct placement placement_device = {
	.name = "device",
	.what = "ZONE_DEVICE: memory of a device, which has no other place",
	.find = find_device,
};

const struct placement placement_cma = {
	.name = "cma",
	.what = "a MIGRATE_CMA pageblock",
	.unpinnable = PINPROBE_UNPINNABLE_CMA,
	.here = has_cma,
	.find = placement_search,
};

const struct placement placement_hidden_cma = {
	.name = "hidden_cma",
	.what = "a MIGRATE_CMA pageblock of no CMA area, as Kexec HandOver leaves them",
	.unpinnable = PINPROBE_UNPINNABLE_CMA,
	.here = has_hidden_cma,
	.find = placement_search,
};

const struct placement placement_movable = {
	.name = "movable",
	.what = "ZONE_MOVABLE",
	.unpinnable = PINPROBE_UNPINNABLE_MOVABLE,
	.here = has_movable,
	.find = placement_search,
};
