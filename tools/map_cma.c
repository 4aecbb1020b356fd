// SPDX-License-Identifier: GPL-2.0
/*
 * CMA areas that are registered: from debugfs, or while it has not been
 * overwritten from the log of the boot.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kmsg.h"
#include "map.h"

#define DEBUGFS		"/sys/kernel/debug/cma"

static void add_area(struct map *m, const char *name, uint64_t start,
		     uint64_t pages)
{
	if (!pages || m->areas == INT16_MAX)
		return;
	m->area = text_grow(m->area, m->areas, sizeof(*m->area));
	m->area[m->areas++] = (struct map_area) {
		text_dup(name), { start, start + pages }
	};
}

static uint64_t number(const struct map *m, const char *area, const char *rest)
{
	long long value;

	return source_number(&m->source, &value, DEBUGFS "/%s/%s", area, rest) ?
		0 : value;
}

/*
 * An area of several ranges has a folder for each, with a bitmap but not its
 * length: only where there is one range "count" is that of the range.
 */
static void read_area(struct map *m, const char *name)
{
	uint64_t base = number(m, name, "base_pfn");
	struct source_names ranges;

	source_list(&m->source, &ranges, DEBUGFS "/%s/ranges", name);
	if (!base && ranges.count == 1)
		base = number(m, name, "ranges/0/base_pfn");
	if (base)
		add_area(m, name, base, number(m, name, "count"));
	source_names_free(&ranges);
}

void map_parse_cma_log(struct map *m, const char *line)
{
	uint64_t mib, at;
	char name[24];

	line = strstr(line, "cma: Reserved ");
	if (!line || sscanf(line, "cma: Reserved %" SCNu64 " MiB at %" SCNx64,
			    &mib, &at) != 2)
		return;
	snprintf(name, sizeof(name), "%zu of the boot log", m->areas + 1);
	add_area(m, name, at / m->page_size, (mib << 20) / m->page_size);
}

static void one_record(void *map, const char *record)
{
	map_parse_cma_log(map, record);
}

static enum source_state read_log(struct map *m)
{
	int err = kmsg_each(one_record, m);

	if (!err)
		return SOURCE_OK;
	return err == -ENOENT ? SOURCE_ABSENT : SOURCE_DENIED;
}

static enum source_state read_recorded(struct map *m)
{
	struct text t = { 0 };
	enum source_state state = source_read(&m->source, &t, KMSG_PATH);
	char *next = t.s, *line;

	while ((line = strsep(&next, "\n")))
		map_parse_cma_log(m, line);
	text_free(&t);
	return state;
}

void map_mark_cma(struct map *m)
{
	const struct map_range *range;
	struct map_block *b;
	uint64_t pfn;
	size_t i;

	for (i = 0; i < m->areas; i++) {
		range = &m->area[i].range;
		for (pfn = range->start; pfn < range->end; pfn += m->block_pages) {
			b = map_find(m, pfn);
			if (!b)
				continue;
			b->area = i;
			/* One that was read may be isolated at the moment. */
			if (b->migratetype == PINPROBE_MT_UNKNOWN)
				b->migratetype = PINPROBE_MT_CMA;
		}
	}
}

void map_read_cma(struct map *m)
{
	struct source_names names;
	enum source_state state;
	size_t i;

	state = source_list(&m->source, &names, DEBUGFS);
	for (i = 0; i < names.count; i++)
		read_area(m, names.name[i]);
	source_names_free(&names);
	if (!m->areas && state)
		state = source_live(&m->source) ? read_log(m) : read_recorded(m);
	map_note(m, state, m->areas && names.count ? DEBUGFS : "the boot log",
		 "where registered CMA areas lie");
	map_mark_cma(m);
}
