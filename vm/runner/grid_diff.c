// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "grid_diff.h"

/* Amounts that no two boots share, or that the kernel's size decides. */
static const char * const shown_only[] = {
	"mem_kb", "cma_free_kb", "cmdline", "movable_pages", NULL
};

static const char * const not_shown[] = { "uptime_s", "release", NULL };

static bool listed(const char * const *list, const char *s)
{
	while (*list && strcmp(*list, s))
		list++;
	return *list;
}

static void diff_line(struct grid_diff *d, char mark, const char *what,
		      const char *a, const char *b)
{
	text_printf(&d->text, "%c %-44s  %-32s  %s\n", mark, what, a, b);
}

static const char *fact_of(const struct grid_column *c, const char *key)
{
	const char *value = NULL;
	size_t i;

	for (i = 0; i < c->count && !value; i++)
		value = facts_get(&c->runs[i]->facts, key);
	return value ? value : "(not said)";
}

static void diff_fact(struct grid_diff *d, const char *key,
		      const struct grid_column *a, const struct grid_column *b)
{
	const char *x = fact_of(a, key), *y = fact_of(b, key);
	bool counts = !listed(shown_only, key);

	if (listed(not_shown, key) || !strcmp(x, y))
		return;
	d->different += counts;
	diff_line(d, counts ? '*' : ' ', key, x, y);
}

static void diff_facts(struct grid_diff *d, const struct grid_column *a,
		       const struct grid_column *b)
{
	const struct facts *x = &a->runs[0]->facts, *y = &b->runs[0]->facts;
	size_t i;

	for (i = 0; i < x->count; i++)
		diff_fact(d, x->all[i].key, a, b);
	for (i = 0; i < y->count; i++)
		if (!facts_get(x, y->all[i].key))
			diff_fact(d, y->all[i].key, a, b);
}

static void diff_head(struct grid_diff *d, const struct grid_column *a,
		      const struct grid_column *b)
{
	const struct grid_run *x = a->runs[0], *y = b->runs[0];

	diff_line(d, ' ', "", a->name, b->name);
	diff_line(d, ' ', "release", x->release, y->release);
	if (strcmp(x->note, y->note))
		diff_line(d, ' ', "note", x->note, y->note);
	diff_line(d, ' ', "accelerator", x->accel, y->accel);
	diff_line(d, ' ', "began", a->began, b->began);
	if (a->rank != b->rank)
		d->different++;
	diff_line(d, a->rank == b->rank ? ' ' : '*', "outcome", a->outcome,
		  b->outcome);
}

static const struct grid_row *row_named(const struct grid *g, const char *name)
{
	size_t i;

	for (i = 0; i < g->nr_rows; i++)
		if (!strcmp(g->rows[i].name, name))
			return &g->rows[i];
	return NULL;
}

/* A program that only one of them ran says nothing about the other. */
static bool runs_program(const struct grid *g, size_t column, const char *name)
{
	size_t len = strcspn(name, "."), i;

	for (i = 0; i < g->nr_rows; i++)
		if (g->rows[i].cells[column] &&
		    strcspn(g->rows[i].name, ".") == len &&
		    !strncmp(g->rows[i].name, name, len))
			return true;
	return false;
}

static char *text_of(const struct grid *g, const struct grid_row *row,
		     size_t column, bool key)
{
	size_t i = row ? row - g->rows : 0;

	if (!row || !row->cells[column])
		return text_dup("(no such row)");
	return key ? grid_cell_key(g, i, column) : grid_cell_text(g, i, column);
}

static void diff_row(struct grid_diff *d, const char *name,
		     const struct grid *ga, size_t a, const struct grid *gb,
		     size_t b)
{
	const struct grid_row *x = row_named(ga, name), *y = row_named(gb, name);
	char *xs = text_of(ga, x, a, true), *ys = text_of(gb, y, b, true);

	d->rows++;
	if (strcmp(xs, ys)) {
		free(xs);
		free(ys);
		xs = text_of(ga, x, a, false);
		ys = text_of(gb, y, b, false);
		d->different++;
		diff_line(d, '*', name, xs, ys);
	}
	free(xs);
	free(ys);
}

static void only_in(struct grid_diff *d, const struct grid *ga, size_t a,
		    const struct grid *gb, size_t b)
{
	size_t i, len, last = 0;
	const char *name;

	for (i = 0; i < ga->nr_rows; i++) {
		name = ga->rows[i].name;
		len = strcspn(name, ".");
		if (!ga->rows[i].cells[a] || runs_program(gb, b, name) ||
		    (last && !strncmp(ga->rows[last - 1].name, name, len + 1)))
			continue;
		last = i + 1;
		text_printf(&d->text, "  only %s ran %.*s\n",
			    ga->columns[a].name, (int)len, name);
	}
}

void grid_diff(struct grid_diff *d, const struct grid *ga, size_t a,
	       const struct grid *gb, size_t b)
{
	const char *name;
	size_t i;

	diff_head(d, &ga->columns[a], &gb->columns[b]);
	diff_facts(d, &ga->columns[a], &gb->columns[b]);
	for (i = 0; i < ga->nr_rows; i++) {
		name = ga->rows[i].name;
		if (ga->rows[i].cells[a] && runs_program(gb, b, name))
			diff_row(d, name, ga, a, gb, b);
	}
	for (i = 0; i < gb->nr_rows; i++) {
		const struct grid_row *row = row_named(ga, gb->rows[i].name);

		name = gb->rows[i].name;
		if (gb->rows[i].cells[b] && (!row || !row->cells[a]) &&
		    runs_program(ga, a, name))
			diff_row(d, name, ga, a, gb, b);
	}
	only_in(d, ga, a, gb, b);
	only_in(d, gb, b, ga, a);
}
