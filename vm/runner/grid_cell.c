// SPDX-License-Identifier: GPL-2.0
/* What a cell says, and which rows are shown as one. */
#include <stdlib.h>
#include <string.h>

#include "grid.h"

const char *grid_cell_word(enum cell c)
{
	static const char * const words[] = {
		[CELL_NOT_RUN] = "-",
		[CELL_MISSING] = "MISSING",
		[CELL_PASSED] = "ok",
		[CELL_SKIPPED] = "skip",
		[CELL_FAILED] = "FAIL",
	};

	return words[c];
}

static void add_cases(struct text *t, const struct grid_test *test)
{
	if (test && test->cases)
		text_printf(t, " %s", test->cases);
}

/* The words behind the reason's name may hold addresses and numbers. */
char *grid_cell_key(const struct grid *g, size_t row, size_t column)
{
	const struct grid_test *test = g->rows[row].cells[column];
	enum cell c = grid_cell(g, row, column);
	struct text t = { 0 };

	text_puts(&t, grid_cell_word(c));
	if (c == CELL_SKIPPED && test->reason)
		text_printf(&t, " %.*s", (int)strcspn(test->reason, ": \t\n"),
			    test->reason);
	add_cases(&t, test);
	return t.s;
}

char *grid_cell_text(const struct grid *g, size_t row, size_t column)
{
	const struct grid_test *test = g->rows[row].cells[column];
	struct text t = { 0 };

	text_puts(&t, grid_cell_word(grid_cell(g, row, column)));
	add_cases(&t, test);
	if (test && test->status != STATUS_PASSED && test->reason)
		text_printf(&t, ": %s", test->reason);
	return t.s;
}

static void line_add(struct grid_lines *l, char *name, size_t row,
		     size_t count)
{
	struct grid_line *new;

	l->all = text_grow(l->all, l->count, sizeof(*new));
	new = &l->all[l->count++];
	new->name = name;
	new->row = row;
	new->count = count;
}

static bool same_cells(const struct grid *g, size_t a, size_t b)
{
	bool same = true;
	char *x, *y;
	size_t i;

	for (i = 0; same && i < g->nr_columns; i++) {
		x = grid_cell_key(g, a, i);
		y = grid_cell_key(g, b, i);
		same = !strcmp(x, y);
		free(x);
		free(y);
	}
	return same;
}

static bool worth_a_line(const struct grid *g, size_t row)
{
	size_t i;

	for (i = 0; i < g->nr_columns; i++) {
		enum cell c = grid_cell(g, row, i);

		if (c == CELL_FAILED || c == CELL_MISSING)
			return true;
	}
	return false;
}

static bool all_alike(const struct grid *g, size_t from, size_t to)
{
	size_t i;

	for (i = from; i < to; i++)
		if (worth_a_line(g, i) || !same_cells(g, from, i))
			return false;
	return true;
}

/* Where the first depth parts of a dotted name end. */
static size_t prefix_length(const char *name, unsigned int depth)
{
	size_t len = 0;

	while (depth--) {
		len += strcspn(name + len, ".");
		if (!name[len])
			break;
		if (depth)
			len++;
	}
	return len;
}

static bool same_prefix(const char *a, const char *b, size_t len)
{
	return !strncmp(a, b, len) && (!b[len] || b[len] == '.');
}

static void lines_split(struct grid_lines *l, const struct grid *g,
			size_t from, size_t to, unsigned int depth)
{
	size_t i, end, len;

	for (i = from; i < to; i = end) {
		len = prefix_length(g->rows[i].name, depth);
		for (end = i + 1; end < to; end++)
			if (!same_prefix(g->rows[i].name, g->rows[end].name,
					 len))
				break;
		if (end - i == 1 || !g->rows[i].name[len])
			end = i + 1;
		if (end - i == 1)
			line_add(l, text_dup(g->rows[i].name), i, 1);
		else if (all_alike(g, i, end))
			line_add(l, text_format("%.*s.*", (int)len,
						g->rows[i].name), i, end - i);
		else
			lines_split(l, g, i, end, depth + 1);
	}
}

void grid_lines_make(struct grid_lines *l, const struct grid *g)
{
	memset(l, 0, sizeof(*l));
	lines_split(l, g, 0, g->nr_rows, 1);
}

void grid_lines_free(struct grid_lines *l)
{
	size_t i;

	for (i = 0; i < l->count; i++)
		free(l->all[i].name);
	free(l->all);
	memset(l, 0, sizeof(*l));
}
