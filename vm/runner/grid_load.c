// SPDX-License-Identifier: GPL-2.0
/* Takes runs from run folders. */
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grid.h"
#include "fields.h"

#define DEPTH_FDS	16

/* nftw() gives its callback nothing to work with. */
static char **found;
static size_t found_count;

static void load_asked(struct grid_run *r, json_object *asked)
{
	const char *base = strrchr(r->dir, '/');

	r->kernel = json_string_dup(asked, "kernel_name",
				    base ? base + 1 : r->dir);
	r->profile = json_string_dup(asked, "profile", "?");
	r->note = json_string_dup(asked, "kernel_note", "");
	r->release = json_string_dup(asked, "kernel_release", "?");
	r->suite = json_string_dup(asked, "suite_name", "?");
	r->shard = json_string_dup(asked, "shard", NULL);
	r->programs = json_string_dup(asked, "programs", NULL);
}

static void load_facts(struct grid_run *r, json_object *facts)
{
	const char *release;
	char *assignment;

	if (!json_object_is_type(facts, json_type_object))
		return;
	json_object_object_foreach(facts, key, value) {
		assignment = text_format("%s=%s", key,
					 json_object_get_string(value));
		facts_add(&r->facts, assignment);
		free(assignment);
	}
	/* What booted counts, not what was asked for. */
	release = facts_get(&r->facts, "release");
	if (release) {
		free(r->release);
		r->release = text_dup(release);
	}
}

static bool load_test(struct grid_run *r, json_object *test)
{
	const char *name = json_string(test, "name");
	const char *word = json_string(test, "status");
	enum status s;

	for (s = STATUS_PASSED; s <= STATUS_SKIPPED; s++)
		if (word && !strcmp(word, status_name(s)))
			break;
	if (!name || s > STATUS_SKIPPED || grid_run_find(r, name))
		return false;
	grid_test_add(r, name, s, json_string(test, "reason"));
	return true;
}

static bool load_tests(struct grid_run *r, json_object *tests)
{
	size_t i;

	if (!json_object_is_type(tests, json_type_array))
		return false;
	for (i = 0; i < json_object_array_length(tests); i++)
		if (!load_test(r, json_object_array_get_idx(tests, i)))
			return false;
	return true;
}

/* The line of a record that tells how a case went, by the test's name. */
static void load_case(void *ctx, char *line)
{
	json_object *record = json_tokener_parse(line);
	const char *type = json_string(record, "type");
	const char *test = json_string(record, "test");
	const char *name, *error, *verdict;
	struct grid_run *r = ctx;
	struct grid_test *t;
	struct text all = { 0 };
	char *shown;

	t = NULL;
	if (type && !strcmp(type, "case") && test)
		t = (struct grid_test *)grid_run_find(r, test);
	if (t) {
		name = json_string(record, "case");
		error = json_string(record, "errno_name");
		verdict = json_string(record, "verdict");
		if (t->cases)
			text_printf(&all, "%s, ", t->cases);
		if (name)
			text_printf(&all, "%s ", name);
		text_printf(&all, "%s %s", error ? error : "?",
			    verdict ? verdict : "?");
		shown = text_printable(all.s, all.len);
		free(t->cases);
		t->cases = shown;
		text_free(&all);
	}
	json_object_put(record);
}

static bool load_outcome(struct grid_run *r, json_object *j)
{
	const char *name = json_string(j, "outcome");
	long long code = json_number(j, "exit_code");

	if (!name || !outcome_parse(name, &r->rank) || code < 0 || code > 255 ||
	    (r->rank == OUTCOME_PASSED) != !code)
		return false;
	r->exit_code = code;
	r->outcome = text_dup(name);
	r->diagnosis = json_string_dup(j, "diagnosis", "");
	return true;
}

/* The counts of the file and its tests must tell the same story. */
static bool load_counts(const struct grid_run *r, json_object *counts)
{
	struct grid_runs one = { (struct grid_run *)r, 1 };
	struct counts c;

	grid_runs_count(&one, &c);
	return json_number(counts, "passed") == (long long)c.passed &&
	       json_number(counts, "failed") == (long long)c.failed &&
	       json_number(counts, "skipped") == (long long)c.skipped;
}

void grid_load_run(struct grid_runs *runs, const char *dir)
{
	char *path = text_format("%s/result.json", dir);
	json_object *j = json_object_from_file(path);
	struct grid_run *r = grid_run_new(runs, dir);

	free(path);
	load_asked(r, json_get(j, "asked"));
	r->accel = json_string_dup(json_get(j, "vm"), "accel", "?");
	r->began = json_string_dup(j, "began", "?");
	load_facts(r, json_get(j, "facts"));
	if (!load_outcome(r, j) || !load_tests(r, json_get(j, "tests")) ||
	    !load_counts(r, json_get(j, "counts"))) {
		grid_run_lost(r, "run.result", "no result of a finished run");
	} else {
		path = text_format("%s/records.jsonl", dir);
		text_file_lines(path, load_case, r);
		free(path);
	}
	json_object_put(j);
}

static int find_one(const char *path, const struct stat *st, int type,
		    struct FTW *ftw)
{
	(void)st;
	if (type != FTW_F || strcmp(path + ftw->base, "result.json"))
		return 0;
	found = text_grow(found, found_count, sizeof(*found));
	found[found_count++] = text_dup_len(path, ftw->base - 1);
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char * const *)a, *(char * const *)b);
}

static char *load_below(struct grid_runs *runs, const char *dir,
			bool may_be_empty)
{
	char *error = NULL;
	size_t i;

	found = NULL;
	found_count = 0;
	if (nftw(dir, find_one, DEPTH_FDS, FTW_PHYS))
		error = text_format("%s: %s", dir, strerror(errno));
	else if (!found_count && !may_be_empty)
		error = text_format("%s: no run folder, and none below it", dir);
	if (found_count)
		qsort(found, found_count, sizeof(*found), by_name);
	for (i = 0; i < found_count; i++) {
		if (!error)
			grid_load_run(runs, found[i]);
		free(found[i]);
	}
	free(found);
	return error;
}

char *grid_load(struct grid_runs *runs, const char *path, bool may_be_empty)
{
	char *dir = text_dup(path), *own, *error = NULL;
	struct stat st;

	while (strlen(dir) > 1 && dir[strlen(dir) - 1] == '/')
		dir[strlen(dir) - 1] = '\0';
	own = text_format("%s/result.json", dir);
	if (stat(dir, &st))
		error = text_format("%s: %s", path, strerror(errno));
	else if (!S_ISDIR(st.st_mode))
		error = grid_file_read(runs, dir);
	else if (!access(own, F_OK))
		grid_load_run(runs, dir);
	else
		error = load_below(runs, dir, may_be_empty);
	free(own);
	free(dir);
	return error;
}
