// SPDX-License-Identifier: GPL-2.0
/* Zones, CMA and pages of a process, as /proc has them now. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "snapshot.h"
#include "page_bytes.h"

#define PFN	((1ull << 55) - 1)
#define PRESENT	(1ull << 63)
#define BATCH	512

static void zone_line(struct snapshot *a, const char *line)
{
	struct snapshot_zone *z = a->zones ? a->zone + a->zones - 1 : NULL;
	unsigned long long value;
	char name[16];
	int node;

	if (sscanf(line, "Node %d, zone %15s", &node, name) == 2) {
		if (a->zones == SNAPSHOT_ZONES)
			return;
		z = a->zone + a->zones++;
		memset(z, 0, sizeof(*z));
		z->node = node;
		memcpy(z->name, name, sizeof(z->name));
	} else if (!z) {
		return;
	} else if (sscanf(line, " pages free %llu", &value) == 1) {
		z->free = value;
	} else if (sscanf(line, " min %llu", &value) == 1) {
		z->low = value;
	} else if (sscanf(line, " spanned %llu", &value) == 1) {
		z->pages = value;
	} else if (sscanf(line, " nr_free_cma %llu", &value) == 1) {
		z->free_cma = value;
	} else if (sscanf(line, " start_pfn: %llu", &value) == 1) {
		z->start = value;
	}
}

static void meminfo_line(struct snapshot *a, const char *line)
{
	unsigned long long value;

	if (sscanf(line, "CmaTotal: %llu kB", &value) == 1)
		a->cma_total_kb = value;
}

/* "Node 0, zone Normal  UNMOVABLE MOVABLE ... CMA ISOLATE" are counts of blocks. */
struct types {
	int column;		/* of CMA, -1: not known yet */
	uint64_t pages;		/* of a block */
	bool counts;		/* behind the line that names them */
};

static int cma_column(const char *line)
{
	const char *at = strstr(line, "Unmovable");
	char name[32];
	int column = 0, used;

	for (; at && sscanf(at, "%31s%n", name, &used) == 1; at += used) {
		if (!strcmp(name, "CMA"))
			return column;
		column++;
	}
	return -1;
}

static void type_line(struct snapshot *a, struct types *t, const char *line)
{
	unsigned long long value;
	char zone[16];
	int node, used, i;

	if (sscanf(line, "Pages per block: %llu", &value) == 1)
		t->pages = value;
	if (!strncmp(line, "Number of blocks type", 21)) {
		t->column = cma_column(line);
		t->counts = true;
		return;
	}
	if (!t->counts || t->column < 0 ||
	    sscanf(line, "Node %d, zone %15s%n", &node, zone, &used) != 2)
		return;
	for (i = 0; i <= t->column; i++) {
		int more;

		if (sscanf(line + used, "%llu%n", &value, &more) != 1)
			return;
		used += more;
	}
	a->cma_blocks_kb += value * t->pages * (page_bytes() / 1024);
}

void snapshot_read(struct snapshot *a)
{
	struct types types = { .column = -1, .pages = 512 };
	char line[1024];
	FILE *f;

	memset(a, 0, sizeof(*a));
	f = fopen("/proc/zoneinfo", "re");
	while (f && fgets(line, sizeof(line), f))
		zone_line(a, line);
	if (f)
		fclose(f);
	f = fopen("/proc/meminfo", "re");
	while (f && fgets(line, sizeof(line), f))
		meminfo_line(a, line);
	if (f)
		fclose(f);
	f = fopen("/proc/pagetypeinfo", "re");
	while (f && fgets(line, sizeof(line), f))
		type_line(a, &types, line);
	if (f)
		fclose(f);
}

const struct snapshot_zone *snapshot_find(const struct snapshot *a, uint64_t pfn)
{
	const struct snapshot_zone *best = NULL;
	unsigned int i;

	/* Spans of zones and nodes may overlap: the one that begins last. */
	for (i = 0; i < a->zones; i++) {
		const struct snapshot_zone *z = a->zone + i;

		if (pfn < z->start || pfn >= z->start + z->pages)
			continue;
		if (!best || z->start >= best->start)
			best = z;
	}
	return best;
}

static bool on_node(uint64_t nodes, int node)
{
	return node < 0 || node > 63 || nodes >> node & 1;
}

/* "Mems_allowed:	00000000,00000003": words of 32 bits, the highest first. */
uint64_t snapshot_allowed(pid_t pid)
{
	uint64_t nodes = 0;
	char path[64], line[1024];
	const char *at = NULL;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "re");
	while (f && !at && fgets(line, sizeof(line), f))
		if (!strncmp(line, "Mems_allowed:", 13))
			at = line + 13;
	if (f)
		fclose(f);
	if (!at)
		return UINT64_MAX;
	for (at += strspn(at, " \t"); *at && *at != '\n'; at += *at == ',')
		nodes = nodes << 32 | strtoul(at, (char **)&at, 16);
	return nodes ? nodes : UINT64_MAX;
}

bool snapshot_barred(const struct snapshot *a, uint64_t nodes)
{
	unsigned int i;

	for (i = 0; i < a->zones; i++)
		if (!on_node(nodes, a->zone[i].node))
			return true;
	return false;
}

uint64_t snapshot_pinnable_free(const struct snapshot *a, uint64_t nodes)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < a->zones; i++) {
		const struct snapshot_zone *z = a->zone + i;

		if (strcmp(z->name, "Movable") && on_node(nodes, z->node) &&
		    z->free > z->free_cma + z->low)
			sum += z->free - z->free_cma - z->low;
	}
	return sum * page_bytes();
}

uint64_t snapshot_hidden_cma(const struct snapshot *a)
{
	return a->cma_blocks_kb > a->cma_total_kb ?
	       (a->cma_blocks_kb - a->cma_total_kb) << 10 : 0;
}

static int open_pagemap(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)pid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

uint64_t snapshot_frame(pid_t pid, uint64_t addr)
{
	int fd = open_pagemap(pid);
	uint64_t entry = 0;

	if (fd < 0)
		return 0;
	if (pread(fd, &entry, sizeof(entry), addr / page_bytes() * 8) != sizeof(entry))
		entry = 0;
	close(fd);
	return entry & PRESENT ? entry & PFN : 0;
}

uint64_t snapshot_address(pid_t pid, uint64_t pfn, uint64_t pages, uint64_t addr,
			uint64_t len)
{
	uint64_t size = page_bytes(), entry[BATCH], found = 0;
	uint64_t at = addr / size, end = (addr + len + size - 1) / size;
	int fd = open_pagemap(pid);

	while (fd >= 0 && at < end && !found) {
		uint64_t nr = end - at < BATCH ? end - at : BATCH, i;
		ssize_t got = pread(fd, entry, nr * 8, at * 8);

		if (got <= 0)
			break;
		for (i = 0; i < (uint64_t)got / 8 && !found; i++) {
			uint64_t frame = entry[i] & PFN;

			if ((entry[i] & PRESENT) && frame >= pfn &&
			    frame < pfn + pages)
				found = (at + i) * size;
		}
		at += got / 8;
	}
	if (fd >= 0)
		close(fd);
	return found;
}

uint64_t snapshot_vmstat(const char *name)
{
	FILE *f = fopen("/proc/vmstat", "re");
	unsigned long long value, found = 0;
	char key[64];

	while (f && fscanf(f, "%63s %llu", key, &value) == 2)
		if (!strcmp(key, name)) {
			found = value;
			break;
		}
	if (f)
		fclose(f);
	return found;
}
