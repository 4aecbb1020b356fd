// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "text.h"

static size_t program_length(const char *name)
{
	return strcspn(name, ".");
}

bool grid_row_is_check(const char *name)
{
	static const char * const checks[] = {
		"completed", "console_clean", "records", "protocol",
		"pins_balanced", "end", "missing", "result",
	};
	const char *last = strchr(name, '.');
	size_t i;

	for (i = 0; last && i < ARRAY_SIZE(checks); i++)
		if (!strcmp(last + 1, checks[i]))
			return true;
	return false;
}

bool grid_row_is_of_guest(const char *name)
{
	return text_starts(name, "leaks.");
}

static bool same_guest(const struct grid_run *a, const struct grid_run *b)
{
	return !strcmp(a->kernel, b->kernel) &&
	       !strcmp(a->profile, b->profile) &&
	       !strcmp(a->release, b->release) && !strcmp(a->note, b->note);
}

static bool runs_overlap(const struct grid_run *a, const struct grid_run *b)
{
	size_t i;

	for (i = 0; i < a->count; i++)
		if (!grid_row_is_of_guest(a->tests[i].name) &&
		    grid_run_find(b, a->tests[i].name))
			return true;
	return false;
}

static bool column_takes(const struct grid_column *c, const struct grid_run *r)
{
	size_t i;

	for (i = 0; i < c->count; i++)
		if (!same_guest(c->runs[i], r) || runs_overlap(c->runs[i], r))
			return false;
	return true;
}

static void column_add(struct grid_column *c, struct grid_run *r)
{
	size_t i;

	c->runs = text_grow(c->runs, c->count, sizeof(*c->runs));
	c->runs[c->count++] = r;
	for (i = 0; i < r->count; i++) {
		c->counts.passed += r->tests[i].status == STATUS_PASSED;
		c->counts.failed += r->tests[i].status == STATUS_FAILED;
		c->counts.skipped += r->tests[i].status == STATUS_SKIPPED;
	}
	if (!c->outcome || r->rank > c->rank) {
		c->rank = r->rank;
		c->outcome = r->outcome;
	}
	if (!c->began || strcmp(r->began, c->began) < 0) {
		free(c->began);
		c->began = text_dup(r->began);
	}
}

/* Two columns of one name are told apart by a number. */
static void column_name(const struct grid *g, struct grid_column *c,
			const struct grid_run *r)
{
	char *name = text_format("%s/%s", r->kernel, r->profile);
	size_t i, same = 1;

	for (i = 0; i < g->nr_columns - 1; i++)
		same += !strcmp(g->columns[i].runs[0]->kernel, r->kernel) &&
			!strcmp(g->columns[i].runs[0]->profile, r->profile);
	c->name = same == 1 ? text_dup(name) : text_format("%s (%zu)", name, same);
	free(name);
}

static void columns_make(struct grid *g, const struct grid_runs *runs)
{
	struct grid_column *c;
	size_t i, k;

	for (i = 0; i < runs->count; i++) {
		for (k = 0; k < g->nr_columns; k++)
			if (column_takes(&g->columns[k], &runs->all[i]))
				break;
		if (k == g->nr_columns) {
			g->columns = text_grow(g->columns, k, sizeof(*c));
			memset(&g->columns[g->nr_columns++], 0, sizeof(*c));
			column_name(g, &g->columns[k], &runs->all[i]);
		}
		column_add(&g->columns[k], &runs->all[i]);
	}
}

static const struct grid_test *column_find(const struct grid_column *c,
					   const char *name)
{
	const struct grid_test *t, *found = NULL;
	size_t i;

	/* Of several guests' that of one that failed. */
	for (i = 0; i < c->count; i++) {
		t = grid_run_find(c->runs[i], name);
		if (t && (!found || t->status == STATUS_FAILED))
			found = t;
	}
	return found;
}

static bool run_has_program(const struct grid_run *r, const char *name)
{
	size_t len = program_length(name), i;
	const char *p, *list = r->programs ? r->programs : "";

	for (i = 0; i < r->count; i++)
		if (program_length(r->tests[i].name) == len &&
		    !strncmp(r->tests[i].name, name, len))
			return true;
	/* A share of the suite was not asked for all of it. */
	if (r->shard)
		return false;
	for (p = list; *p; p += strcspn(p, " "), p += strspn(p, " "))
		if (strcspn(p, " ") == len && !strncmp(p, name, len))
			return true;
	return false;
}

static bool column_has_program(const struct grid_column *c, const char *name)
{
	size_t i;

	for (i = 0; i < c->count; i++)
		if (run_has_program(c->runs[i], name))
			return true;
	return false;
}

/* The rows of a program stay together, in the order in which they came. */
struct place {
	const char *name;
	size_t program;
	size_t row;
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->program != y->program)
		return x->program < y->program ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static void places_add(struct place **places, size_t *count,
		       json_object *rows, json_object *programs,
		       const char *name)
{
	json_object *number;
	struct place *p;
	char *program;

	if (json_object_object_get_ex(rows, name, NULL))
		return;
	json_object_object_add(rows, name, NULL);
	program = text_dup_len(name, program_length(name));
	if (!json_object_object_get_ex(programs, program, &number)) {
		number = json_object_new_int64(json_object_object_length(programs));
		json_object_object_add(programs, program, number);
	}
	free(program);
	*places = text_grow(*places, *count, sizeof(**places));
	p = &(*places)[*count];
	p->name = name;
	p->program = json_object_get_int64(number);
	p->row = (*count)++;
}

static void rows_make(struct grid *g, const struct grid_runs *runs)
{
	json_object *rows = json_object_new_object();
	json_object *programs = json_object_new_object();
	struct place *places = NULL;
	size_t count = 0, i, k;

	for (i = 0; i < runs->count; i++)
		for (k = 0; k < runs->all[i].count; k++)
			places_add(&places, &count, rows, programs,
				   runs->all[i].tests[k].name);
	if (count)
		qsort(places, count, sizeof(*places), by_place);
	g->rows = text_alloc(count * sizeof(*g->rows));
	g->nr_rows = count;
	for (i = 0; i < count; i++) {
		g->rows[i].name = places[i].name;
		g->rows[i].cells = text_alloc(g->nr_columns *
					      sizeof(*g->rows[i].cells));
		for (k = 0; k < g->nr_columns; k++)
			g->rows[i].cells[k] = column_find(&g->columns[k],
							  places[i].name);
	}
	free(places);
	json_object_put(rows);
	json_object_put(programs);
}

enum cell grid_cell(const struct grid *g, size_t row, size_t column)
{
	const struct grid_test *t = g->rows[row].cells[column];
	const char *name = g->rows[row].name;

	if (t)
		return t->status == STATUS_PASSED ? CELL_PASSED :
		       t->status == STATUS_SKIPPED ? CELL_SKIPPED : CELL_FAILED;
	if (grid_row_is_check(name))
		return CELL_NOT_RUN;
	return column_has_program(&g->columns[column], name) ?
	       CELL_MISSING : CELL_NOT_RUN;
}

static bool row_differs(const struct grid *g, size_t row)
{
	char *first = NULL, *key;
	bool differs = false;
	size_t i;

	for (i = 0; i < g->nr_columns && !differs; i++) {
		if (grid_cell(g, row, i) == CELL_NOT_RUN &&
		    !(grid_row_is_check(g->rows[row].name) &&
		      column_has_program(&g->columns[i], g->rows[row].name)))
			continue;
		key = grid_cell_key(g, row, i);
		differs = first && strcmp(first, key);
		if (first)
			free(key);
		else
			first = key;
	}
	free(first);
	return differs;
}

void grid_build(struct grid *g, const struct grid_runs *runs)
{
	size_t i;

	memset(g, 0, sizeof(*g));
	columns_make(g, runs);
	rows_make(g, runs);
	for (i = 0; i < g->nr_rows; i++)
		g->rows[i].differs = row_differs(g, i);
}

void grid_free(struct grid *g)
{
	size_t i;

	for (i = 0; i < g->nr_columns; i++) {
		free(g->columns[i].runs);
		free(g->columns[i].name);
		free(g->columns[i].began);
	}
	free(g->columns);
	for (i = 0; i < g->nr_rows; i++)
		free(g->rows[i].cells);
	free(g->rows);
	memset(g, 0, sizeof(*g));
}
