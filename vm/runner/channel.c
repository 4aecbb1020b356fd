// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json_visit.h>

#include "channel.h"
#include "ktap_parse.h"
#include "text.h"

#define RECORD_DEPTH_MAX	16

static void channel_fault(struct channel *c, const char *what, const char *line)
{
	char *shown;

	if (c->faults++)
		return;
	shown = text_printable(line, strnlen(line, 200));
	c->first_fault = text_format("%s: %s", what, shown);
	free(shown);
}

static bool name_valid(const char *s)
{
	if (!s || !isalnum((unsigned char)*s))
		return false;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("_.+-", *s))
			return false;
	return true;
}

static void program_records(struct channel *c)
{
	char *name, *why;

	if (!c->bad_here)
		return;
	name = text_format("%s.records", c->program);
	why = text_format("%lu records are not valid JSON objects",
			  c->bad_here);
	results_fail(&c->results, c->program, name, why, c->bad_record);
	free(name);
	free(why);
	free(c->bad_record);
	c->bad_record = NULL;
	c->bad_here = 0;
}

static void balance_report(struct channel *c)
{
	struct channel_balance *b = &c->balance;
	struct result *new;
	char *name, *why;

	if (!b->program)
		return;
	name = text_format("%s.pins_balanced", b->program);
	why = text_format("%lld page pins acquired, %lld released",
			  b->acquired, b->released);
	if (b->acquired != b->released)
		results_fail(&c->results, b->program, name, why, NULL);
	else
		results_add(&c->results, b->program, name, STATUS_PASSED);
	new = c->results.count ? &c->results.all[c->results.count - 1] : NULL;
	if (new)
		new->check = true;
	free(name);
	free(why);
	free(b->program);
	b->program = NULL;
}

static void program_close(struct channel *c, double seconds)
{
	program_records(c);
	balance_report(c);
	c->phase = PHASE_BETWEEN;
	c->programs++;
	if (c->ops && c->ops->program)
		c->ops->program(c->ctx, c->program, c->program_first, seconds);
	free(c->program);
	c->program = NULL;
}

static void program_lost(struct channel *c, const char *why)
{
	ktap_lost(&c->ktap, why, c->now);
	program_close(c, 0);
}

static void take_guest(struct channel *c, const char *args)
{
	if (c->phase == PHASE_BOOT)
		c->phase = PHASE_FACTS;
	if (c->phase != PHASE_FACTS)
		channel_fault(c, "a fact after @guest-end", args);
	else
		facts_add(&c->facts, args);
}

static void take_guest_end(struct channel *c, const char *args)
{
	if (c->phase > PHASE_FACTS) {
		channel_fault(c, "a second @guest-end", args);
		return;
	}
	c->phase = PHASE_BETWEEN;
	if (c->ops && c->ops->facts)
		c->ops->facts(c->ctx);
}

static void take_begin(struct channel *c, const char *args)
{
	const char *p = args;
	char *name = text_word(&p), *timeout = text_word(&p);
	long long seconds = 0;

	if (c->phase == PHASE_PROGRAM)
		program_lost(c, "another program began before this one ended");
	if (c->phase != PHASE_BETWEEN || !name_valid(name) ||
	    (timeout && (!text_number(timeout, &seconds) || seconds < 0 ||
			 seconds > 86400))) {
		channel_fault(c, "bad or untimely @begin", args);
	} else {
		c->phase = PHASE_PROGRAM;
		c->program = text_dup(name);
		c->program_first = c->results.count;
		c->timeout = seconds;
		ktap_begin(&c->ktap, name, &c->results, c->now);
	}
	free(name);
	free(timeout);
}

static void take_end(struct channel *c, const char *args)
{
	const char *p = args;
	char *name = text_word(&p), *code = text_word(&p);
	char *seconds = text_word(&p), *end = NULL;
	double took = seconds ? strtod(seconds, &end) : 0;
	long long exit_code;

	if (c->phase != PHASE_PROGRAM || !name || strcmp(name, c->program) ||
	    !code || !text_number(code, &exit_code) || exit_code < 0 ||
	    exit_code > 255) {
		channel_fault(c, "bad or untimely @end", args);
	} else {
		if (exit_code == CHANNEL_EXIT_LATE && !c->timeouts++)
			c->late_program = text_dup(name);
		ktap_end(&c->ktap, exit_code, c->now);
		program_close(c, end && !*end && took >= 0 ? took : 0);
	}
	free(name);
	free(code);
	free(seconds);
}

/* json-c takes NaN and Infinity, which JSON does not have. */
static int record_finite(json_object *o, int flags, json_object *parent,
			 const char *key, size_t *index, void *ctx)
{
	(void)flags;
	(void)parent;
	(void)key;
	(void)index;
	(void)ctx;
	if (json_object_is_type(o, json_type_double) &&
	    !isfinite(json_object_get_double(o)))
		return JSON_C_VISIT_RETURN_ERROR;
	return JSON_C_VISIT_RETURN_CONTINUE;
}

/* Nor has it strings in single quotes. */
static bool record_quoted_well(const char *s)
{
	bool inside = false;

	for (; *s; s++) {
		if (inside && *s == '\\' && s[1])
			s++;
		else if (*s == '"')
			inside = !inside;
		else if (*s == '\'' && !inside)
			return false;
	}
	return true;
}

static void take_record(struct channel *c, const char *args)
{
	json_object *json;
	size_t len = strlen(args);

	json_tokener_reset(c->tokener);
	json = json_tokener_parse_ex(c->tokener, args, len + 1);
	if (json_tokener_get_error(c->tokener) != json_tokener_success ||
	    !json_object_is_type(json, json_type_object) ||
	    strlen(args + json_tokener_get_parse_end(c->tokener)) ||
	    !record_quoted_well(args) ||
	    json_c_visit(json, 0, record_finite, NULL) < 0) {
		json_object_put(json);
		json = NULL;
	}
	if (json) {
		c->records++;
	} else {
		c->bad_records++;
		if (!c->bad_here++)
			c->bad_record = text_printable(args, strnlen(args, 2000));
		if (c->phase != PHASE_PROGRAM)
			channel_fault(c, "invalid record outside a program",
				      args);
	}
	if (c->ops && c->ops->record)
		c->ops->record(c->ctx, args, json);
	json_object_put(json);
}

static void take_print(struct channel *c, const char *args)
{
	char *shown;

	if (!c->ops || !c->ops->print)
		return;
	shown = text_printable(args, strlen(args));
	c->ops->print(c->ctx, shown);
	free(shown);
}

static bool vmstat_value(const char *word, const char *key, long long *value)
{
	return word && text_starts(word, key) &&
	       text_number(word + strlen(key), value);
}

static void take_vmstat(struct channel *c, const char *args)
{
	const char *p = args;
	char *name = text_word(&p), *got = text_word(&p), *put = text_word(&p);
	struct channel_balance new = { 0 };
	bool open = c->phase == PHASE_PROGRAM;

	if ((!open && c->phase != PHASE_BETWEEN) || !name_valid(name) ||
	    (open && strcmp(name, c->program)) || c->balance.program ||
	    !vmstat_value(got, "nr_foll_pin_acquired=", &new.acquired) ||
	    !vmstat_value(put, "nr_foll_pin_released=", &new.released)) {
		channel_fault(c, "bad or untimely @vmstat", args);
		free(name);
	} else {
		new.program = name;
		c->balance = new;
		if (!open)
			balance_report(c);
	}
	free(got);
	free(put);
}

static void take_exit(struct channel *c, const char *args)
{
	long long code;

	if (c->have_exit || !text_number(args, &code) || code < 0 ||
	    code > 255) {
		channel_fault(c, "bad @exit", args);
		return;
	}
	c->have_exit = true;
	c->exit_code = code;
}

static void take_abort(struct channel *c, const char *args)
{
	if (c->phase == PHASE_PROGRAM)
		program_lost(c, "the guest gave up");
	c->abort_reason = text_printable(args, strlen(args));
	c->stopped = true;
}

static void take_done(struct channel *c, const char *args)
{
	if (*args) {
		channel_fault(c, "bad @done", args);
		return;
	}
	if (c->phase == PHASE_PROGRAM)
		program_lost(c, "the guest was done before this program ended");
	if (c->phase != PHASE_BETWEEN)
		channel_fault(c, "untimely @done", args);
	c->phase = PHASE_DONE;
}

static void channel_directive(struct channel *c, const char *line)
{
	static const struct {
		const char *word;
		void (*handle)(struct channel *c, const char *args);
	} all[] = {
		{ "@guest", take_guest },
		{ "@guest-end", take_guest_end },
		{ "@begin", take_begin },
		{ "@end", take_end },
		{ "@record", take_record },
		{ "@print", take_print },
		{ "@vmstat", take_vmstat },
		{ "@exit", take_exit },
		{ "@abort", take_abort },
		{ "@done", take_done },
	};
	size_t i, len = strcspn(line, " \t");

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		if (strlen(all[i].word) != len ||
		    strncmp(all[i].word, line, len))
			continue;
		/* one blank separates; what @print has more is its own */
		all[i].handle(c, line[len] ? line + len + 1 : "");
		return;
	}
	channel_fault(c, "unknown word", line);
}

/* What was cut off may be the word that it was skipped, or late. */
static void channel_ktap(struct channel *c, const char *line, bool cut)
{
	if (cut && ktap_parse_tells(line))
		channel_fault(c, "a result is too long", line);
	ktap_line(&c->ktap, line, c->now);
}

static void channel_line(void *ctx, char *line, bool cut)
{
	struct channel *c = ctx;

	if (c->stopped)
		return;
	if (c->phase == PHASE_DONE) {
		if (*line)
			channel_fault(c, "more after the end marker", line);
		return;
	}
	if (line[0] == '@' && cut && !text_starts(line, "@record "))
		channel_fault(c, "a line is too long", line);
	else if (line[0] == '@')
		channel_directive(c, line);
	else if (c->phase == PHASE_PROGRAM)
		channel_ktap(c, line, cut);
	else if (ktap_parse_tells(line))
		channel_fault(c, "a result outside of programs", line);
}

void channel_init(struct channel *c, const struct channel_ops *ops, void *ctx)
{
	memset(c, 0, sizeof(*c));
	c->ops = ops;
	c->ctx = ctx;
	c->tokener = json_tokener_new_ex(RECORD_DEPTH_MAX);
	json_tokener_set_flags(c->tokener, JSON_TOKENER_STRICT |
			       JSON_TOKENER_VALIDATE_UTF8);
	lines_init(&c->lines, CHANNEL_LINE_MAX, 0, channel_line, c);
}

void channel_feed(struct channel *c, const char *bytes, size_t len)
{
	if (c->bytes + len > CHANNEL_BYTES_MAX) {
		len = CHANNEL_BYTES_MAX - c->bytes;
		c->flooded = true;
	}
	c->bytes += len;
	lines_feed(&c->lines, bytes, len);
}

/* A last line without its newline was cut off and is not to be trusted. */
void channel_end(struct channel *c, const char *why)
{
	if (c->phase == PHASE_DONE && c->lines.len)
		channel_fault(c, "more after the end marker", "(a line cut off)");
	if (c->phase == PHASE_PROGRAM)
		program_lost(c, why);
	c->stopped = true;
}

void channel_free(struct channel *c)
{
	json_tokener_free(c->tokener);
	lines_free(&c->lines);
	facts_free(&c->facts);
	results_free(&c->results);
	free(c->abort_reason);
	free(c->program);
	free(c->bad_record);
	free(c->late_program);
	free(c->balance.program);
	free(c->first_fault);
}
