// SPDX-License-Identifier: GPL-2.0
/* Where memory is, in which zones, and how large a pageblock is. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../selftests/lib/device.h"
#include "map.h"
#include "out.h"

#define SECTIONS	"/sys/devices/system/memory"

void map_note(struct map *m, enum source_state state, const char *source,
	      const char *tells)
{
	m->note = text_grow(m->note, m->notes, sizeof(*m->note));
	m->note[m->notes++] = (struct map_note) {
		text_dup(source), state, tells
	};
}

static uint8_t zone_number(const char *name)
{
	static const char *const names[] = {
		"DMA", "DMA32", "Normal", "HighMem", "Movable", "Device",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], name))
			return i;
	return PINPROBE_ZONE_UNKNOWN;
}

/* "spanned" and "present" come before "start_pfn" in each zone. */
static void zoneinfo_line(struct map *m, const char *line, struct map_zone *z,
			  uint64_t *spanned)
{
	uint64_t value;
	char name[32];
	int node;

	if (sscanf(line, "Node %d, zone %31s", &node, name) == 2) {
		*z = (struct map_zone) {
			.node = node, .zone = zone_number(name)
		};
	} else if (sscanf(line, " spanned %" SCNu64, &value) == 1) {
		*spanned = value;
	} else if (sscanf(line, " present %" SCNu64, &value) == 1) {
		z->present = value;
	} else if (sscanf(line, " start_pfn: %" SCNu64, &value) == 1 &&
		   *spanned) {
		z->span.start = value;
		z->span.end = value + *spanned;
		m->zone = text_grow(m->zone, m->zones, sizeof(*m->zone));
		m->zone[m->zones++] = *z;
	}
}

void map_parse_zoneinfo(struct map *m, const char *s)
{
	char *copy = text_dup(s), *next = copy, *line;
	struct map_zone zone = { 0 };
	uint64_t spanned = 0;

	while ((line = strsep(&next, "\n")))
		zoneinfo_line(m, line, &zone, &spanned);
	free(copy);
}

static int by_start(const void *a, const void *b)
{
	const struct map_range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Whole pages only, in order, and none twice. */
static void add_ram(struct map *m, uint64_t start, uint64_t end)
{
	if (start >= end)
		return;
	m->ram = text_grow(m->ram, m->rams, sizeof(*m->ram));
	m->ram[m->rams++] = (struct map_range) { start, end };
}

static void order_ram(struct map *m)
{
	size_t i, n = 0;

	if (m->rams)
		qsort(m->ram, m->rams, sizeof(*m->ram), by_start);
	for (i = 0; i < m->rams; i++) {
		if (n && m->ram[i].start <= m->ram[n - 1].end) {
			if (m->ram[i].end > m->ram[n - 1].end)
				m->ram[n - 1].end = m->ram[i].end;
		} else {
			m->ram[n++] = m->ram[i];
		}
	}
	m->rams = n;
}

/* "00100000-3ffdcfff : System RAM"; to others than root all addresses are 0. */
bool map_parse_iomem(struct map *m, const char *s)
{
	char *copy = text_dup(s), *next = copy, *line;
	uint64_t first, last;
	bool any = false;
	int used;

	while ((line = strsep(&next, "\n"))) {
		used = 0;
		if (*line == ' ' ||
		    sscanf(line, "%" SCNx64 "-%" SCNx64 " : %n", &first, &last,
			   &used) < 2 || !used ||
		    !text_starts(line + used, "System RAM"))
			continue;
		if (!last)
			continue;
		any = true;
		add_ram(m, (first + m->page_size - 1) / m->page_size,
			(last + 1) / m->page_size);
	}
	free(copy);
	order_ram(m);
	return any;
}

/* Sections of memory, as for hotplug: coarser, and readable for all. */
static bool read_sections(struct map *m)
{
	struct source_names names;
	char *hex, *state;
	uint64_t size, index;
	size_t i;

	if (source_line(&m->source, &hex, SECTIONS "/block_size_bytes"))
		return false;
	size = strtoull(hex, NULL, 16) / m->page_size;
	free(hex);
	source_list(&m->source, &names, SECTIONS);
	for (i = 0; i < names.count; i++) {
		if (sscanf(names.name[i], "memory%" SCNu64, &index) != 1 ||
		    source_line(&m->source, &state, SECTIONS "/%s/state",
				names.name[i]))
			continue;
		if (!strcmp(state, "online"))
			add_ram(m, index * size, (index + 1) * size);
		free(state);
	}
	source_names_free(&names);
	order_ram(m);
	return m->rams;
}

/* Of a section that is all in one zone the kernel says which. */
static void zones_of_sections(struct map *m)
{
	uint64_t size, pfn, first;
	struct map_block *b;
	char *hex, *zone;

	if (source_line(&m->source, &hex, SECTIONS "/block_size_bytes"))
		return;
	size = strtoull(hex, NULL, 16) / m->page_size;
	free(hex);
	for (b = m->block; size && b < m->block + m->blocks; b++) {
		if (b->zone != PINPROBE_ZONE_UNKNOWN)
			continue;
		first = b->pfn / size;
		pfn = b->pfn + m->block_pages - 1;
		if (pfn / size != first ||
		    source_line(&m->source, &zone, SECTIONS "/memory%" PRIu64 "/valid_zones",
				first))
			continue;
		/* "none": more than one; two words: it is offline. */
		b->zone = zone_number(zone);
		free(zone);
	}
}

/* By the memory of the block, not by what it would be without holes. */
static void zone_of_block(const struct map *m, struct map_block *b,
			  uint64_t start, uint64_t end)
{
	const struct map_zone *found = NULL;
	bool several = false, nodes = false;
	size_t i;

	for (i = 0; i < m->zones; i++) {
		if (start >= m->zone[i].span.end || end <= m->zone[i].span.start)
			continue;
		several |= !!found;
		nodes |= found && found->node != m->zone[i].node;
		found = &m->zone[i];
	}
	if (!found)
		return;
	if (!nodes)
		b->node = found->node;
	if (!several)
		b->zone = found->zone;
}

static void add_block(struct map *m, uint64_t start, uint64_t end)
{
	uint64_t pfn = start / m->block_pages * m->block_pages;
	struct map_block *b = m->blocks ? &m->block[m->blocks - 1] : NULL;

	if (!b || b->pfn != pfn) {
		m->block = text_grow(m->block, m->blocks, sizeof(*m->block));
		b = &m->block[m->blocks++];
		*b = (struct map_block) {
			.pfn = pfn, .node = -1, .area = -1,
			.zone = PINPROBE_ZONE_UNKNOWN,
			.migratetype = PINPROBE_MT_UNKNOWN,
		};
		zone_of_block(m, b, start, end);
	}
	b->ram += end - start;
}

void map_make_blocks(struct map *m)
{
	uint64_t pfn, end;
	size_t i;

	for (i = 0; i < m->rams; i++) {
		for (pfn = m->ram[i].start; pfn < m->ram[i].end; pfn = end) {
			end = (pfn / m->block_pages + 1) * m->block_pages;
			if (end > m->ram[i].end)
				end = m->ram[i].end;
			add_block(m, pfn, end);
		}
	}
	zones_of_sections(m);
}

struct map_block *map_find(const struct map *m, uint64_t pfn)
{
	size_t low = 0, high = m->blocks, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (pfn < m->block[middle].pfn)
			high = middle;
		else if (pfn >= m->block[middle].pfn + m->block_pages)
			low = middle + 1;
		else
			return &m->block[middle];
	}
	return NULL;
}

static void read_block_size(struct map *m)
{
	struct pinprobe_info info;
	struct text t = { 0 };
	const char *at;
	long long bytes;
	int dev = source_live(&m->source) ? device_open() : -1;

	if (dev >= 0 && !device_info(dev, &info)) {
		m->block_pages = 1ULL << info.block_order;
		m->block_from = "the module";
	}
	if (dev >= 0)
		close(dev);
	source_read(&m->source, &t, "/proc/pagetypeinfo");
	at = strstr(t.s, "Pages per block:");
	if (!m->block_pages && at &&
	    sscanf(at, "Pages per block: %" SCNu64, &m->block_pages) == 1)
		m->block_from = "/proc/pagetypeinfo";
	text_free(&t);
	if (!m->block_pages &&
	    !source_number(&m->source, &bytes,
			   "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size")) {
		m->block_pages = bytes / m->page_size;
		m->block_from = "the size of a huge page";
	}
	if (m->block_pages)
		return;
	m->block_pages = (2 << 20) / m->page_size;
	m->block_from = "a guess";
}

static void read_ram(struct map *m)
{
	struct text t = { 0 };
	enum source_state state = source_read(&m->source, &t, "/proc/iomem");
	bool good = !state && map_parse_iomem(m, t.s);
	size_t i;

	text_free(&t);
	map_note(m, good ? SOURCE_OK : state ? state : SOURCE_DENIED,
		 "/proc/iomem", "where memory begins and ends, to the page");
	if (good)
		return;
	good = read_sections(m);
	map_note(m, good ? SOURCE_OK : SOURCE_ABSENT, SECTIONS,
		 "where memory is, in sections as for hotplug");
	if (good)
		return;
	for (i = 0; i < m->zones; i++)
		add_ram(m, m->zone[i].span.start, m->zone[i].span.end);
	order_ram(m);
}

bool map_read_memory(struct map *m)
{
	struct text t = { 0 };
	enum source_state state = source_read(&m->source, &t, "/proc/zoneinfo");

	map_parse_zoneinfo(m, t.s);
	text_free(&t);
	if (!m->zones) {
		out_error("/proc/zoneinfo%s%s: %s", *m->source.root ? " below " : "",
			  m->source.root, source_why(state));
		return false;
	}
	map_note(m, state, "/proc/zoneinfo", "which zone has which pages");
	source_line(&m->source, &m->release, "/proc/sys/kernel/osrelease");
	read_block_size(m);
	read_ram(m);
	map_make_blocks(m);
	return true;
}

void map_free(struct map *m)
{
	size_t i;

	for (i = 0; i < m->areas; i++)
		free(m->area[i].name);
	for (i = 0; i < m->notes; i++)
		free(m->note[i].source);
	free(m->area);
	free(m->note);
	free(m->zone);
	free(m->ram);
	free(m->block);
	free(m->comm);
	free(m->release);
}
