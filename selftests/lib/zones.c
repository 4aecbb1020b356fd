// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "zones.h"

struct zone {
	int node;
	char name[16];
	uint64_t free;			/* pages */
	uint64_t cma;			/* free ones of CMA */
};

static void read_number(const char *line, const char *format, uint64_t *value)
{
	uint64_t number;

	if (sscanf(line, format, &number) == 1)
		*value = number;
}

/* Calls @fn for each zone of the file, with what was read of it. */
static int read_zones(void (*fn)(void *ctx, const struct zone *zone), void *ctx)
{
	FILE *file = fopen("/proc/zoneinfo", "re");
	struct zone zone = { .node = -1 };
	char line[256];

	if (!file)
		return -errno;
	while (fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "Node ", 5)) {
			if (zone.node >= 0)
				fn(ctx, &zone);
			memset(&zone, 0, sizeof(zone));
			if (sscanf(line, "Node %d, zone %15s", &zone.node,
				   zone.name) != 2)
				zone.node = -1;
			continue;
		}
		/* Per-node counters stand in the first zone, other names. */
		read_number(line, " nr_free_pages %" SCNu64, &zone.free);
		read_number(line, " nr_free_cma %" SCNu64, &zone.cma);
	}
	if (zone.node >= 0)
		fn(ctx, &zone);
	fclose(file);
	return 0;
}

static void find_cma(void *ctx, const struct zone *zone)
{
	struct zones *zones = ctx;

	if (!zone->cma || zones->nr == ZONES_MAX)
		return;
	zones->all[zones->nr].node = zone->node;
	memcpy(zones->all[zones->nr].name, zone->name, sizeof(zone->name));
	zones->nr++;
}

int zones_find(struct zones *zones, bool movable)
{
	memset(zones, 0, sizeof(*zones));
	zones->movable = movable;
	return read_zones(find_cma, zones);
}

struct sum {
	const struct zones *zones;
	struct zones_free pages;
};

static bool one_of(const struct zones *zones, const struct zone *zone)
{
	size_t i;

	for (i = 0; i < zones->nr; i++)
		if (zones->all[i].node == zone->node &&
		    !strcmp(zones->all[i].name, zone->name))
			return true;
	return false;
}

static void add_zone(void *ctx, const struct zone *zone)
{
	bool movable = !strcmp(zone->name, "Movable");
	struct sum *sum = ctx;

	if (!movable)
		sum->pages.ordinary_kb += zone->free - zone->cma;
	if (sum->zones->movable) {
		sum->pages.free_kb += zone->free;
		sum->pages.class_kb += movable ? zone->free : 0;
	} else if (one_of(sum->zones, zone)) {
		sum->pages.free_kb += zone->free;
		sum->pages.class_kb += zone->cma;
	}
}

int zones_free(const struct zones *zones, struct zones_free *now)
{
	uint64_t kb = sysconf(_SC_PAGESIZE) >> 10;
	struct sum sum = { .zones = zones };
	int err = read_zones(add_zone, &sum);

	now->class_kb = sum.pages.class_kb * kb;
	now->free_kb = sum.pages.free_kb * kb;
	now->ordinary_kb = sum.pages.ordinary_kb * kb;
	return err;
}

struct ordinary {
	uint64_t nodes;
	uint64_t pages;
};

static void add_ordinary(void *ctx, const struct zone *zone)
{
	struct ordinary *sum = ctx;

	/* Nobody asks about nodes that a mask has no bit for. */
	if (zone->node < 64 && sum->nodes & 1ULL << zone->node &&
	    strcmp(zone->name, "Movable") && strcmp(zone->name, "Device"))
		sum->pages += zone->free - zone->cma;
}

int zones_ordinary_kb(uint64_t nodes, uint64_t *kb)
{
	struct ordinary sum = { .nodes = nodes };
	int err = read_zones(add_ordinary, &sum);

	*kb = sum.pages * (sysconf(_SC_PAGESIZE) >> 10);
	return err;
}

/* Column of the type in the head "Number of blocks type  Unmovable ...". */
static int type_column(const char *line, const char *type)
{
	int column = 0, len;
	char word[32];

	line += strlen("Number of blocks type");
	for (; sscanf(line, "%31s%n", word, &len) == 1; line += len, column++)
		if (!strcmp(word, type))
			return column;
	return -1;
}

static uint64_t number_in(const char *line, int column)
{
	uint64_t value = 0;
	int len;

	if (sscanf(line, "Node %*d, zone %*s%n", &len) != 0)
		return 0;
	for (line += len; column >= 0; line += len, column--)
		if (sscanf(line, "%" SCNu64 "%n", &value, &len) != 1)
			return 0;
	return value;
}

int64_t zones_cma_pages(void)
{
	FILE *file = fopen("/proc/pagetypeinfo", "re");
	uint64_t per_block = 0, blocks = 0;
	bool counting = false;
	int column = -1;
	char line[512];

	if (!file)
		return -errno;
	while (fgets(line, sizeof(line), file)) {
		read_number(line, "Pages per block: %" SCNu64, &per_block);
		if (!strncmp(line, "Page block order", 16)) {
			counting = false;
		} else if (!strncmp(line, "Number of blocks type", 21)) {
			column = type_column(line, "CMA");
			counting = column >= 0;
		} else if (counting) {
			blocks += number_in(line, column);
		}
	}
	fclose(file);
	return blocks * per_block;
}
