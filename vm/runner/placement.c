// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "placement.h"
#include "text.h"

/* Members of a record, in the order of struct placement_step. */
static const struct {
	const char *name;
	size_t offset;
} members[] = {
#define MEMBER(field) { #field, offsetof(struct placement_step, field) }
	MEMBER(touched_kb),
	MEMBER(pages),
	MEMBER(cma),
	MEMBER(movable),
	MEMBER(ordinary),
	MEMBER(mem_free_kb),
	MEMBER(cma_free_kb),
	MEMBER(zones_free_kb),
	MEMBER(class_free_kb),
#undef MEMBER
};

struct loading {
	struct placement *p;
	struct placement_series *series;
	bool movable;
	char *error;
};

static const char *get_string(json_object *o, const char *key)
{
	json_object *value = NULL;

	if (!o || !json_object_object_get_ex(o, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return NULL;
	return json_object_get_string(value);
}

static json_object *get_object(json_object *o, const char *key)
{
	json_object *value = NULL;

	if (o)
		json_object_object_get_ex(o, key, &value);
	return value;
}

/* What no allocator can have done was not measured. */
static const char *step_wrong(const struct placement_series *s,
			      const struct placement_step *step)
{
	const struct placement_step *last;

	if (step->cma + step->movable + step->ordinary != step->pages)
		return "pages of a step do not add up";
	if (step->class_free_kb > step->zones_free_kb)
		return "more is free in a part of the zones than in them";
	if (!s->count)
		return step->touched_kb || step->pages ?
		       "the first record is not of the untouched guest" : NULL;
	last = &s->steps[s->count - 1];
	if (step->touched_kb <= last->touched_kb || !step->pages)
		return "a step touches nothing";
	return NULL;
}

static const char *step_read(json_object *json, struct placement_step *step)
{
	json_object *value;
	long long number;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(members); i++) {
		if (!json_object_object_get_ex(json, members[i].name, &value) ||
		    !json_object_is_type(value, json_type_int))
			return "a record lacks a number";
		number = json_object_get_int64(value);
		if (number < 0)
			return "a number is negative";
		*(long long *)((char *)step + members[i].offset) = number;
	}
	return NULL;
}

static void record_line(void *ctx, char *line)
{
	struct loading *l = ctx;
	struct placement_series *s = l->series;
	json_object *json = json_tokener_parse(line);
	const char *type = get_string(json, "type");
	const char *class = get_string(json, "class");
	struct placement_step step;
	const char *wrong;

	if (!l->error && type && !strcmp(type, "placement")) {
		wrong = step_read(json, &step);
		if (!wrong)
			wrong = step_wrong(s, &step);
		if (wrong)
			l->error = text_dup(wrong);
		if (class && !strcmp(class, "movable"))
			l->movable = true;
		s->steps = text_grow(s->steps, s->count, sizeof(step));
		s->steps[s->count++] = step;
	}
	json_object_put(json);
}

static char *load_result(struct loading *l, json_object *result)
{
	json_object *asked = get_object(result, "asked");
	const char *outcome = get_string(result, "outcome");
	const char *profile = get_string(asked, "profile");
	const char *kernel = get_string(asked, "kernel_name");
	const char *note = get_string(asked, "kernel_note");
	const char *release = get_string(get_object(result, "facts"), "release");

	if (!outcome || strcmp(outcome, "passed"))
		return text_format("the run did not pass: %s",
				   outcome ? outcome : "no outcome");
	if (!profile || !kernel || !release)
		return text_dup("result.json names no profile, kernel or release");
	if (l->p->profile && strcmp(l->p->profile, profile))
		return text_format("it is of profile %s, not %s", profile,
				   l->p->profile);
	if (!l->p->profile)
		l->p->profile = text_printable(profile, strlen(profile));
	l->series->kernel = text_printable(kernel, strlen(kernel));
	l->series->release = text_printable(release, strlen(release));
	l->series->label = note ?
		text_format("%s %s (%s)", l->series->kernel,
			    l->series->release, note) :
		text_format("%s %s", l->series->kernel, l->series->release);
	return NULL;
}

static char *load_files(struct loading *l, const char *dir)
{
	char *path = text_format("%s/result.json", dir), *error;
	json_object *result = json_object_from_file(path);

	free(path);
	if (!result)
		return text_dup("no result.json that can be read");
	error = load_result(l, result);
	json_object_put(result);
	if (error)
		return error;
	path = text_format("%s/records.jsonl", dir);
	if (!text_file_lines(path, record_line, l) && !l->error)
		l->error = text_dup("no records.jsonl that can be read");
	free(path);
	if (!l->error && l->series->count < 2)
		l->error = text_dup("nothing was measured");
	return l->error;
}

static void series_free(struct placement_series *s)
{
	free(s->label);
	free(s->kernel);
	free(s->release);
	free(s->dir);
	free(s->steps);
}

char *placement_load(struct placement *p, const char *dir)
{
	struct placement_series series = { 0 };
	struct loading l = { .p = p, .series = &series };
	char *why = load_files(&l, dir), *error;

	if (!why && p->count && p->movable != l.movable)
		why = text_dup("it asks about other memory than the first");
	if (why) {
		series_free(&series);
		error = text_format("%s: %s", dir, why);
		free(why);
		return error;
	}
	p->movable = l.movable;
	series.dir = text_printable(dir, strlen(dir));
	p->series = text_grow(p->series, p->count, sizeof(series));
	p->series[p->count++] = series;
	return NULL;
}

void placement_free(struct placement *p)
{
	size_t i;

	for (i = 0; i < p->count; i++)
		series_free(&p->series[i]);
	free(p->series);
	free(p->profile);
	memset(p, 0, sizeof(*p));
}

const char *placement_class(const struct placement *p)
{
	return p->movable ? "ZONE_MOVABLE" : "CMA";
}

double placement_share(const struct placement *p,
		       const struct placement_step *step)
{
	return 100.0 * (p->movable ? step->movable : step->cma) / step->pages;
}

double placement_free_share(const struct placement_step *step)
{
	if (!step->zones_free_kb)
		return -1;
	return 100.0 * step->class_free_kb / step->zones_free_kb;
}

size_t placement_half(const struct placement *p,
		      const struct placement_series *s)
{
	size_t i;

	if (p->movable || 2 * s->steps[0].class_free_kb <= s->steps[0].zones_free_kb)
		return 0;
	for (i = 1; i < s->count; i++)
		if (2 * s->steps[i].class_free_kb <= s->steps[i].zones_free_kb)
			return i;
	return 0;
}

static json_object *step_json(const struct placement *p,
			      const struct placement_step *step)
{
	json_object *j = json_object_new_object();
	char number[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(members); i++)
		json_object_object_add(j, members[i].name,
			json_object_new_int64(*(const long long *)
				((const char *)step + members[i].offset)));
	if (step->pages) {
		snprintf(number, sizeof(number), "%.2f",
			 placement_share(p, step));
		json_object_object_add(j, "share_percent",
			json_object_new_double_s(placement_share(p, step),
						 number));
	}
	return j;
}

json_object *placement_json(const struct placement *p)
{
	json_object *j = json_object_new_object();
	json_object *all = json_object_new_array();
	size_t i, k;

	json_object_object_add(j, "profile", json_object_new_string(p->profile));
	json_object_object_add(j, "class",
			       json_object_new_string(placement_class(p)));
	for (i = 0; i < p->count; i++) {
		const struct placement_series *s = &p->series[i];
		json_object *series = json_object_new_object();
		json_object *steps = json_object_new_array();

		json_object_object_add(series, "kernel",
				       json_object_new_string(s->kernel));
		json_object_object_add(series, "release",
				       json_object_new_string(s->release));
		json_object_object_add(series, "run_folder",
				       json_object_new_string(s->dir));
		for (k = 0; k < s->count; k++)
			json_object_array_add(steps, step_json(p, &s->steps[k]));
		json_object_object_add(series, "steps", steps);
		json_object_array_add(all, series);
	}
	json_object_object_add(j, "series", all);
	return j;
}
