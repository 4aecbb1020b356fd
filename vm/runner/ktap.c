// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ktap.h"
#include "ktap_parse.h"

#define KSFT_FAIL	1
#define KSFT_SKIP	4
#define FAULTS_MAX	4096

void ktap_begin(struct ktap *k, const char *program, struct results *results,
		double now)
{
	memset(k, 0, sizeof(*k));
	k->program = text_dup(program);
	k->results = results;
	k->first = results->count;
	k->since = now;
	k->levels[0].plan = -1;
	k->levels[0].first = results->count;
	k->depth = 1;
}

static void ktap_free(struct ktap *k)
{
	while (k->depth)
		free(k->levels[--k->depth].subtest);
	free(k->program);
	free(k->children_subtest);
	free(k->running);
	free(k->skip_all);
	text_free(&k->children_faults);
	text_free(&k->faults);
	text_free(&k->diag);
}

static void fault(struct text *t, const char *fmt, ...)
	__printf(2, 3);

/* The first ones tell; a flood of them would only fill the memory. */
static void fault(struct text *t, const char *fmt, ...)
{
	va_list args;
	char *s;

	if (t->len > FAULTS_MAX)
		return;
	va_start(args, fmt);
	if (vasprintf(&s, fmt, args) >= 0) {
		text_puts(t, s);
		free(s);
	}
	va_end(args);
}

static void ktap_prefix(struct ktap *k, size_t from, const char *prefix)
{
	size_t i;

	for (i = from; i < k->results->count; i++) {
		struct result *r = &k->results->all[i];
		char *name = *r->name ? text_format("%s.%s", prefix, r->name) :
			     text_dup(prefix);

		free(r->name);
		r->name = name;
	}
}

/* Checks a level that ends. Its children, if any, get the name of it. */
static void level_check(struct ktap_level *l, struct text *faults)
{
	if (l->plan < 0)
		fault(faults, "no plan line; %ld results\n", l->count);
	else if (l->plan != l->count)
		fault(faults, "%ld results where %ld were planned\n",
			    l->count, l->plan);
}

static void ktap_orphans(struct ktap *k)
{
	if (!k->children)
		return;
	fault(&k->faults, "subtests without a result of their parent\n");
	fault(&k->faults, "%s", k->children_faults.s ? k->children_faults.s : "");
	ktap_prefix(k, k->children_first,
		    k->children_subtest ? k->children_subtest : "subtests");
	text_clear(&k->children_faults);
	free(k->children_subtest);
	k->children_subtest = NULL;
	k->children = false;
}

static void ktap_pop(struct ktap *k)
{
	struct ktap_level *l = &k->levels[--k->depth];

	ktap_orphans(k);
	level_check(l, &k->children_faults);
	k->children = true;
	k->children_first = l->first;
	k->children_subtest = l->subtest;
	l->subtest = NULL;
}

static struct ktap_level *ktap_level(struct ktap *k, int indent)
{
	struct ktap_level *l;

	while (k->depth > 1 && k->levels[k->depth - 1].indent > indent)
		ktap_pop(k);
	l = &k->levels[k->depth - 1];
	if (indent <= l->indent)
		return l;
	if (k->depth == KTAP_DEPTH_MAX) {
		fault(&k->faults, "nested too deep\n");
		return l;
	}
	ktap_orphans(k);
	l = &k->levels[k->depth++];
	memset(l, 0, sizeof(*l));
	l->indent = indent;
	l->plan = -1;
	l->first = k->results->count;
	return l;
}

static char *diag_take(struct ktap *k)
{
	char *s = k->diag.len ? text_printable(k->diag.s, k->diag.len) : NULL;

	text_clear(&k->diag);
	return s;
}

/*
 * The line of a parent: its subtests get its name, it vanishes if it can. One
 * without subtests must say that it is skipped, or it would pass for nothing.
 */
static bool ktap_adopt(struct ktap *k, const struct ktap_result *r)
{
	bool failed = false, faulty = k->children_faults.len;
	bool none = k->children_first == k->results->count;
	bool plain = r->ok && (r->directive == DIRECTIVE_NONE ||
			       r->directive == DIRECTIVE_SKIP ||
			       r->directive == DIRECTIVE_XFAIL);
	size_t i;

	if (none && !faulty && plain && r->directive != DIRECTIVE_SKIP) {
		fault(&k->children_faults, "ran no test\n");
		faulty = true;
	}
	for (i = k->children_first; i < k->results->count; i++)
		failed |= k->results->all[i].status == STATUS_FAILED;
	if (faulty)
		results_fail(k->results, k->program, "completed",
			     "its subtests are not as planned",
			     k->children_faults.s);
	ktap_prefix(k, k->children_first, r->name);
	text_clear(&k->children_faults);
	free(k->children_subtest);
	k->children_subtest = NULL;
	k->children = false;
	return (plain && !none) || failed || faulty;
}

static void ktap_number(struct ktap *k, struct ktap_level *l, long number)
{
	l->count++;
	if (number && number != l->count) {
		fault(&k->faults, "result %ld where %ld was due\n",
			    number, l->count);
		l->count = number;
	}
}

static void ktap_add(struct ktap *k, const struct ktap_result *r, double now)
{
	enum status status = STATUS_FAILED;
	struct result *new;
	char *diag = diag_take(k);

	if (r->ok && r->directive == DIRECTIVE_SKIP)
		status = STATUS_SKIPPED;
	else if (r->ok && (r->directive == DIRECTIVE_NONE ||
			   r->directive == DIRECTIVE_XFAIL))
		status = STATUS_PASSED;
	new = results_add(k->results, k->program, r->name, status);
	if (new) {
		new->seconds = now - k->since;
		if (r->ok && r->directive == DIRECTIVE_XPASS)
			new->reason = text_format("passed, and is listed as failing (%s)",
						  r->text);
		else if (*r->text)
			new->reason = text_dup(r->text);
		else if (status == STATUS_FAILED)
			new->reason = ktap_parse_reason(diag);
		if (status != STATUS_PASSED) {
			new->diag = diag;
			diag = NULL;
		}
	}
	free(diag);
	k->since = now;
	free(k->running);
	k->running = NULL;
}

static void ktap_result(struct ktap *k, struct ktap_level *l,
			const struct ktap_result *r, double now)
{
	/* kselftest's ksft_exit_skip(): the rest of the program is skipped */
	if (!*r->name && r->ok && r->directive == DIRECTIVE_SKIP &&
	    k->depth == 1) {
		free(k->skip_all);
		k->skip_all = text_dup(r->text);
		return;
	}
	ktap_number(k, l, r->number);
	if (k->children && *r->name && ktap_adopt(k, r))
		return;
	if (!*r->name)
		fault(&k->faults, "result %ld has no name\n", l->count);
	else
		ktap_add(k, r, now);
}

static bool ktap_plan(struct ktap *k, const char *s, int indent)
{
	struct ktap_level *l;
	const char *text;
	char *end;
	long plan;

	if (!text_starts(s, "1..") || !isdigit((unsigned char)s[3]))
		return false;
	plan = strtol(s + 3, &end, 10);
	if (*end && !isspace((unsigned char)*end))
		return false;
	l = ktap_level(k, indent);
	if (l->plan >= 0)
		fault(&k->faults, "more than one plan line\n");
	l->plan = plan;
	end = strchr(end, '#');
	if (!plan && end && k->depth == 1 &&
	    ktap_parse_directive(text_skip_space(end + 1), &text) == DIRECTIVE_SKIP) {
		free(k->skip_all);
		k->skip_all = text_printable(text, strlen(text));
	}
	return true;
}

/* Lines that start a document or a subtest. */
static bool ktap_heading(struct ktap *k, const char *s, int indent)
{
	static const char subtest[] = "# Subtest: ";
	struct ktap_level *l;

	if (text_starts(s, subtest)) {
		l = ktap_level(k, indent);
		free(l->subtest);
		l->subtest = ktap_parse_name(s + strlen(subtest),
					strlen(s + strlen(subtest)));
		return true;
	}
	if (!text_starts(s, "TAP version ") && !text_starts(s, "KTAP version "))
		return false;
	l = ktap_level(k, indent);
	if (l->count || l->plan >= 0)
		fault(&k->faults, "a second document starts\n");
	return true;
}

/* "#  RUN           fixture.test ..." of the kselftest harness */
static void ktap_running(struct ktap *k, const char *s)
{
	char *name;

	if (s[0] != '#')
		return;
	s = text_skip_space(s + 1);
	if (!text_starts(s, "RUN "))
		return;
	s += 4;
	name = text_word(&s);
	if (name && text_starts(text_skip_space(s), "...")) {
		free(k->running);
		k->running = ktap_parse_name(name, strlen(name));
	}
	free(name);
}

void ktap_line(struct ktap *k, const char *line, double now)
{
	const char *s = text_skip_space(line);
	int indent = s - line;
	struct ktap_result r;

	if (ktap_heading(k, s, indent) || ktap_plan(k, s, indent)) {
		k->spoke = true;
		return;
	}
	if (text_starts(s, "Bail out!")) {
		k->spoke = true;
		fault(&k->faults, "%s\n", s);
		return;
	}
	if (ktap_parse_result(s, &r)) {
		k->spoke = true;
		ktap_result(k, ktap_level(k, indent), &r, now);
		free(r.name);
		free(r.text);
		return;
	}
	ktap_running(k, s);
	if (*s)
		text_add_line_bounded(&k->diag, line, RESULTS_DIAG_MAX);
}

static void ktap_close(struct ktap *k)
{
	while (k->depth > 1)
		ktap_pop(k);
	ktap_orphans(k);
}

/* What the program's exit code says against what it printed. */
static void ktap_check_exit(struct ktap *k, int exit_code)
{
	bool failed = false, passed = false;
	size_t i;

	for (i = k->first; i < k->results->count; i++) {
		failed |= k->results->all[i].status == STATUS_FAILED;
		passed |= k->results->all[i].status == STATUS_PASSED;
	}
	if (exit_code == 124)
		fault(&k->faults, "ended by the guest: it was late\n");
	else if (exit_code > 128)
		fault(&k->faults, "ended by signal %d\n", exit_code - 128);
	else if (exit_code == KSFT_SKIP && (passed || failed))
		fault(&k->faults, "exit code 4 (skipped), but there are results\n");
	else if (exit_code == KSFT_FAIL && !failed)
		fault(&k->faults, "exit code 1 (failed), but no result says so\n");
	else if (exit_code && exit_code != KSFT_SKIP && exit_code != KSFT_FAIL)
		fault(&k->faults, "exit code %d\n", exit_code);
}

static void ktap_report_faults(struct ktap *k, const char *name)
{
	char *faults, *printed;
	struct text diag = { 0 };

	if (!k->faults.len)
		return;
	faults = text_printable(k->faults.s, k->faults.len);
	printed = diag_take(k);
	if (printed)
		text_printf(&diag, "%s", printed);
	text_puts(&diag, faults);
	faults[strcspn(faults, "\n")] = '\0';
	results_fail(k->results, k->program, name, faults, diag.s);
	free(faults);
	free(printed);
	text_free(&diag);
}

void ktap_end(struct ktap *k, int exit_code, double now)
{
	struct ktap_level *top = &k->levels[0];
	struct result *r;

	(void)now;
	ktap_close(k);
	if (k->skip_all && exit_code == KSFT_SKIP) {
		r = results_add(k->results, k->program, "", STATUS_SKIPPED);
		if (r)
			r->reason = text_dup(k->skip_all);
		if (top->plan >= 0 && top->count > top->plan)
			level_check(top, &k->faults);
	} else if (!k->spoke) {
		fault(&k->faults, "printed no KTAP, exit code %d\n",
			    exit_code);
	} else {
		level_check(top, &k->faults);
		if (!top->count && !top->plan)
			fault(&k->faults, KTAP_RAN_NO_TEST "\n");
		if (k->skip_all)
			fault(&k->faults, "said it is skipped (%s), but its exit code is %d\n",
				    k->skip_all, exit_code);
	}
	if (!(k->skip_all && exit_code == KSFT_SKIP))
		ktap_check_exit(k, exit_code);
	ktap_report_faults(k, "completed");
	ktap_prefix(k, k->first, k->program);
	ktap_free(k);
}

void ktap_lost(struct ktap *k, const char *why, double now)
{
	char *name = k->running ? text_dup(k->running) : text_dup("completed");

	ktap_close(k);
	text_clear(&k->faults);
	fault(&k->faults, "%s\n", why);
	fault(&k->faults, "%ld of %ld results had come\n",
		    k->levels[0].count, k->levels[0].plan);
	if (k->levels[0].plan < 0) {
		text_clear(&k->faults);
		fault(&k->faults, "%s\nno result had come\n", why);
	}
	ktap_report_faults(k, name);
	if (k->results->count > k->first)
		k->results->all[k->results->count - 1].seconds = now - k->since;
	ktap_prefix(k, k->first, k->program);
	ktap_free(k);
	free(name);
}
