/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Results of many runs side by side: a column for each kernel and profile, a
 * row for each test.
 */
#ifndef VMRUN_GRID_H
#define VMRUN_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "facts.h"
#include "outcome.h"
#include "results.h"

struct grid_test {
	char *name;
	enum status status;
	char *reason;		/* of a skip or a failure, or NULL */
	char *cases;		/* what its case records say, or NULL */
};

/* One run folder, or one run out of a merged file. */
struct grid_run {
	char *dir;
	char *kernel;
	char *profile;
	char *note;
	char *release;
	char *accel;
	char *began;
	char *suite;
	char *shard;		/* "1/3", or NULL for a whole suite */
	char *programs;		/* of the whole suite, or NULL if not known */
	char *outcome;
	char *diagnosis;
	int exit_code;
	enum outcome rank;
	struct facts facts;
	struct grid_test *tests;
	size_t count;
	json_object *index;	/* name of a test: its number */
};

struct grid_runs {
	struct grid_run *all;
	size_t count;
};

struct grid_run *grid_run_new(struct grid_runs *runs, const char *dir);
struct grid_test *grid_test_add(struct grid_run *r, const char *name,
				enum status status, const char *reason);
const struct grid_test *grid_run_find(const struct grid_run *r,
				      const char *name);
/* A failure of its own: what should be here did not come. */
void grid_run_lost(struct grid_run *r, const char *test, const char *reason);
void grid_runs_count(const struct grid_runs *runs, struct counts *c);
/* The exit code for all of them: the worst outcome's. */
int grid_runs_exit(const struct grid_runs *runs);
void grid_runs_free(struct grid_runs *runs);

/*
 * A run folder, a merged file, or a folder that has run folders somewhere
 * below it. NULL, or why nothing could be taken from there, to be freed.
 * With may_be_empty a folder without any is none either.
 */
char *grid_load(struct grid_runs *runs, const char *path, bool may_be_empty);
/* One run folder; one without a usable result becomes a lost run. */
void grid_load_run(struct grid_runs *runs, const char *dir);

#define GRID_FORMAT	"pinprobe-results-1"

char *grid_file_read(struct grid_runs *runs, const char *path);

enum cell {
	CELL_NOT_RUN,		/* nobody asked for its program there */
	CELL_MISSING,		/* its program ran, and said nothing of it */
	CELL_PASSED,
	CELL_SKIPPED,
	CELL_FAILED,
};

struct grid_column {
	struct grid_run **runs;
	size_t count;
	char *name;		/* kernel/profile */
	char *began;
	struct counts counts;
	enum outcome rank;
	const char *outcome;
};

struct grid_row {
	const char *name;
	const struct grid_test **cells;
	bool differs;
};

struct grid {
	struct grid_column *columns;
	size_t nr_columns;
	struct grid_row *rows;
	size_t nr_rows;
};

/* The runs must stay as long as the grid. */
void grid_build(struct grid *g, const struct grid_runs *runs);
void grid_free(struct grid *g);

enum cell grid_cell(const struct grid *g, size_t row, size_t column);
const char *grid_cell_word(enum cell c);
/* What is compared: state, kind of skip, errno and verdict. To be freed. */
char *grid_cell_key(const struct grid *g, size_t row, size_t column);
/* The same for people. To be freed. */
char *grid_cell_text(const struct grid *g, size_t row, size_t column);
/* What the runner itself finds wrong: there is no such row where all is well. */
bool grid_row_is_check(const char *name);

/* Whether every guest ends with it, whatever it ran: kmemleak's. */
bool grid_row_is_of_guest(const char *name);

/* What is shown: one row, or all rows below a prefix that are alike. */
struct grid_line {
	char *name;
	size_t row;
	size_t count;
};

struct grid_lines {
	struct grid_line *all;
	size_t count;
};

void grid_lines_make(struct grid_lines *l, const struct grid *g);
void grid_lines_free(struct grid_lines *l);

/* To be freed. */
char *grid_text(const struct grid *g);
/* Both NULL, or what went wrong, to be freed. */
char *grid_html_write(const struct grid *g, const char *path);
char *grid_junit_write(const struct grid *g, const char *path);
char *grid_json_write(const struct grid *g, const struct grid_runs *runs,
		      const char *path);

#endif
