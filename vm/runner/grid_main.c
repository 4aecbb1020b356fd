// SPDX-License-Identifier: GPL-2.0
/* vmrun --table, --merge, --diff and --cell: what to make of many runs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grid.h"
#include "grid_diff.h"
#include "grid_main.h"
#include "grid_merge.h"

#define EXIT_USAGE	2

struct request {
	bool merge;
	bool quiet;
	const char *plan;
	const char *out;
	struct counts extra;
};

static int fail(char *error)
{
	fprintf(stderr, "vmrun: %s\n", error);
	free(error);
	return EXIT_USAGE;
}

static bool extra_parse(struct counts *c, const char *s)
{
	unsigned long passed, failed, skipped;
	int end = 0;

	if (sscanf(s, "%9lu,%9lu,%9lu%n", &passed, &failed, &skipped, &end) != 3 ||
	    s[end] || strchr(s, '-'))
		return false;
	c->passed += passed;
	c->failed += failed;
	c->skipped += skipped;
	return true;
}

/* Takes the options; returns the first argument that is none, or -1. */
static int request_parse(struct request *q, int argc, char **argv, char **error)
{
	int i;

	q->merge = !strcmp(argv[1], "--merge");
	for (i = 2; i < argc && argv[i][0] == '-'; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : NULL;

		if (!strcmp(argv[i], "--quiet")) {
			q->quiet = true;
			continue;
		}
		if (!value || (strcmp(argv[i], "--out") &&
			       strcmp(argv[i], "--plan") &&
			       strcmp(argv[i], "--extra"))) {
			*error = text_format("%s: unknown, or without its value",
					     argv[i]);
			return -1;
		}
		if (!strcmp(argv[i], "--out"))
			q->out = value;
		else if (!strcmp(argv[i], "--plan"))
			q->plan = value;
		else if (!extra_parse(&q->extra, value)) {
			*error = text_dup("--extra takes PASSED,FAILED,SKIPPED");
			return -1;
		}
		i++;
	}
	if (q->plan && !q->merge)
		*error = text_dup("--plan is for --merge");
	return *error ? -1 : i;
}

static char *check_merge(struct grid_runs *runs, const struct request *q)
{
	json_object *plan = NULL;
	char *error;

	if (q->plan) {
		plan = json_object_from_file(q->plan);
		if (!plan)
			return text_format("%s: %s", q->plan,
					   json_util_get_last_err());
	}
	error = grid_merge_check(runs, plan);
	json_object_put(plan);
	return error;
}

static char *write_out(const struct grid *g, const struct grid_runs *runs,
		       const char *dir, const char *text)
{
	static const char * const names[] = {
		"table.txt", "table.html", "results.xml", "results.json",
	};
	char *path, *error = NULL;
	size_t i;

	if (mkdir(dir, 0755) && errno != EEXIST)
		return text_format("%s: %s", dir, strerror(errno));
	for (i = 0; i < ARRAY_SIZE(names) && !error; i++) {
		path = text_format("%s/%s", dir, names[i]);
		if (i == 0)
			error = text_file_write(path, text);
		else if (i == 1)
			error = grid_html_write(g, path);
		else if (i == 2)
			error = grid_junit_write(g, path);
		else
			error = grid_json_write(g, runs, path);
		free(path);
	}
	return error;
}

static void print_failed(const struct grid_runs *runs)
{
	size_t i;

	for (i = 0; i < runs->count; i++) {
		const struct grid_run *r = &runs->all[i];

		if (r->rank != OUTCOME_PASSED)
			printf("%s (%s/%s): %s: %s\n", r->dir, r->kernel,
			       r->profile, r->outcome, r->diagnosis);
	}
}

static int report(struct grid_runs *runs, const struct request *q)
{
	struct counts n;
	struct grid g;
	char *text, *error = NULL;
	int exit_code;

	grid_build(&g, runs);
	text = grid_text(&g);
	if (!q->quiet)
		fputs(text, stdout);
	if (q->out)
		error = write_out(&g, runs, q->out, text);
	free(text);
	grid_free(&g);
	if (error) {
		fail(error);
		return 125;
	}
	print_failed(runs);
	grid_runs_count(runs, &n);
	exit_code = grid_runs_exit(runs);
	if (q->extra.failed && !exit_code)
		exit_code = 1;
	printf("%lu passed, %lu failed, %lu skipped\n",
	       n.passed + q->extra.passed, n.failed + q->extra.failed,
	       n.skipped + q->extra.skipped);
	return exit_code;
}

int grid_main_table(int argc, char **argv)
{
	struct request q = { 0 };
	struct grid_runs runs = { 0 };
	char *error = NULL;
	int i = request_parse(&q, argc, argv, &error), code;

	if (i == argc)
		error = text_format("%s needs run folders", argv[1]);
	for (; !error && i < argc; i++)
		/* Where nothing came, the plan says what is missing. */
		error = grid_load(&runs, argv[i], q.plan);
	if (!error && q.merge)
		error = check_merge(&runs, &q);
	code = error ? fail(error) : report(&runs, &q);
	grid_runs_free(&runs);
	return code;
}

/* PATH or PATH#kernel/profile, for a file that has several. */
static char *side_load(struct grid_runs *runs, struct grid *g, const char *arg,
		       long *only)
{
	const char *hash = strrchr(arg, '#');
	char *path, *error;
	struct stat st;
	size_t i;

	if (hash && !stat(arg, &st))
		hash = NULL;
	path = text_dup_len(arg, hash ? (size_t)(hash - arg) : strlen(arg));
	error = grid_load(runs, path, false);
	free(path);
	if (error)
		return error;
	grid_build(g, runs);
	*only = g->nr_columns == 1 ? 0 : -1;
	for (i = 0; hash && i < g->nr_columns; i++)
		if (!strcmp(g->columns[i].name, hash + 1))
			break;
	if (hash && i == g->nr_columns)
		return text_format("%s: has no %s", arg, hash + 1);
	if (hash)
		*only = i;
	return NULL;
}

static long column_named(const struct grid *g, const char *name)
{
	size_t i;

	for (i = 0; i < g->nr_columns; i++)
		if (!strcmp(g->columns[i].name, name))
			return i;
	return -1;
}

/* Columns of one name against each other; what one side lacks is a difference. */
static void diff_all(struct grid_diff *d, const struct grid *a,
		     const struct grid *b)
{
	size_t i;
	long k;

	for (i = 0; i < a->nr_columns; i++) {
		k = column_named(b, a->columns[i].name);
		if (k >= 0) {
			grid_diff(d, a, i, b, k);
			text_puts(&d->text, "\n");
			continue;
		}
		d->different++;
		text_printf(&d->text, "* only the first has %s\n\n",
			    a->columns[i].name);
	}
	for (i = 0; i < b->nr_columns; i++) {
		if (column_named(a, b->columns[i].name) >= 0)
			continue;
		d->different++;
		text_printf(&d->text, "* only the second has %s\n\n",
			    b->columns[i].name);
	}
}

int grid_main_diff(int argc, char **argv)
{
	struct grid_runs ra = { 0 }, rb = { 0 };
	struct grid ga = { 0 }, gb = { 0 };
	struct grid_diff d = { 0 };
	long a = -1, b = -1;
	char *error = NULL;
	int code;

	if (argc != 4)
		error = text_dup("--diff takes two run folders or merged files");
	if (!error)
		error = side_load(&ra, &ga, argv[2], &a);
	if (!error)
		error = side_load(&rb, &gb, argv[3], &b);
	if (!error && (a < 0) != (b < 0))
		error = text_format("%s has more than one kernel and profile: say which with FILE#kernel/profile",
				    argv[a < 0 ? 2 : 3]);
	if (!error && a >= 0)
		grid_diff(&d, &ga, a, &gb, b);
	else if (!error)
		diff_all(&d, &ga, &gb);
	if (!error && !d.rows)
		error = text_dup("they have no program in common: nothing to compare");
	if (!error) {
		fputs(d.text.s, stdout);
		printf("%zu differences, %zu rows compared\n", d.different,
		       d.rows);
	}
	code = error ? fail(error) : d.different ? 1 : 0;
	text_free(&d.text);
	grid_free(&ga);
	grid_free(&gb);
	grid_runs_free(&ra);
	grid_runs_free(&rb);
	return code;
}

/* One line, for a script: what became of one row. */
int grid_main_cell(int argc, char **argv)
{
	struct grid_runs runs = { 0 };
	struct grid g;
	char *error, *text;
	size_t i;

	if (argc != 4)
		return fail(text_dup("--cell takes a row and a run folder"));
	error = grid_load(&runs, argv[3], false);
	if (error)
		return fail(error);
	grid_build(&g, &runs);
	for (i = 0; i < g.nr_rows; i++)
		if (!strcmp(g.rows[i].name, argv[2]))
			break;
	text = i < g.nr_rows ? grid_cell_text(&g, i, 0) :
	       text_format("none: %s: %s", runs.all[0].outcome,
			   runs.all[0].diagnosis);
	text[strcspn(text, "\n")] = '\0';
	puts(text);
	free(text);
	grid_free(&g);
	grid_runs_free(&runs);
	return 0;
}
