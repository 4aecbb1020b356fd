// SPDX-License-Identifier: GPL-2.0
/* What was found, for programs; alike neighbours are one entry. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../selftests/lib/device.h"
#include "map.h"

void map_sum(const struct map *m, struct map_sum *sum)
{
	const struct map_block *b;

	memset(sum, 0, sizeof(*sum));
	for (b = m->block; b < m->block + m->blocks; b++) {
		sum->blocks++;
		if (b->migratetype < ARRAY_SIZE(sum->by_type))
			sum->by_type[b->migratetype]++;
		else
			sum->unknown_type++;
		sum->process += b->process;
		sum->held += b->held;
		sum->unpinnable += b->unpinnable;
		sum->stuck += b->stuck;
	}
}

static void put(json_object *o, const char *key, const char *value)
{
	if (value)
		json_object_object_add(o, key, json_object_new_string(value));
}

static void put_number(json_object *o, const char *key, int64_t value)
{
	json_object_object_add(o, key, json_object_new_int64(value));
}

static void put_hex(json_object *o, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	put(o, key, text);
}

static void put_bool(json_object *o, const char *key, bool value)
{
	json_object_object_add(o, key, json_object_new_boolean(value));
}

static bool alike(const struct map *m, const struct map_block *a,
		  const struct map_block *b, uint64_t apart)
{
	return b->pfn == a->pfn + apart * m->block_pages && a->ram == b->ram &&
	       a->node == b->node && a->area == b->area && a->zone == b->zone &&
	       a->migratetype == b->migratetype && a->process == b->process &&
	       a->held == b->held && a->unpinnable == b->unpinnable &&
	       a->stuck == b->stuck;
}

/* What of the process and its holders is not known is left out. */
static json_object *one_block(const struct map *m, const struct map_block *b,
			      uint64_t nr)
{
	json_object *o = json_object_new_object();

	put_hex(o, "pfn", b->pfn);
	put_number(o, "blocks", nr);
	put_number(o, "ram_pages", b->ram);
	if (b->node >= 0)
		put_number(o, "node", b->node);
	put(o, "zone", zone_name(b->zone));
	put(o, "migratetype", migratetype_name(b->migratetype));
	if (b->area >= 0)
		put(o, "cma_area", m->area[b->area].name);
	if (m->pages_seen)
		put_number(o, "process_pages", b->process);
	if (m->holds_seen) {
		put_number(o, "held", b->held);
		put_number(o, "unpinnable", b->unpinnable);
		put_number(o, "stuck", b->stuck);
	}
	return o;
}

static json_object *blocks(const struct map *m)
{
	json_object *all = json_object_new_array();
	size_t i, nr;

	for (i = 0; i < m->blocks; i += nr) {
		nr = 1;
		while (i + nr < m->blocks &&
		       alike(m, &m->block[i], &m->block[i + nr], nr))
			nr++;
		json_object_array_add(all, one_block(m, &m->block[i], nr));
	}
	return all;
}

static json_object *zones(const struct map *m)
{
	json_object *all = json_object_new_array(), *o;
	size_t i;

	for (i = 0; i < m->zones; i++) {
		o = json_object_new_object();
		put_number(o, "node", m->zone[i].node);
		put(o, "zone", zone_name(m->zone[i].zone));
		put_hex(o, "start_pfn", m->zone[i].span.start);
		put_hex(o, "end_pfn", m->zone[i].span.end);
		put_number(o, "present_pages", m->zone[i].present);
		json_object_array_add(all, o);
	}
	return all;
}

static json_object *areas(const struct map *m)
{
	json_object *all = json_object_new_array(), *o;
	size_t i;

	for (i = 0; i < m->areas; i++) {
		o = json_object_new_object();
		put(o, "name", m->area[i].name);
		put_hex(o, "start_pfn", m->area[i].range.start);
		put_hex(o, "end_pfn", m->area[i].range.end);
		json_object_array_add(all, o);
	}
	return all;
}

static json_object *sources(const struct map *m)
{
	json_object *all = json_object_new_array(), *o;
	size_t i;

	for (i = 0; i < m->notes; i++) {
		o = json_object_new_object();
		put(o, "source", m->note[i].source);
		put(o, "state", source_why(m->note[i].state));
		put(o, "tells", m->note[i].tells);
		json_object_array_add(all, o);
	}
	return all;
}

json_object *map_json(const struct map *m)
{
	json_object *o = json_object_new_object(), *sum;
	struct map_sum s;

	map_sum(m, &s);
	put(o, "kernel", m->release);
	if (m->pid)
		put_number(o, "pid", m->pid);
	put(o, "comm", m->comm);
	put_number(o, "page_size", m->page_size);
	put_number(o, "block_pages", m->block_pages);
	put(o, "block_from", m->block_from);
	put_bool(o, "pages_seen", m->pages_seen);
	put_bool(o, "holds_seen", m->holds_seen);
	sum = json_object_new_object();
	put_number(sum, "blocks", s.blocks);
	put_number(sum, "unknown_type", s.unknown_type);
	if (m->pages_seen)
		put_number(sum, "process_pages", s.process);
	if (m->holds_seen) {
		put_number(sum, "held", s.held);
		put_number(sum, "unpinnable", s.unpinnable);
		put_number(sum, "stuck", s.stuck);
	}
	json_object_object_add(o, "sum", sum);
	json_object_object_add(o, "zones", zones(m));
	json_object_object_add(o, "cma_areas", areas(m));
	json_object_object_add(o, "sources", sources(m));
	json_object_object_add(o, "blocks", blocks(m));
	return o;
}
