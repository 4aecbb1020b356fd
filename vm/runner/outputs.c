// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <json-c/json.h>

#include "fields.h"
#include "junit.h"
#include "outcome.h"
#include "outputs.h"
#include "text.h"

static void add_number(json_object *o, const char *key, long long value)
{
	json_object_object_add(o, key, json_object_new_int64(value));
}

static void add_seconds(json_object *o, const char *key, double value)
{
	char number[32];

	snprintf(number, sizeof(number), "%.3f", value);
	json_object_object_add(o, key, json_object_new_double_s(value, number));
}

/* What --judge needs to judge this folder again. */
static json_object *asked_json(const struct options *o)
{
	json_object *j = json_object_new_object();

	json_add_string(j, "suite_name", o->suite_name);
	json_add_string(j, "shard", o->shard);
	json_add_string(j, "programs", o->programs);
	json_add_string(j, "row", o->row);
	json_add_string(j, "kernel_name", o->kernel_name);
	json_add_string(j, "kernel_release", o->kernel_release);
	json_add_string(j, "kernel_note", o->kernel_note);
	json_add_string(j, "profile", o->profile);
	json_add_string(j, "expect", o->expect);
	json_add_string(j, "table", o->table);
	json_add_string(j, "repeat_command", o->repeat_command);
	add_number(j, "cpus", o->cpus);
	add_number(j, "boot_timeout", o->boot_timeout);
	add_number(j, "test_timeout", o->test_timeout);
	add_number(j, "total_timeout", o->total_timeout);
	json_object_object_add(j, "passthrough",
			       json_object_new_boolean(o->passthrough));
	return j;
}

static json_object *splat_json(const struct splat *s)
{
	json_object *j = json_object_new_object();

	json_add_string(j, "title", s->title);
	json_add_string(j, "test", s->test);
	json_add_string(j, "fingerprint", s->fingerprint.len ? s->fingerprint.s : "");
	json_add_string(j, "allowed_because", s->allowed ? s->reason : NULL);
	return j;
}

static void add_console(json_object *j, const struct console *c)
{
	json_object *splats = json_object_new_array();
	size_t i;

	for (i = 0; i < c->count; i++)
		json_object_array_add(splats, splat_json(&c->splats[i]));
	json_object_object_add(j, "splats", splats);
	add_number(j, "splats_not_kept", c->dropped);
	if (c->panic)
		json_object_object_add(j, "panic", splat_json(c->panic));
}

static json_object *test_json(const struct result *t)
{
	json_object *j = json_object_new_object();

	json_add_string(j, "name", t->name);
	json_add_string(j, "status", status_name(t->status));
	json_add_string(j, "reason", t->reason);
	add_seconds(j, "seconds", t->seconds);
	return j;
}

static void add_channel(json_object *j, const struct channel *c)
{
	json_object *counts = json_object_new_object();
	json_object *tests = json_object_new_array();
	json_object *facts = json_object_new_object();
	struct counts n;
	size_t i;

	results_count(&c->results, &n);
	add_number(counts, "passed", n.passed);
	add_number(counts, "failed", n.failed);
	add_number(counts, "skipped", n.skipped);
	json_object_object_add(j, "counts", counts);
	add_number(j, "records", c->records);
	add_number(j, "invalid_records", c->bad_records);
	json_object_object_add(j, "end_marker",
			       json_object_new_boolean(c->phase == PHASE_DONE));
	if (c->have_exit)
		add_number(j, "command_exit_code", c->exit_code);
	for (i = 0; i < c->facts.count; i++)
		json_add_string(facts, c->facts.all[i].key, c->facts.all[i].value);
	json_object_object_add(j, "facts", facts);
	for (i = 0; i < c->results.count; i++)
		json_object_array_add(tests, test_json(&c->results.all[i]));
	json_object_object_add(j, "tests", tests);
}

static void add_vm(json_object *j, const struct run *r)
{
	json_object *vm = json_object_new_object();

	json_add_string(vm, "ended", ended_name(r->ended));
	if (r->ended == ENDED_SIGNAL)
		add_number(vm, "signal", r->signal);
	if (r->start_error)
		json_add_string(vm, "start_error", r->start_error);
	add_number(vm, "status", r->vm_status);
	json_add_string(vm, "accel", r->accel);
	json_add_string(vm, "accel_why", r->accel_why);
	add_number(vm, "deadline_scale", r->scale);
	json_object_object_add(j, "vm", vm);
}

/* Skips that a rule expects and that did not happen: the rule may be stale. */
static void add_unused_skips(json_object *j, const struct skips *s)
{
	json_object *unused = json_object_new_array();
	char *rule;
	size_t i;

	for (i = 0; i < s->count; i++) {
		if (s->all[i].used || !s->all[i].due)
			continue;
		rule = text_format("%s %s %s %s", s->all[i].kernel,
				   s->all[i].profile, s->all[i].test,
				   s->all[i].reason);
		json_object_array_add(unused, json_object_new_string(rule));
		free(rule);
	}
	json_object_object_add(j, "expected_skips_not_seen", unused);
}

static char *json_write(json_object *j, const char *dir)
{
	char *path = text_format("%s/result.json", dir);
	char *error = json_save(j, path);

	free(path);
	json_object_put(j);
	return error;
}

static char *result_write(const struct run *r, const char *dir)
{
	json_object *j = json_object_new_object(), *took;

	json_add_string(j, "outcome", outcome_name(r->verdict.outcome));
	add_number(j, "exit_code", r->verdict.exit_code);
	json_add_string(j, "diagnosis", r->verdict.diagnosis);
	json_add_string(j, "began", r->began);
	took = json_object_new_object();
	add_seconds(took, "boot", r->boot_seconds);
	add_seconds(took, "total", r->total_seconds);
	json_object_object_add(j, "seconds", took);
	json_object_object_add(j, "asked", asked_json(r->options));
	add_vm(j, r);
	add_console(j, &r->console);
	add_unused_skips(j, &r->skips);
	add_channel(j, &r->channel);
	return json_write(j, dir);
}

char *outputs_begin(const struct run *r, const char *dir)
{
	json_object *j = json_object_new_object();

	json_add_string(j, "outcome", "incomplete");
	add_number(j, "exit_code", 126);
	json_add_string(j, "diagnosis", "the run is going on, or vmrun was killed");
	json_object_object_add(j, "asked", asked_json(r->options));
	return json_write(j, dir);
}

static void ktap_diag(FILE *f, const char *s)
{
	char *shown = text_printable(s, strlen(s));
	char *line, *rest = shown;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			fprintf(f, "# %s\n", line);
	free(shown);
}

static void ktap_one(FILE *f, size_t number, const struct result *t)
{
	if (t->status != STATUS_PASSED && t->diag)
		ktap_diag(f, t->diag);
	if (t->status == STATUS_FAILED && t->reason)
		ktap_diag(f, t->reason);
	fprintf(f, "%sok %zu %s", t->status == STATUS_FAILED ? "not " : "",
		number, t->name);
	if (t->status == STATUS_SKIPPED)
		fprintf(f, " # SKIP %.*s", (int)strcspn(t->reason, "\n"),
			t->reason);
	fputc('\n', f);
}

static char *document_write(const struct run *r, const char *dir)
{
	const struct results *all = &r->channel.results;
	char *path = text_format("%s/results.ktap", dir), *error = NULL;
	FILE *f = fopen(path, "we");
	size_t i;
	bool bad;

	if (f) {
		fprintf(f, "KTAP version 1\n1..%zu\n", all->count);
		for (i = 0; i < all->count; i++)
			ktap_one(f, i + 1, &all->all[i]);
		bad = ferror(f);
		bad |= fclose(f) != 0;
	}
	if (!f || bad)
		error = text_format("%s: %s", path, strerror(errno));
	free(path);
	return error;
}

char *outputs_write(const struct run *r, const char *dir)
{
	char *error = document_write(r, dir), *path;

	path = text_format("%s/results.xml", dir);
	if (!error)
		error = junit_write(r, path);
	free(path);
	return error ? error : result_write(r, dir);
}
