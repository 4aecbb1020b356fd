// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "outcome.h"
#include "report.h"
#include "table.h"
#include "text.h"

#define DOT	" \xc2\xb7 "

static void report_line(struct report *p, const char *line)
{
	if (p->run->options->quiet)
		return;
	if (p->lines++ < REPORT_LINES_MAX)
		fprintf(p->out, "%s\n", line);
	else if (p->lines == REPORT_LINES_MAX + 1)
		fputs("(too much to print; the rest is in channel.log)\n",
		      p->out);
	fflush(p->out);
}

static long long fact(const struct facts *f, const char *key)
{
	long long value = 0;

	facts_number(f, key, &value);
	return value;
}

static void head_hugetlb(struct text *t, const struct facts *f)
{
	long long node, kb, shown = 0;
	char *key;

	if (!fact(f, "hugetlb_cma_kb"))
		return;
	for (node = 0; node < fact(f, "nodes"); node++) {
		key = text_format("hugetlb_cma_node%lld_kb", node);
		kb = fact(f, key);
		free(key);
		if (kb)
			text_printf(t, "%s%lld MiB on node %lld",
				    shown++ ? ", " : ", of hugetlb_cma ",
				    kb / 1024, node);
	}
}

static void head_cma(struct text *t, const struct facts *f)
{
	long long total = fact(f, "cma_total_kb");
	long long hidden = fact(f, "cma_hidden_blocks");

	text_printf(t, "CmaTotal %lld MiB", total / 1024);
	if (hidden)
		text_printf(t, ", CmaFree %lld MiB",
			    fact(f, "cma_free_kb") / 1024);
	if (facts_get(f, "cma_blocks"))
		text_printf(t, ", %lld CMA pageblocks", fact(f, "cma_blocks"));
	if (hidden)
		text_printf(t, ", %lld of them in no CMA area", hidden);
	head_hugetlb(t, f);
}

static void head_memory(struct text *t, const struct facts *f)
{
	long long movable = fact(f, "movable_pages");
	long long onlined = fact(f, "onlined_movable_blocks");
	bool cma = fact(f, "cma_total_kb") || fact(f, "cma_blocks");

	if (cma || movable)
		text_puts(t, ": ");
	if (cma)
		head_cma(t, f);
	if (movable)
		text_printf(t, "%sZONE_MOVABLE with %lld pages",
			    cma ? ", " : "", movable);
	if (movable && onlined)
		text_printf(t, ", %lld blocks hot-added", onlined);
}

static void report_head(struct report *p)
{
	const struct options *o = p->run->options;
	const struct facts *f = &p->run->channel.facts;
	const char *release = facts_get(f, "release"), *note = o->kernel_note;
	struct text t = { 0 };

	if (!note && o->kernel_name && text_starts(o->kernel_name, "debian-"))
		note = "stock";
	text_printf(&t, "kernel %s", release ? release : "?");
	if (note)
		text_printf(&t, " (%s)", note);
	text_printf(&t, DOT "%s", p->run->accel);
	if (o->profile) {
		text_printf(&t, DOT "profile %s", o->profile);
		head_memory(&t, f);
	}
	report_line(p, t.s);
	text_free(&t);
}

static void on_facts(void *ctx)
{
	struct report *p = ctx;

	run_check_guest(p->run);
	report_head(p);
}

static void on_print(void *ctx, const char *text)
{
	report_line(ctx, text);
}

static void report_case(struct report *p, json_object *json)
{
	char *row = table_row(json), *head;

	if (!row)
		return;
	if (!p->consumer || strcmp(p->consumer, table_consumer(json))) {
		free(p->consumer);
		p->consumer = text_dup(table_consumer(json));
		head = table_head(p->consumer);
		report_line(p, head);
		free(head);
	}
	report_line(p, row);
	free(row);
}

static void on_record(void *ctx, const char *text, json_object *json)
{
	struct report *p = ctx;

	if (!json)
		return;
	/* Written anew: parsers differ in what they let pass inside strings. */
	text = json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN |
					      JSON_C_TO_STRING_NOSLASHESCAPE);
	if (p->records && fprintf(p->records, "%s\n", text) < 0)
		p->records_failed = true;
	if (p->run->options->table)
		report_case(p, json);
}

static void on_program(void *ctx, const char *name, size_t first,
		       double seconds)
{
	struct report *p = ctx;
	const struct results *all = &p->run->channel.results;
	struct results mine = { all->all + first, all->count - first, 0, 0 };
	struct counts n;
	char *line;

	results_count(&mine, &n);
	line = text_format("%-24s %3lu passed, %lu failed, %lu skipped  %.1f s",
			   name, n.passed, n.failed, n.skipped, seconds);
	report_line(p, line);
	free(line);
}

const struct channel_ops report_ops = {
	.facts = on_facts,
	.print = on_print,
	.record = on_record,
	.program = on_program,
};

char *report_begin(struct report *p, struct run *r, const char *dir)
{
	char *path = text_format("%s/records.jsonl", dir), *error = NULL;

	p->run = r;
	p->out = r->options->passthrough ? stderr : stdout;
	p->records = fopen(path, "we");
	if (!p->records)
		error = text_format("%s: %s", path, strerror(errno));
	free(path);
	return error;
}

void report_accel(struct report *p)
{
	char *line = text_format("accelerator: %s (%s)", p->run->accel,
				 p->run->accel_why);

	report_line(p, line);
	free(line);
}

static void report_diag(struct report *p, const char *diag)
{
	char *shown = text_printable(diag, strlen(diag));
	char *line, *rest = shown;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			fprintf(p->out, "    %s\n", line);
	free(shown);
}

static void report_results(struct report *p)
{
	const struct results *all = &p->run->channel.results;
	size_t i;

	for (i = 0; i < all->count; i++) {
		const struct result *t = &all->all[i];

		if (t->status == STATUS_FAILED) {
			fprintf(p->out, "FAILED %s%s%s\n", t->name,
				t->reason ? ": " : "", t->reason ? t->reason : "");
			if (t->diag)
				report_diag(p, t->diag);
		} else if (t->status == STATUS_SKIPPED) {
			fprintf(p->out, "skipped %s: %s\n", t->name, t->reason);
		}
	}
}

static void report_excused(struct report *p)
{
	const struct console *c = &p->run->console;
	size_t i;

	for (i = 0; i < c->count; i++)
		if (c->splats[i].allowed)
			fprintf(p->out, "excused splat: %s (%s)\n",
				c->splats[i].title, c->splats[i].reason);
}

/* The sum comes last, so that a script can take the last line. */
void report_end(struct report *p, const char *dir)
{
	const struct run *r = p->run;
	const struct verdict *v = &r->verdict;
	bool quiet = r->options->quiet ||
		     (r->options->passthrough && v->outcome <= OUTCOME_FAILED);
	struct counts n;

	results_count(&r->channel.results, &n);
	if (!r->options->passthrough || v->outcome == OUTCOME_SPLAT ||
	    v->outcome > OUTCOME_FAILED)
		report_results(p);
	if (!quiet)
		report_excused(p);
	if (v->outcome != OUTCOME_PASSED)
		fprintf(p->out, "%s (exit code %d): %s\n",
			outcome_name(v->outcome), v->exit_code, v->diagnosis);
	if (!quiet || v->outcome > OUTCOME_FAILED) {
		fprintf(p->out, "run folder: %s\n", dir);
		if (r->options->repeat_command)
			fprintf(p->out, "again: %s\n",
				r->options->repeat_command);
	}
	if (!r->options->passthrough)
		fprintf(p->out, "%lu passed, %lu failed, %lu skipped\n",
			n.passed, n.failed, n.skipped);
	fflush(p->out);
}

void report_free(struct report *p)
{
	if (p->records)
		fclose(p->records);
	free(p->consumer);
}
