// SPDX-License-Identifier: GPL-2.0
/* Many runs in one file: results.json of a table or a merge. */
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "fields.h"

static const struct {
	const char *key;
	size_t offset;
} strings[] = {
	{ "kernel", offsetof(struct grid_run, kernel) },
	{ "profile", offsetof(struct grid_run, profile) },
	{ "note", offsetof(struct grid_run, note) },
	{ "release", offsetof(struct grid_run, release) },
	{ "accel", offsetof(struct grid_run, accel) },
	{ "began", offsetof(struct grid_run, began) },
	{ "suite", offsetof(struct grid_run, suite) },
	{ "shard", offsetof(struct grid_run, shard) },
	{ "programs", offsetof(struct grid_run, programs) },
	{ "outcome", offsetof(struct grid_run, outcome) },
	{ "diagnosis", offsetof(struct grid_run, diagnosis) },
};

static char **field(const struct grid_run *r, size_t i)
{
	return (char **)((char *)r + strings[i].offset);
}

static json_object *test_json(const struct grid_test *t)
{
	json_object *j = json_object_new_object();

	json_add_string(j, "name", t->name);
	json_add_string(j, "status", status_name(t->status));
	json_add_string(j, "reason", t->reason);
	json_add_string(j, "cases", t->cases);
	return j;
}

static json_object *run_json(const struct grid_run *r)
{
	json_object *j = json_object_new_object();
	json_object *facts = json_object_new_object();
	json_object *tests = json_object_new_array();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(strings); i++)
		json_add_string(j, strings[i].key, *field(r, i));
	json_object_object_add(j, "exit_code",
			       json_object_new_int(r->exit_code));
	for (i = 0; i < r->facts.count; i++)
		json_add_string(facts, r->facts.all[i].key,
				r->facts.all[i].value);
	json_object_object_add(j, "facts", facts);
	for (i = 0; i < r->count; i++)
		json_object_array_add(tests, test_json(&r->tests[i]));
	json_object_object_add(j, "tests", tests);
	return j;
}

static json_object *row_json(const struct grid *g, size_t row)
{
	json_object *j = json_object_new_object();
	json_object *cells = json_object_new_array();
	char *text;
	size_t i;

	json_add_string(j, "name", g->rows[row].name);
	json_object_object_add(j, "differs",
			       json_object_new_boolean(g->rows[row].differs));
	for (i = 0; i < g->nr_columns; i++) {
		text = grid_cell_text(g, row, i);
		json_object_array_add(cells, json_object_new_string(text));
		free(text);
	}
	json_object_object_add(j, "cells", cells);
	return j;
}

char *grid_json_write(const struct grid *g, const struct grid_runs *runs,
		      const char *path)
{
	json_object *j = json_object_new_object();
	json_object *columns = json_object_new_array();
	json_object *rows = json_object_new_array();
	json_object *all = json_object_new_array();
	char *error;
	size_t i;

	json_add_string(j, "format", GRID_FORMAT);
	for (i = 0; i < g->nr_columns; i++)
		json_object_array_add(columns,
				      json_object_new_string(g->columns[i].name));
	for (i = 0; i < g->nr_rows; i++)
		json_object_array_add(rows, row_json(g, i));
	for (i = 0; i < runs->count; i++)
		json_object_array_add(all, run_json(&runs->all[i]));
	json_object_object_add(j, "columns", columns);
	json_object_object_add(j, "rows", rows);
	json_object_object_add(j, "runs", all);
	error = json_save(j, path);
	json_object_put(j);
	return error;
}

static bool read_test(struct grid_run *r, json_object *test)
{
	const char *name = json_string(test, "name");
	const char *word = json_string(test, "status");
	struct grid_test *t;
	enum status s;

	for (s = STATUS_PASSED; s <= STATUS_SKIPPED; s++)
		if (word && !strcmp(word, status_name(s)))
			break;
	if (!name || s > STATUS_SKIPPED || grid_run_find(r, name))
		return false;
	t = grid_test_add(r, name, s, json_string(test, "reason"));
	t->cases = json_string_dup(test, "cases", NULL);
	return true;
}

static bool read_run(struct grid_run *r, json_object *j)
{
	json_object *tests = json_get(j, "tests");
	json_object *facts = json_get(j, "facts");
	long long code = json_number(j, "exit_code");
	bool failed = false;
	char *assignment;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(strings); i++)
		*field(r, i) = json_string_dup(j, strings[i].key, NULL);
	if (!r->kernel || !r->profile || !r->note || !r->release ||
	    !r->accel || !r->began || !r->suite || !r->outcome ||
	    !r->diagnosis || !outcome_parse(r->outcome, &r->rank) ||
	    code < 0 || code > 255 || (r->rank == OUTCOME_PASSED) != !code ||
	    !json_object_is_type(tests, json_type_array) ||
	    !json_object_is_type(facts, json_type_object))
		return false;
	r->exit_code = code;
	json_object_object_foreach(facts, key, value) {
		assignment = text_format("%s=%s", key,
					 json_object_get_string(value));
		facts_add(&r->facts, assignment);
		free(assignment);
	}
	for (i = 0; i < json_object_array_length(tests); i++)
		if (!read_test(r, json_object_array_get_idx(tests, i)))
			return false;
	for (i = 0; i < r->count; i++)
		failed |= r->tests[i].status == STATUS_FAILED;
	return !failed || r->rank != OUTCOME_PASSED;
}

char *grid_file_read(struct grid_runs *runs, const char *path)
{
	json_object *j = json_object_from_file(path);
	const char *format = json_string(j, "format");
	json_object *all = json_get(j, "runs");
	char *error = NULL;
	size_t i;

	if (!format || strcmp(format, GRID_FORMAT) ||
	    !json_object_is_type(all, json_type_array) ||
	    !json_object_array_length(all))
		error = text_format("%s: not a merged result file", path);
	for (i = 0; !error && i < json_object_array_length(all); i++)
		if (!read_run(grid_run_new(runs, path),
			      json_object_array_get_idx(all, i)))
			error = text_format("%s: run %zu in it is not whole",
					    path, i + 1);
	json_object_put(j);
	return error;
}
