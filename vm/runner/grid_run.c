// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "grid.h"

struct grid_run *grid_run_new(struct grid_runs *runs, const char *dir)
{
	struct grid_run *r;

	runs->all = text_grow(runs->all, runs->count, sizeof(*r));
	r = &runs->all[runs->count++];
	memset(r, 0, sizeof(*r));
	r->dir = text_dup(dir);
	r->index = json_object_new_object();
	return r;
}

const struct grid_test *grid_run_find(const struct grid_run *r,
				      const char *name)
{
	json_object *number;

	if (!json_object_object_get_ex(r->index, name, &number))
		return NULL;
	return &r->tests[json_object_get_int64(number)];
}

struct grid_test *grid_test_add(struct grid_run *r, const char *name,
				enum status status, const char *reason)
{
	struct grid_test *t;

	r->tests = text_grow(r->tests, r->count, sizeof(*t));
	t = &r->tests[r->count];
	memset(t, 0, sizeof(*t));
	t->name = text_printable(name, strlen(name));
	t->status = status;
	if (reason)
		t->reason = text_printable(reason, strlen(reason));
	json_object_object_add(r->index, t->name,
			       json_object_new_int64(r->count++));
	return t;
}

void grid_run_lost(struct grid_run *r, const char *test, const char *reason)
{
	free(r->outcome);
	free(r->diagnosis);
	r->rank = OUTCOME_LOST;
	r->outcome = text_dup(outcome_name(r->rank));
	r->diagnosis = text_dup(reason);
	r->exit_code = 126;
	grid_test_add(r, test, STATUS_FAILED, reason);
}

void grid_runs_count(const struct grid_runs *runs, struct counts *c)
{
	size_t i, k;

	memset(c, 0, sizeof(*c));
	for (i = 0; i < runs->count; i++) {
		for (k = 0; k < runs->all[i].count; k++) {
			enum status s = runs->all[i].tests[k].status;

			c->passed += s == STATUS_PASSED;
			c->failed += s == STATUS_FAILED;
			c->skipped += s == STATUS_SKIPPED;
		}
	}
}

int grid_runs_exit(const struct grid_runs *runs)
{
	enum outcome worst = OUTCOME_PASSED;
	bool any_passed = false;
	struct counts counts;
	int exit_code = 0;
	size_t i;

	for (i = 0; i < runs->count; i++) {
		const struct grid_run *r = &runs->all[i];

		any_passed |= r->rank == OUTCOME_PASSED;
		if (r->rank > worst) {
			worst = r->rank;
			exit_code = r->exit_code;
		}
	}
	grid_runs_count(runs, &counts);
	if (!exit_code && (counts.failed || !runs->count))
		return 1;
	/* All of one kernel skipped is no fault while another one passed. */
	return worst == OUTCOME_SKIPPED && any_passed ? 0 : exit_code;
}

static void run_release(struct grid_run *r)
{
	size_t i;

	for (i = 0; i < r->count; i++) {
		free(r->tests[i].name);
		free(r->tests[i].reason);
		free(r->tests[i].cases);
	}
	free(r->tests);
	free(r->dir);
	free(r->kernel);
	free(r->profile);
	free(r->note);
	free(r->release);
	free(r->accel);
	free(r->began);
	free(r->suite);
	free(r->shard);
	free(r->programs);
	free(r->outcome);
	free(r->diagnosis);
	facts_free(&r->facts);
	json_object_put(r->index);
}

void grid_runs_free(struct grid_runs *runs)
{
	size_t i;

	for (i = 0; i < runs->count; i++)
		run_release(&runs->all[i]);
	free(runs->all);
	memset(runs, 0, sizeof(*runs));
}
