// SPDX-License-Identifier: GPL-2.0
/*
 * The picture: a panel for each zone, a cell for each pageblock or for several.
 * A row begins at a multiple of its own size, so that what lies below each other is
 * as far apart everywhere; rows without memory are left out.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../selftests/lib/device.h"
#include "map.h"
#include "map_style.h"

#define COLUMNS		64
#define CELL		12
#define STEP		13
#define LEFT		112
#define WIDTH		(LEFT + COLUMNS * STEP + 16)
#define LINE		18
#define CELLS_MAX	16384
#define TYPES		7	/* the last: not known */

struct cell {
	uint32_t blocks;
	uint32_t type[TYPES];
	uint32_t in_area;
	uint64_t ram, process, held, stuck;
	int area;
};

struct panel {
	int node;
	uint8_t zone;
};

struct drawing {
	const struct map *m;
	struct text *out;
	uint64_t per_cell;
	struct cell row[COLUMNS];
	int y;
};

static const char *const classes[TYPES] = {
	"unmovable", "movable", "reclaimable", "highatomic", "cma", "isolate",
	"unknown",
};

/* Of the kernel and of users: nothing that XML would take for itself. */
static void add_escaped(struct text *t, const char *s)
{
	char *safe = text_printable(s, strlen(s));
	const char *at;

	for (at = safe; *at; at++) {
		if (*at == '&')
			text_puts(t, "&amp;");
		else if (*at == '<')
			text_puts(t, "&lt;");
		else if (*at == '>')
			text_puts(t, "&gt;");
		else
			text_add(t, at, 1);
	}
	free(safe);
}

static void words(struct drawing *d, const char *class, int x, const char *s)
{
	text_printf(d->out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x,
		    d->y);
	add_escaped(d->out, s);
	text_puts(d->out, "</text>\n");
}

static void line_of(struct drawing *d, const char *class, char *s)
{
	words(d, class, 16, s);
	d->y += LINE;
	free(s);
}

static int type_of(const struct map_block *b)
{
	return b->migratetype < TYPES - 1 ? b->migratetype : TYPES - 1;
}

static void add_to_cell(struct cell *c, const struct map_block *b)
{
	c->blocks++;
	c->type[type_of(b)]++;
	c->in_area += b->area >= 0;
	if (b->area >= 0)
		c->area = b->area;
	c->ram += b->ram;
	c->process += b->process;
	c->held += b->held;
	c->stuck += b->stuck;
}

/* The type of most of its blocks. */
static int main_type(const struct cell *c)
{
	int i, most = 0;

	for (i = 1; i < TYPES; i++)
		if (c->type[i] > c->type[most])
			most = i;
	return most;
}

static void square(struct drawing *d, int column)
{
	text_printf(d->out, "M%d %dh%dv%dh-%dz", LEFT + column * STEP, d->y,
		    CELL, CELL, CELL);
}

static void squares(struct drawing *d, int type, uint64_t start)
{
	int i, nr = 0;

	for (i = 0; i < COLUMNS; i++)
		nr += d->row[i].blocks && main_type(&d->row[i]) == type;
	if (!nr)
		return;
	text_printf(d->out, "<path class=\"%s\" d=\"", classes[type]);
	for (i = 0; i < COLUMNS; i++)
		if (d->row[i].blocks && main_type(&d->row[i]) == type)
			square(d, i);
	text_printf(d->out, "\"><title>%s, row of 0x%" PRIx64 "</title></path>\n",
		    classes[type], start * d->m->page_size);
}

/* Around those that are of a registered area. */
static void frames(struct drawing *d)
{
	int i, from;

	for (i = 0; i < COLUMNS; i++) {
		if (!d->row[i].in_area)
			continue;
		for (from = i; i + 1 < COLUMNS && d->row[i + 1].in_area &&
		     d->row[i + 1].area == d->row[from].area; i++)
			;
		text_printf(d->out, "<rect class=\"area\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"><title>CMA area ",
			    LEFT + from * STEP - 1, d->y - 1,
			    (i - from + 1) * STEP + 1, STEP + 1);
		add_escaped(d->out, d->m->area[d->row[from].area].name);
		text_puts(d->out, "</title></rect>\n");
	}
}

/* A bar as high as the process fills the cell, and a mark for holders. */
static void contents(struct drawing *d, int column, uint64_t start)
{
	uint64_t span = d->per_cell * d->m->block_pages;
	const struct cell *c = &d->row[column];
	int x = LEFT + column * STEP, height;

	height = c->process >= c->ram ? CELL : 3 + (CELL - 3) * c->process / c->ram;
	text_printf(d->out, "<g><title>PFN 0x%" PRIx64 " to 0x%" PRIx64 ", %s: %" PRIu64 " of %" PRIu64 " pages are the process's",
		    start + column * span, start + (column + 1) * span - 1,
		    classes[main_type(c)], c->process, c->ram);
	if (d->m->holds_seen)
		text_printf(d->out, ", %" PRIu64 " held, %" PRIu64 " of them must move",
			    c->held, c->stuck);
	text_printf(d->out, "</title><rect class=\"process\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>",
		    x + 1, d->y + CELL - height, CELL - 2, height);
	if (c->stuck)
		text_printf(d->out, "<path class=\"stuck\" d=\"M%d %dl%d %dm0 -%dl-%d %d\"/>",
			    x, d->y, CELL, CELL, CELL, CELL, CELL);
	else if (c->held)
		text_printf(d->out, "<circle class=\"held\" cx=\"%d\" cy=\"%d\" r=\"3\"/>",
			    x + CELL - 3, d->y + 3);
	text_puts(d->out, "</g>\n");
}

static void draw_row(struct drawing *d, uint64_t row)
{
	uint64_t start = row * COLUMNS * d->per_cell * d->m->block_pages;
	char label[24];
	int i;

	snprintf(label, sizeof(label), "0x%09" PRIx64, start * d->m->page_size);
	d->y += 10;
	words(d, "row", LEFT - 8, label);
	d->y -= 10;
	for (i = 0; i < TYPES; i++)
		squares(d, i, start);
	frames(d);
	for (i = 0; i < COLUMNS; i++)
		if (d->row[i].process)
			contents(d, i, start);
	d->y += STEP;
	memset(d->row, 0, sizeof(d->row));
}

static void panel_title(struct drawing *d, const struct panel *p)
{
	const struct map *m = d->m;
	uint64_t blocks = 0, pages = 0;
	struct text t = { 0 };
	size_t i;

	for (i = 0; i < m->blocks; i++) {
		if (m->block[i].node != p->node || m->block[i].zone != p->zone)
			continue;
		blocks++;
		pages += m->block[i].ram;
	}
	if (p->node >= 0)
		text_printf(&t, "node %d, ", p->node);
	text_printf(&t, "zone %s: %" PRIu64 " MiB, %" PRIu64 " pageblocks%s",
		    zone_name(p->zone), pages * m->page_size >> 20, blocks,
		    p->zone == PINPROBE_ZONE_MOVABLE ?
		    "; a long-term pin keeps no page here" : "");
	d->y += 26;
	line_of(d, "panel", t.s);
	d->y -= 8;
}

static void draw_panel(struct drawing *d, const struct panel *p)
{
	uint64_t span = d->per_cell * d->m->block_pages, row = 0, cell, last = 0;
	const struct map_block *b;
	bool any = false;

	panel_title(d, p);
	for (b = d->m->block; b < d->m->block + d->m->blocks; b++) {
		if (b->node != p->node || b->zone != p->zone)
			continue;
		cell = b->pfn / span;
		row = cell / COLUMNS;
		if (any && row != last)
			draw_row(d, last);
		last = row;
		any = true;
		add_to_cell(&d->row[cell % COLUMNS], b);
	}
	draw_row(d, last);
}

/* In the order in which they begin. */
static void panels(struct drawing *d)
{
	struct panel *done = NULL;
	size_t nr = 0, i, k;

	for (i = 0; i < d->m->blocks; i++) {
		const struct map_block *b = &d->m->block[i];

		for (k = 0; k < nr; k++)
			if (done[k].node == b->node && done[k].zone == b->zone)
				break;
		if (k < nr)
			continue;
		done = text_grow(done, nr, sizeof(*done));
		done[nr] = (struct panel) { b->node, b->zone };
		draw_panel(d, &done[nr++]);
	}
	free(done);
}

static void swatch(struct drawing *d, int *x, const char *shape, char *s)
{
	if (*x + 24 + 7 * (int)strlen(s) > WIDTH) {
		*x = 16;
		d->y += LINE;
	}
	text_printf(d->out, "<g transform=\"translate(%d %d)\">%s</g>", *x,
		    d->y - 10, shape);
	words(d, "legend", *x + 18, s);
	*x += 40 + 7 * strlen(s);
	free(s);
}

static void legend(struct drawing *d)
{
	const struct map *m = d->m;
	struct map_sum sum;
	char shape[96];
	uint64_t nr;
	int i, x = 16;

	map_sum(m, &sum);
	for (i = 0; i < TYPES; i++) {
		nr = i < TYPES - 1 ? sum.by_type[i] : sum.unknown_type;
		if (!nr)
			continue;
		snprintf(shape, sizeof(shape), "<path class=\"%s\" d=\"M0 0h12v12h-12z\"/>",
			 classes[i]);
		swatch(d, &x, shape, text_format("%s: %" PRIu64, i < TYPES - 1 ?
			classes[i] : "type not known", nr));
	}
	if (m->areas)
		swatch(d, &x, "<rect class=\"area\" width=\"13\" height=\"13\"/>",
		       text_format("registered CMA area"));
	if (m->pages_seen)
		swatch(d, &x, "<rect class=\"process\" x=\"2\" y=\"4\" width=\"8\" height=\"8\"/>",
		       text_format("of the process: %" PRIu64 " pages", sum.process));
	if (m->holds_seen) {
		swatch(d, &x, "<circle class=\"held\" cx=\"6\" cy=\"6\" r=\"3\"/>",
		       text_format("held: %" PRIu64, sum.held));
		swatch(d, &x, "<path class=\"stuck\" d=\"M0 0l12 12m0 -12l-12 12\"/>",
		       text_format("held and must move: %" PRIu64, sum.stuck));
	}
	d->y += LINE;
	if (m->pages_seen && !m->holds_seen)
		line_of(d, "note", text_dup("Who holds pages is not seen: that takes the module pinprobe.ko."));
	if (sum.unknown_type)
		line_of(d, "note", text_dup("The type of a pageblock is read by BPF, as root and where the kernel has BTF; otherwise it is known where a registered CMA area lies."));
}

static void unread(struct drawing *d)
{
	const struct map *m = d->m;
	size_t i;

	for (i = 0; i < m->notes; i++)
		if (m->note[i].state)
			line_of(d, "note", text_format("%s %s: %s", m->note[i].source,
				source_why(m->note[i].state), m->note[i].tells));
}

static void heading(struct drawing *d)
{
	const struct map *m = d->m;
	struct text t = { 0 };

	text_puts(&t, "Physical memory by pageblock");
	if (m->release)
		text_printf(&t, ", Linux %s", m->release);
	if (m->pid)
		text_printf(&t, ", process %d%s%s%s", m->pid, m->comm ? " (" : "",
			    m->comm ? m->comm : "", m->comm ? ")" : "");
	d->y = 28;
	line_of(d, "title", t.s);
	line_of(d, "note", text_format("A pageblock is %" PRIu64 " KiB (%s); a cell is %" PRIu64 " of them, a row %" PRIu64 " MiB.",
		m->block_pages * m->page_size >> 10, m->block_from, d->per_cell,
		COLUMNS * d->per_cell * m->block_pages * m->page_size >> 20));
	d->y += 4;
}

static uint64_t enough(uint64_t blocks)
{
	uint64_t per_cell = 1;

	while (blocks / per_cell > CELLS_MAX)
		per_cell *= 2;
	return per_cell;
}

void map_svg(const struct map *m, uint64_t per_cell, struct text *out)
{
	struct text body = { 0 };
	struct drawing d = {
		.m = m, .out = &body,
		.per_cell = per_cell ? per_cell : enough(m->blocks),
	};

	heading(&d);
	legend(&d);
	unread(&d);
	panels(&d);
	text_printf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n<style>" MAP_STYLE "</style>\n<rect class=\"ground\" width=\"100%%\" height=\"100%%\"/>\n",
		    WIDTH, d.y + 16, WIDTH, d.y + 16);
	text_add(out, body.s, body.len);
	text_puts(out, "</svg>\n");
	text_free(&body);
}
