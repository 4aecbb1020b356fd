// SPDX-License-Identifier: GPL-2.0
/*
 * Two panels over the same axis of memory faulted in: where the pages of each
 * step went, and what was left free.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/xmlwriter.h>

#include "chart.h"
#include "text.h"

#define WIDTH		860
#define LEFT		78
#define RIGHT		24
#define LEGEND		70
#define LEGEND_ROW	20
#define PANEL_HEIGHT	200
#define PANEL_GAP	56
#define FOOT		64
#define TICKS_MAX	9

struct panel {
	double top;
	double bottom;
	double max;		/* at the top; 0 at the bottom */
};

struct chart {
	xmlTextWriterPtr w;
	const struct placement *p;
	double max_mib;		/* at the right end */
	struct panel share;
	struct panel free;
	double height;
};

/* Told apart without colour vision, and by width where lines coincide. */
static const char * const colours[] = {
	"#0072b2", "#d55e00", "#009e73", "#cc79a7",
};

static const char * const widths[] = { "3.6", "1.6", "1.3", "1" };

static const char *pick(const char * const *list, size_t i)
{
	return list[i % ARRAY_SIZE(colours)];
}

static void attribute(struct chart *c, const char *name, const char *value)
{
	xmlTextWriterWriteAttribute(c->w, BAD_CAST name, BAD_CAST value);
}

static void number(struct chart *c, const char *name, double value)
{
	xmlTextWriterWriteFormatAttribute(c->w, BAD_CAST name, "%.1f", value);
}

static void start(struct chart *c, const char *name, const char *class)
{
	xmlTextWriterStartElement(c->w, BAD_CAST name);
	if (class)
		attribute(c, "class", class);
}

static void end(struct chart *c)
{
	xmlTextWriterEndElement(c->w);
}

static void line(struct chart *c, const char *class, double x1, double y1,
		 double x2, double y2)
{
	start(c, "line", class);
	number(c, "x1", x1);
	number(c, "y1", y1);
	number(c, "x2", x2);
	number(c, "y2", y2);
}

static void words(struct chart *c, const char *class, double x, double y,
		  const char *s)
{
	start(c, "text", class);
	number(c, "x", x);
	number(c, "y", y);
	xmlTextWriterWriteString(c->w, BAD_CAST s);
	end(c);
}

static double x_of(const struct chart *c, long long kb)
{
	return LEFT + (WIDTH - LEFT - RIGHT) * (kb / 1024.0) / c->max_mib;
}

static double y_of(const struct panel *panel, double value)
{
	return panel->bottom -
	       (panel->bottom - panel->top) * value / panel->max;
}

/* Powers of two: memory is counted in them. */
static double tick_mib(double max)
{
	double step = 1;

	while (max / step > TICKS_MAX)
		step *= 2;
	return step;
}

static void frame(struct chart *c, const struct panel *panel, double step,
		  const char *unit, const char *title)
{
	double value, y;
	char *label;

	words(c, "panel", LEFT, panel->top - 10, title);
	for (value = 0; value <= panel->max + step / 100; value += step) {
		y = y_of(panel, value);
		line(c, value ? "grid" : "axis", LEFT, y, WIDTH - RIGHT, y);
		end(c);
		label = text_format("%.0f%s", value, unit);
		words(c, "end", LEFT - 8, y + 4, label);
		free(label);
	}
	line(c, "axis", LEFT, panel->top, LEFT, panel->bottom);
	end(c);
}

static void x_axis(struct chart *c)
{
	double step = tick_mib(c->max_mib), mib, x;
	char *label;

	for (mib = 0; mib <= c->max_mib; mib += step) {
		x = x_of(c, mib * 1024);
		line(c, "axis", x, c->free.bottom, x, c->free.bottom + 5);
		end(c);
		line(c, "axis", x, c->share.bottom, x, c->share.bottom + 5);
		end(c);
		label = text_format("%.0f", mib);
		words(c, "middle", x, c->free.bottom + 19, label);
		free(label);
	}
	words(c, "middle", (LEFT + WIDTH - RIGHT) / 2.0, c->free.bottom + 40,
	      "memory faulted in, MiB");
}

static void path(struct chart *c, size_t series, const char *class,
		 const char *points)
{
	start(c, "polyline", class);
	attribute(c, "stroke", pick(colours, series));
	attribute(c, "stroke-width", pick(widths, series));
	attribute(c, "points", points);
	end(c);
}

/* A step has one share over its whole width: stairs, no slopes. */
static void draw_share(struct chart *c, size_t i)
{
	const struct placement_series *s = &c->p->series[i];
	struct text points = { 0 };
	size_t k;
	double y;

	for (k = 1; k < s->count; k++) {
		y = y_of(&c->share, placement_share(c->p, &s->steps[k]));
		text_printf(&points, "%s%.1f,%.1f %.1f,%.1f", k > 1 ? " " : "",
			    x_of(c, s->steps[k - 1].touched_kb), y,
			    x_of(c, s->steps[k].touched_kb), y);
	}
	path(c, i, "share", points.s);
	text_free(&points);
}

static long long free_kb(const struct placement *p,
			 const struct placement_step *step, bool class)
{
	if (!class)
		return step->mem_free_kb;
	return p->movable ? step->class_free_kb : step->cma_free_kb;
}

static void draw_free(struct chart *c, size_t i, bool class)
{
	const struct placement_series *s = &c->p->series[i];
	struct text points = { 0 };
	size_t k;

	for (k = 0; k < s->count; k++)
		text_printf(&points, "%s%.1f,%.1f", k ? " " : "",
			    x_of(c, s->steps[k].touched_kb),
			    y_of(&c->free, free_kb(c->p, &s->steps[k], class) /
				 1024.0));
	path(c, i, class ? "class" : "free", points.s);
	text_free(&points);
}

static void draw_half(struct chart *c, size_t i)
{
	const struct placement_series *s = &c->p->series[i];
	size_t at = placement_half(c->p, s);
	double x;

	if (!at)
		return;
	x = x_of(c, s->steps[at].touched_kb);
	line(c, "half", x, c->share.top, x, c->share.bottom);
	attribute(c, "stroke", pick(colours, i));
	end(c);
	line(c, "half", x, c->free.top, x, c->free.bottom);
	attribute(c, "stroke", pick(colours, i));
	end(c);
}

static void sample(struct chart *c, double x, double y, const char *class,
		   const char *colour, const char *width, const char *s)
{
	line(c, class, x, y, x + 34, y);
	attribute(c, "stroke", colour);
	attribute(c, "stroke-width", width);
	end(c);
	words(c, NULL, x + 42, y + 4, s);
}

static void legend(struct chart *c)
{
	const char *half = "free CMA is down to half of its zones' free memory";
	double y = LEGEND;
	size_t i;

	for (i = 0; i < c->p->count; i++, y += LEGEND_ROW)
		sample(c, LEFT, y, "share", pick(colours, i), pick(widths, i),
		       c->p->series[i].label);
	for (i = 0; i < c->p->count; i++)
		if (placement_half(c->p, &c->p->series[i]))
			break;
	if (i < c->p->count)
		sample(c, LEFT + 400, LEGEND, "half", "#444444", "1.4", half);
	y = c->free.top - 14;
	sample(c, WIDTH - 330, y, "free", "#444444", "1.8", "MemFree");
	sample(c, WIDTH - 200, y, "class", "#444444", "1.8",
	       c->p->movable ? "free in ZONE_MOVABLE" : "CmaFree");
}

static void measure(struct chart *c)
{
	double most = 1, mib;
	size_t i, k;

	c->max_mib = 1;
	for (i = 0; i < c->p->count; i++) {
		const struct placement_series *s = &c->p->series[i];

		mib = s->steps[s->count - 1].touched_kb / 1024.0;
		if (mib > c->max_mib)
			c->max_mib = mib;
		for (k = 0; k < s->count; k++) {
			mib = s->steps[k].mem_free_kb / 1024.0;
			if (mib > most)
				most = mib;
		}
	}
	c->share.top = LEGEND + LEGEND_ROW * c->p->count + 26;
	c->share.bottom = c->share.top + PANEL_HEIGHT;
	c->share.max = 100;
	c->free.top = c->share.bottom + PANEL_GAP;
	c->free.bottom = c->free.top + PANEL_HEIGHT;
	c->free.max = tick_mib(most) * (int)(most / tick_mib(most) + 0.999);
	c->height = c->free.bottom + FOOT;
}

static void style(struct chart *c)
{
	static const char * const rules[] = {
		"text{font:12px sans-serif;fill:#222}",
		".title{font-size:16px;font-weight:bold}",
		".panel{font-weight:bold}",
		".middle{text-anchor:middle}.end{text-anchor:end}",
		".axis{stroke:#222}.grid{stroke:#ddd}",
		".half{stroke-width:1.4;stroke-dasharray:2 4}",
		".share,.free,.class{fill:none}",
		".class{stroke-dasharray:7 4}",
	};
	size_t i;

	start(c, "style", NULL);
	for (i = 0; i < ARRAY_SIZE(rules); i++)
		xmlTextWriterWriteString(c->w, BAD_CAST rules[i]);
	end(c);
}

static void draw(struct chart *c)
{
	const char *class = placement_class(c->p);
	char *title = text_format("Where movable memory goes as profile %s fills up",
				  c->p->profile);
	char *share = text_format("pages of each step that lie in %s", class);
	size_t i;

	start(c, "rect", NULL);
	attribute(c, "width", "100%");
	attribute(c, "height", "100%");
	attribute(c, "fill", "#ffffff");
	end(c);
	words(c, "title", LEFT, 32, title);
	frame(c, &c->share, 25, " %", share);
	frame(c, &c->free, tick_mib(c->free.max), "", "free memory, MiB");
	x_axis(c);
	legend(c);
	for (i = 0; i < c->p->count; i++) {
		draw_half(c, i);
		draw_share(c, i);
		draw_free(c, i, false);
		draw_free(c, i, true);
	}
	free(title);
	free(share);
}

char *chart_svg(const struct placement *p)
{
	xmlBufferPtr buffer = xmlBufferCreate();
	struct chart c = {
		.w = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL,
		.p = p,
	};
	char *svg = NULL;

	if (!c.w)
		return NULL;
	measure(&c);
	xmlTextWriterSetIndent(c.w, 1);
	xmlTextWriterStartDocument(c.w, NULL, "UTF-8", NULL);
	start(&c, "svg", NULL);
	attribute(&c, "xmlns", "http://www.w3.org/2000/svg");
	number(&c, "width", WIDTH);
	number(&c, "height", c.height);
	xmlTextWriterWriteFormatAttribute(c.w, BAD_CAST "viewBox", "0 0 %d %.0f",
					  WIDTH, c.height);
	style(&c);
	draw(&c);
	end(&c);
	xmlTextWriterEndDocument(c.w);
	xmlFreeTextWriter(c.w);
	svg = text_dup((const char *)xmlBufferContent(buffer));
	xmlBufferFree(buffer);
	xmlCleanupParser();
	return svg;
}
