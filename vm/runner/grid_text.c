// SPDX-License-Identifier: GPL-2.0
/* The table for a terminal. */
#include <stdlib.h>
#include <string.h>

#include "grid.h"

#define NAME_MAX_WIDTH	60

static size_t width_of(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static void pad(struct text *t, const char *s, size_t width)
{
	size_t have = width_of(s);

	text_puts(t, s);
	for (; have < width; have++)
		text_puts(t, " ");
}

static void add_columns(struct text *t, const struct grid *g)
{
	size_t i, name = 0, release = 0;

	for (i = 0; i < g->nr_columns; i++) {
		const struct grid_column *c = &g->columns[i];

		if (width_of(c->name) > name)
			name = width_of(c->name);
		if (width_of(c->runs[0]->release) > release)
			release = width_of(c->runs[0]->release);
	}
	for (i = 0; i < g->nr_columns; i++) {
		const struct grid_column *c = &g->columns[i];

		text_printf(t, "%3zu  ", i + 1);
		pad(t, c->name, name + 2);
		pad(t, c->runs[0]->release, release + 2);
		text_printf(t, "%s  %s  %s: %lu passed, %lu failed, %lu skipped\n",
			    c->runs[0]->accel, c->began, c->outcome,
			    c->counts.passed, c->counts.failed,
			    c->counts.skipped);
	}
}

/* Everything of a cell but its word. */
static char *details(const struct grid *g, size_t row, size_t column)
{
	const struct grid_test *test = g->rows[row].cells[column];
	const char *word = grid_cell_word(grid_cell(g, row, column));
	char *text = grid_cell_text(g, row, column), *rest;

	if (!test) {
		free(text);
		return text_dup("");
	}
	rest = text + strlen(word);
	rest += strspn(rest, ": ");
	rest[strcspn(rest, "\n")] = '\0';
	rest = text_dup(rest);
	free(text);
	return rest;
}

/* Each thing that is said once, with the columns that say it. */
static void add_details(struct text *t, const struct grid *g, size_t row)
{
	char **all = text_alloc(g->nr_columns * sizeof(*all));
	bool first = true, same = true;
	size_t i, k;

	for (i = 0; i < g->nr_columns; i++)
		all[i] = details(g, row, i);
	for (i = 0; i < g->nr_columns; i++)
		for (k = 0; k < i; k++)
			if (g->rows[row].cells[i] && g->rows[row].cells[k])
				same &= !strcmp(all[i], all[k]);
	for (i = 0; i < g->nr_columns; i++) {
		for (k = 0; k < i; k++)
			if (!strcmp(all[i], all[k]))
				break;
		if (k < i || !*all[i])
			continue;
		text_puts(t, first ? "  " : "; ");
		first = false;
		for (k = i; !same && k < g->nr_columns; k++)
			if (!strcmp(all[i], all[k]))
				text_printf(t, "%s%zu", k == i ? "" : ",", k + 1);
		text_printf(t, "%s%s", same ? "" : ": ", all[i]);
	}
	for (i = 0; i < g->nr_columns; i++)
		free(all[i]);
	free(all);
}

static char *line_name(const struct grid_line *l)
{
	return l->count == 1 ? text_dup(l->name) :
	       text_format("%s (%zu)", l->name, l->count);
}

static void add_line(struct text *t, const struct grid *g,
		     const struct grid_line *l, size_t width)
{
	char *name = line_name(l);
	size_t i;

	text_puts(t, g->rows[l->row].differs ? "* " : "  ");
	pad(t, name, width);
	for (i = 0; i < g->nr_columns; i++) {
		const char *word = grid_cell_word(grid_cell(g, l->row, i));

		text_puts(t, "  ");
		pad(t, strcmp(word, "MISSING") ? word : "MISS", 4);
	}
	add_details(t, g, l->row);
	while (t->len && t->s[t->len - 1] == ' ')
		t->s[--t->len] = '\0';
	text_puts(t, "\n");
	free(name);
}

char *grid_text(const struct grid *g)
{
	struct grid_lines lines;
	struct text t = { 0 };
	size_t i, width = 0, differ = 0;
	char *name;

	grid_lines_make(&lines, g);
	add_columns(&t, g);
	for (i = 0; i < lines.count; i++) {
		name = line_name(&lines.all[i]);
		if (width_of(name) > width && width_of(name) <= NAME_MAX_WIDTH)
			width = width_of(name);
		free(name);
	}
	text_puts(&t, "\n  ");
	pad(&t, "", width);
	for (i = 0; i < g->nr_columns; i++)
		text_printf(&t, "  %-4zu", i + 1);
	while (t.s[t.len - 1] == ' ')
		t.s[--t.len] = '\0';
	text_puts(&t, "\n");
	for (i = 0; i < lines.count; i++)
		add_line(&t, g, &lines.all[i], width);
	for (i = 0; i < g->nr_rows; i++)
		differ += g->rows[i].differs;
	text_printf(&t, "%zu rows, %zu of them differ (*)\n", g->nr_rows, differ);
	grid_lines_free(&lines);
	return t.s;
}
