// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "placement.h"
#include "text.h"

#define SERIES_WIDTH	43

/* Pads by characters: labels are UTF-8. */
static void pad(struct text *t, const char *s, size_t width)
{
	size_t have = 0;
	const char *p;

	text_puts(t, s);
	for (p = s; *p; p++)
		have += ((unsigned char)*p & 0xc0) != 0x80;
	for (; have < width; have++)
		text_puts(t, " ");
}

static void percent(struct text *t, double value, bool known, int width)
{
	if (known)
		text_printf(t, "%*.0f %%", width - 2, value);
	else
		text_printf(t, "%*s", width, "-");
}

static void head(struct text *t, const struct placement *p)
{
	size_t i;

	text_printf(t, "profile %s: percent of the pages faulted in by each step that lie in %s\n",
		    p->profile, placement_class(p));
	text_puts(t, "          ");
	for (i = 0; i < p->count; i++) {
		text_puts(t, " | ");
		pad(t, p->series[i].label,
		    i + 1 < p->count ? SERIES_WIDTH : 0);
	}
	text_puts(t, "\n touched  ");
	for (i = 0; i < p->count; i++)
		text_printf(t, " | %8s %10s %9s %13s", p->movable ? "in zone" :
			    "in CMA", "MemFree", p->movable ? "its free" :
			    "CmaFree", p->movable ? "of all free" :
			    "of zone free");
	text_puts(t, "\n");
}

static void cells(struct text *t, const struct placement *p, size_t i,
		  size_t row)
{
	const struct placement_series *s = &p->series[i];
	const struct placement_step *step = &s->steps[row];
	double share;

	text_puts(t, " |");
	if (row >= s->count) {
		pad(t, "", i + 1 < p->count ? SERIES_WIDTH + 1 : 0);
		return;
	}
	text_puts(t, " ");
	percent(t, step->pages ? placement_share(p, step) : 0, step->pages, 8);
	text_printf(t, " %6lld MiB %5lld MiB ", step->mem_free_kb / 1024,
		    (p->movable ? step->class_free_kb : step->cma_free_kb) / 1024);
	share = placement_free_share(step);
	percent(t, share, share >= 0, 13);
}

/* Series of one profile step alike; the longest says how far it went. */
static const struct placement_series *longest(const struct placement *p)
{
	const struct placement_series *most = &p->series[0];
	size_t i;

	for (i = 1; i < p->count; i++)
		if (p->series[i].count > most->count)
			most = &p->series[i];
	return most;
}

static void say_half(struct text *t, const struct placement *p,
		 const struct placement_series *s)
{
	size_t at = placement_half(p, s);

	if (at)
		text_printf(t, "%s: free CMA down to half of its zones' free memory at %lld MiB\n",
			    s->label, s->steps[at].touched_kb / 1024);
}

char *placement_table(const struct placement *p)
{
	const struct placement_series *most = longest(p);
	struct text t = { 0 };
	size_t i, row;

	head(&t, p);
	for (row = 0; row < most->count; row++) {
		text_printf(&t, "%5lld MiB ", most->steps[row].touched_kb / 1024);
		for (i = 0; i < p->count; i++)
			cells(&t, p, i, row);
		text_puts(&t, "\n");
	}
	for (i = 0; i < p->count; i++)
		say_half(&t, p, &p->series[i]);
	return t.s;
}
