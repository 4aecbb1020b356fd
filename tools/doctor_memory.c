// SPDX-License-Identifier: GPL-2.0
/* Where memory lies, and how much of it a long-term pin may keep. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

static long long meminfo_kb(const char *s, const char *key)
{
	size_t len = strlen(key);
	long long value;

	for (; s && *s; s = strchr(s, '\n'), s = s ? s + 1 : NULL)
		if (!strncmp(s, key, len) && s[len] == ':' &&
		    sscanf(s + len + 1, "%lld", &value) == 1)
			return value;
	return DOCTOR_UNKNOWN;
}

static void read_meminfo(struct doctor *d)
{
	struct doctor_memory *m = &d->memory;
	struct text t = { 0 };

	m->meminfo = source_read(&d->source, &t, "/proc/meminfo");
	m->total_kb = meminfo_kb(t.s, "MemTotal");
	m->free_kb = meminfo_kb(t.s, "MemFree");
	m->cma_total_kb = meminfo_kb(t.s, "CmaTotal");
	m->cma_free_kb = meminfo_kb(t.s, "CmaFree");
	m->huge_pages = meminfo_kb(t.s, "HugePages_Total");
	text_free(&t);
	doctor_miss(d, m->meminfo, "/proc/meminfo", "CmaTotal and CmaFree");
}

static void read_zones(struct doctor *d)
{
	struct doctor_memory *m = &d->memory;
	struct text t = { 0 };

	m->zoneinfo = source_read(&d->source, &t, "/proc/zoneinfo");
	doctor_parse_zoneinfo(m, t.s);
	text_clear(&t);
	doctor_miss(d, m->zoneinfo, "/proc/zoneinfo",
		    "free and pinnable memory by node and zone");
	m->pagetypeinfo = source_read(&d->source, &t, "/proc/pagetypeinfo");
	doctor_parse_pagetypeinfo(m, t.s);
	text_free(&t);
	doctor_miss(d, m->pagetypeinfo, "/proc/pagetypeinfo",
		    "pageblocks by migratetype, so CMA that is in use and hidden");
}

static void read_areas(struct doctor *d)
{
	struct doctor_memory *m = &d->memory;
	struct source_names names;
	struct doctor_area *a;
	size_t i;

	m->cma_sysfs = source_list(&d->source, &names, "/sys/kernel/mm/cma");
	for (i = 0; i < names.count; i++) {
		m->area = text_grow(m->area, m->areas, sizeof(*m->area));
		a = &m->area[m->areas++];
		a->name = text_dup(names.name[i]);
		if (source_number(&d->source, &a->total,
				  "/sys/kernel/mm/cma/%s/total_pages", a->name))
			a->total = DOCTOR_UNKNOWN;
		if (source_number(&d->source, &a->available,
				  "/sys/kernel/mm/cma/%s/available_pages",
				  a->name))
			a->available = DOCTOR_UNKNOWN;
	}
	source_names_free(&names);
	if (m->cma_total_kb > 0)
		doctor_miss(d, m->cma_sysfs, "/sys/kernel/mm/cma",
			    "the names of the CMA areas");
}

/* MemTotal is the sum of what the zones manage. */
static long long page_kb(const struct doctor_memory *m)
{
	static const long long sizes[] = { 4, 8, 16, 64 };
	long long managed = 0;
	size_t i;

	for (i = 0; i < m->zones; i++)
		managed += m->zone[i].managed;
	for (i = 0; managed && i < ARRAY_SIZE(sizes); i++)
		if (m->total_kb * 3 / 4 < managed * sizes[i] &&
		    managed * sizes[i] < m->total_kb * 3 / 2)
			return sizes[i];
	return 4;
}

void doctor_read_memory(struct doctor *d)
{
	read_meminfo(d);
	read_zones(d);
	read_areas(d);
	d->memory.page_kb = page_kb(&d->memory);
}

bool doctor_zone_movable(const struct doctor_zone *z)
{
	return !strcmp(z->name, "Movable") || !strcmp(z->name, "Device");
}

static int cma_type(const struct doctor_memory *m)
{
	int i;

	for (i = 0; i < m->types; i++)
		if (!strcmp(m->type[i], "CMA"))
			return i;
	return -1;
}

long long doctor_zone_cma(const struct doctor_memory *m,
			  const struct doctor_zone *z)
{
	long long pages = z->cma > 0 ? z->cma : 0;
	int cma = cma_type(m);

	if (z->free_cma > pages)
		pages = z->free_cma;
	if (cma >= 0 && z->blocks[cma] * m->block_pages > pages)
		pages = z->blocks[cma] * m->block_pages;
	return pages;
}

long long doctor_zone_unpinnable(const struct doctor_memory *m,
				 const struct doctor_zone *z)
{
	long long cma = doctor_zone_cma(m, z);

	if (doctor_zone_movable(z))
		return z->managed;
	return cma < z->managed ? cma : z->managed;
}

/* Below the lowest watermark only the kernel itself is served. */
long long doctor_zone_pinnable_free(const struct doctor_zone *z)
{
	long long pages = z->free - z->free_cma - z->min;

	return doctor_zone_movable(z) || pages < 0 ? 0 : pages;
}

long long doctor_cma_blocks(const struct doctor_memory *m)
{
	int cma = cma_type(m);
	long long blocks = 0;
	size_t i;

	if (m->pagetypeinfo)
		return DOCTOR_UNKNOWN;
	for (i = 0; cma >= 0 && i < m->zones; i++)
		blocks += m->zone[i].blocks[cma];
	return blocks * m->block_pages;
}

long long doctor_lag_kb(const struct doctor_memory *m)
{
	long long pages = 0;
	size_t i;

	for (i = 0; i < m->zones; i++)
		if (m->zone[i].free_cma)
			pages += m->zone[i].threshold * m->zone[i].cpus;
	return pages * m->page_kb;
}

/*
 * Pageblocks are exact. CmaFree is not: each CPU holds back a part of what it
 * has counted, so that a little more than CmaTotal proves nothing.
 */
long long doctor_hidden_kb(const struct doctor_memory *m, bool *sure)
{
	long long registered = m->cma_total_kb < 0 ? 0 : m->cma_total_kb;
	long long blocks = doctor_cma_blocks(m), blocks_kb, excess;

	blocks_kb = blocks < 0 ? 0 : blocks * m->page_kb;
	excess = m->cma_free_kb < 0 ? 0 : m->cma_free_kb - registered;
	*sure = true;
	if (blocks_kb > registered)
		return blocks_kb - registered;
	if (excess <= 0)
		return 0;
	*sure = excess > doctor_lag_kb(m);
	return *sure || blocks < 0 ? excess : 0;
}

bool doctor_has_unpinnable(const struct doctor_memory *m)
{
	size_t i;

	for (i = 0; i < m->zones; i++)
		if (doctor_zone_unpinnable(m, &m->zone[i]))
			return true;
	return m->cma_total_kb > 0 || m->cma_free_kb > 0;
}

const struct doctor_zone *doctor_cma_first(const struct doctor_memory *m)
{
	size_t i;

	for (i = 0; i < m->zones; i++)
		if (2 * m->zone[i].free_cma > m->zone[i].free)
			return &m->zone[i];
	return NULL;
}

bool doctor_lands_unpinnable(const struct doctor_memory *m)
{
	bool sure;
	size_t i;

	for (i = 0; i < m->zones; i++)
		if (doctor_zone_movable(&m->zone[i]) && m->zone[i].free)
			return true;
	return doctor_cma_first(m) || (doctor_hidden_kb(m, &sure) && sure);
}

void doctor_free_memory(struct doctor_memory *m)
{
	size_t i;

	for (i = 0; i < m->areas; i++)
		free(m->area[i].name);
	free(m->area);
	free(m->zone);
}
