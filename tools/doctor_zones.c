// SPDX-License-Identifier: GPL-2.0
/* Reads /proc/zoneinfo and /proc/pagetypeinfo. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

static struct doctor_zone *zone_of(struct doctor_memory *m, int node,
				   const char *name)
{
	struct doctor_zone *z;
	size_t i;

	for (i = 0; i < m->zones; i++)
		if (m->zone[i].node == node && !strcmp(m->zone[i].name, name))
			return &m->zone[i];
	m->zone = text_grow(m->zone, m->zones, sizeof(*m->zone));
	z = &m->zone[m->zones++];
	memset(z, 0, sizeof(*z));
	z->node = node;
	snprintf(z->name, sizeof(z->name), "%s", name);
	z->cma = DOCTOR_UNKNOWN;
	return z;
}

/* Calls one() for each line, which it may cut. */
static void each_line(const char *s, void (*one)(void *ctx, char *line),
		      void *ctx)
{
	char *copy = text_dup(s), *next = copy, *line;

	while ((line = strsep(&next, "\n")))
		one(ctx, line);
	free(copy);
}

struct zoneinfo {
	struct doctor_memory *m;
	struct doctor_zone *z;
};

static void zoneinfo_line(void *ctx, char *line)
{
	struct zoneinfo *in = ctx;
	char name[16], key[32];
	long long value;
	int node;

	if (sscanf(line, "Node %d, zone %15s", &node, name) == 2) {
		in->z = zone_of(in->m, node, name);
		return;
	}
	if (!in->z)
		return;
	if (sscanf(line, " pages free %lld", &value) == 1) {
		in->z->free = value;
		return;
	}
	/* A CPU's number stands behind a colon; "count:" has one too. */
	if (sscanf(line, " cpu: %lld", &value) == 1) {
		in->z->cpus++;
		return;
	}
	if (sscanf(line, " vm stats threshold: %lld", &value) == 1) {
		if (value > in->z->threshold)
			in->z->threshold = value;
		return;
	}
	if (sscanf(line, " %31s %lld", key, &value) != 2)
		return;
	if (!strcmp(key, "min"))
		in->z->min = value;
	else if (!strcmp(key, "managed"))
		in->z->managed = value;
	else if (!strcmp(key, "cma"))
		in->z->cma = value;
	else if (!strcmp(key, "nr_free_cma"))
		in->z->free_cma = value;
}

void doctor_parse_zoneinfo(struct doctor_memory *m, const char *s)
{
	struct zoneinfo in = { .m = m };

	each_line(s, zoneinfo_line, &in);
}

struct pagetypeinfo {
	struct doctor_memory *m;
	bool counting;
	int column[DOCTOR_TYPES];	/* of this table, in m->type */
	int columns;
};

static int type_of(struct doctor_memory *m, const char *name)
{
	int i;

	for (i = 0; i < m->types; i++)
		if (!strcmp(m->type[i], name))
			return i;
	if (m->types == DOCTOR_TYPES)
		return -1;
	snprintf(m->type[m->types], sizeof(m->type[0]), "%s", name);
	return m->types++;
}

static void block_titles(struct pagetypeinfo *in, const char *s)
{
	char *word;

	in->counting = true;
	in->columns = 0;
	while (in->columns < DOCTOR_TYPES && (word = text_word(&s))) {
		in->column[in->columns++] = type_of(in->m, word);
		free(word);
	}
}

static void block_row(struct pagetypeinfo *in, const char *line)
{
	struct doctor_zone *z;
	char name[16], *end;
	int node, used, i;

	if (sscanf(line, "Node %d, zone %15s %n", &node, name, &used) < 2)
		return;
	z = zone_of(in->m, node, name);
	z->has_blocks = true;
	line += used;
	for (i = 0; i < in->columns; i++) {
		long long n = strtoll(line, &end, 10);

		if (end == line)
			break;
		if (in->column[i] >= 0)
			z->blocks[in->column[i]] += n;
		line = end;
	}
}

static void pagetypeinfo_line(void *ctx, char *line)
{
	static const char titles[] = "Number of blocks type";
	struct pagetypeinfo *in = ctx;
	long long pages;

	if (sscanf(line, "Pages per block: %lld", &pages) == 1)
		in->m->block_pages = pages;
	else if (text_starts(line, titles))
		block_titles(in, line + strlen(titles));
	else if (!text_starts(line, "Node"))
		in->counting = false;
	else if (in->counting)
		block_row(in, line);
}

void doctor_parse_pagetypeinfo(struct doctor_memory *m, const char *s)
{
	struct pagetypeinfo in = { .m = m };

	each_line(s, pagetypeinfo_line, &in);
}
