// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grid_merge.h"
#include "fields.h"

#define SHARDS_MAX	1000

bool grid_shard_parse(const char *s, long *number, long *of)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return false;
	*number = strtol(s, &end, 10);
	if (*end != '/' || !isdigit((unsigned char)end[1]))
		return false;
	*of = strtol(end + 1, &end, 10);
	return !*end && *number >= 1 && *number <= *of && *of <= SHARDS_MAX;
}

static const char *known(const char *s)
{
	return s ? s : "";
}

static bool same_guest(const struct grid_run *a, const struct grid_run *b)
{
	return !strcmp(a->kernel, b->kernel) && !strcmp(a->profile, b->profile);
}

static bool same_group(const struct grid_run *a, const struct grid_run *b)
{
	return same_guest(a, b) && !strcmp(a->suite, b->suite);
}

static char *refuse(const struct grid_run *a, const struct grid_run *b,
		    const char *what)
{
	return text_format("%s and %s (%s/%s, suite %s): %s", a->dir, b->dir,
			   a->kernel, a->profile, a->suite, what);
}

static const char *common_test(const struct grid_run *a,
			       const struct grid_run *b)
{
	size_t i;

	for (i = 0; i < a->count; i++)
		if (!grid_row_is_check(a->tests[i].name) &&
		    !grid_row_is_of_guest(a->tests[i].name) &&
		    grid_run_find(b, a->tests[i].name))
			return a->tests[i].name;
	return NULL;
}

/* Two runs of one kernel and profile. */
static char *check_pair(const struct grid_run *a, const struct grid_run *b)
{
	const char *test = common_test(a, b);
	long na, nb, of_a, of_b;
	char *why, *error;

	/* Where nothing booted, nothing was said about the release. */
	if (a->facts.count && b->facts.count && strcmp(a->release, b->release))
		return refuse(a, b, "not of the same kernel release");
	if (same_group(a, b)) {
		if (!a->shard || !b->shard)
			return refuse(a, b, "the same suite twice");
		if (!grid_shard_parse(a->shard, &na, &of_a) ||
		    !grid_shard_parse(b->shard, &nb, &of_b))
			return refuse(a, b, "a share that is none");
		if (of_a != of_b)
			return refuse(a, b, "shares of different divisions");
		if (na == nb)
			return refuse(a, b, "the same share twice");
		if (strcmp(known(a->programs), known(b->programs)))
			return refuse(a, b, "the suite was not the same");
	}
	if (!test)
		return NULL;
	why = text_format("both have %s", test);
	error = refuse(a, b, why);
	free(why);
	return error;
}

static char *check_pairs(const struct grid_runs *runs)
{
	char *error = NULL;
	size_t i, k;

	for (i = 0; i < runs->count; i++)
		for (k = 0; k < i && !error; k++)
			if (same_guest(&runs->all[i], &runs->all[k]))
				error = check_pair(&runs->all[k], &runs->all[i]);
	return error;
}

/* The run is copied: adding one moves them. */
static void add_lost(struct grid_runs *runs, const char *kernel,
		     const char *profile, const char *suite, const char *shard)
{
	struct grid_run *r = grid_run_new(runs, "(nothing came)");
	char *reason, *name;

	r->kernel = text_dup(kernel);
	r->profile = text_dup(profile);
	r->note = text_dup("");
	r->release = text_dup("?");
	r->accel = text_dup("?");
	r->began = text_dup("?");
	r->suite = text_dup(suite);
	r->shard = shard && *shard ? text_dup(shard) : NULL;
	reason = text_format("no result came for %s/%s, suite %s%s%s", kernel,
			     profile, suite, r->shard ? ", share " : "",
			     r->shard ? r->shard : "");
	name = text_format("run-%s-%s.missing", suite, r->shard ? r->shard : "1");
	grid_run_lost(r, name, reason);
	free(reason);
	free(name);
}

static bool have_shard(const struct grid_runs *runs, const char *kernel,
		       const char *profile, const char *suite, const char *shard)
{
	size_t i;

	for (i = 0; i < runs->count; i++) {
		const struct grid_run *r = &runs->all[i];

		if (!strcmp(r->kernel, kernel) && !strcmp(r->profile, profile) &&
		    !strcmp(r->suite, suite) &&
		    !strcmp(known(r->shard), known(shard)))
			return true;
	}
	return false;
}

static void find_missing_shards(struct grid_runs *runs)
{
	size_t i, count = runs->count;
	long number, of, k;
	char *shard;

	for (i = 0; i < count; i++) {
		if (!runs->all[i].shard ||
		    !grid_shard_parse(runs->all[i].shard, &number, &of))
			continue;
		for (k = 1; k <= of; k++) {
			const struct grid_run *r = &runs->all[i];

			shard = text_format("%ld/%ld", k, of);
			if (!have_shard(runs, r->kernel, r->profile, r->suite,
					shard)) {
				char *kernel = text_dup(r->kernel);
				char *profile = text_dup(r->profile);
				char *suite = text_dup(r->suite);

				add_lost(runs, kernel, profile, suite, shard);
				free(kernel);
				free(profile);
				free(suite);
			}
			free(shard);
		}
	}
}

static bool has_program(const struct grid_run *r, const char *program)
{
	size_t len = strlen(program), i;

	for (i = 0; i < r->count; i++)
		if (!strncmp(r->tests[i].name, program, len) &&
		    (r->tests[i].name[len] == '.' || !r->tests[i].name[len]))
			return true;
	return false;
}

/* Whole runs that say nothing of a program of their suite. */
static void find_missing_programs(struct grid_runs *runs)
{
	size_t i, k, count = runs->count;
	char *program, *name;

	for (i = 0; i < count; i++) {
		struct grid_run *r = &runs->all[i];
		const char *list = known(r->programs);

		while ((program = text_word(&list))) {
			bool found = false;

			for (k = 0; k < count && !found; k++)
				found = same_group(r, &runs->all[k]) &&
					(has_program(&runs->all[k], program) ||
					 runs->all[k].rank > OUTCOME_FAILED);
			name = text_format("%s.missing", program);
			if (!found && !grid_run_find(r, name))
				grid_run_lost(r, name,
					      "the suite has it, and no share ran it");
			free(name);
			free(program);
		}
	}
}

static char *check_planned(struct grid_runs *runs, json_object *include)
{
	size_t i, k, count = json_object_array_length(include);

	for (i = 0; i < runs->count; i++) {
		const struct grid_run *r = &runs->all[i];

		for (k = 0; k < count; k++) {
			json_object *e = json_object_array_get_idx(include, k);

			if (!strcmp(known(json_string(e, "kernel")), r->kernel) &&
			    !strcmp(known(json_string(e, "profile")), r->profile) &&
			    !strcmp(known(json_string(e, "suite")), r->suite) &&
			    !strcmp(known(json_string(e, "shard")), known(r->shard)))
				break;
		}
		if (k == count)
			return text_format("%s (%s/%s, suite %s%s%s): the plan has no such run",
					   r->dir, r->kernel, r->profile, r->suite,
					   r->shard ? ", share " : "", known(r->shard));
	}
	return NULL;
}

static char *find_unplanned(struct grid_runs *runs, json_object *plan)
{
	json_object *include = json_get(plan, "include"), *e;
	const char *kernel, *profile, *suite, *shard;
	char *error;
	size_t i;

	if (!json_object_is_type(include, json_type_array) ||
	    !json_object_array_length(include))
		return text_dup("the plan is empty, or not as vm/plan --format github prints it");
	error = check_planned(runs, include);
	for (i = 0; i < json_object_array_length(include) && !error; i++) {
		e = json_object_array_get_idx(include, i);
		kernel = json_string(e, "kernel");
		profile = json_string(e, "profile");
		suite = json_string(e, "suite");
		shard = json_string(e, "shard");
		if (!kernel || !profile || !suite || !shard)
			error = text_format("the plan's entry %zu lacks kernel, profile, suite or shard",
					    i + 1);
		else if (!have_shard(runs, kernel, profile, suite, shard))
			add_lost(runs, kernel, profile, suite, shard);
	}
	return error;
}

/* Every run has its entry by now; the columns come as they were planned. */
static void order_by_plan(struct grid_runs *runs, json_object *include)
{
	struct grid_run *all = text_alloc(runs->count * sizeof(*all)), *r;
	size_t i, k, n = 0, count = runs->count;

	for (i = 0; i < json_object_array_length(include); i++) {
		json_object *e = json_object_array_get_idx(include, i);

		for (k = 0; k < count; k++) {
			r = &runs->all[k];
			if (!r->kernel || strcmp(r->kernel, json_string(e, "kernel")) ||
			    strcmp(r->profile, json_string(e, "profile")) ||
			    strcmp(r->suite, json_string(e, "suite")) ||
			    strcmp(known(r->shard), json_string(e, "shard")))
				continue;
			all[n++] = *r;
			r->kernel = NULL;
		}
	}
	memcpy(runs->all, all, n * sizeof(*all));
	runs->count = n;
	free(all);
}

char *grid_merge_check(struct grid_runs *runs, json_object *plan)
{
	char *error = check_pairs(runs);

	if (!error && plan)
		error = find_unplanned(runs, plan);
	if (error)
		return error;
	find_missing_shards(runs);
	find_missing_programs(runs);
	if (plan)
		order_by_plan(runs, json_get(plan, "include"));
	return NULL;
}
