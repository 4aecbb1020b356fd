// SPDX-License-Identifier: GPL-2.0
/* Reads the tables of contracts/. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "table.h"
#include "table_line.h"

void row_name(const struct row_key *key, char name[ROW_NAME])
{
	snprintf(name, ROW_NAME, "%s.%s.%s.%s.%s%s", key->consumer,
		 key->access, key->backing, key->placement, key->hold,
		 key->dropped ? ".dropped" : "");
}

bool row_parse(char *name, struct row_key *key)
{
	const char **part[] = { &key->consumer, &key->access, &key->backing,
				&key->placement, &key->hold };
	size_t i;

	memset(key, 0, sizeof(*key));
	for (i = 0; i < sizeof(part) / sizeof(*part); i++) {
		if (!name || !*name || *name == '.')
			return false;
		*part[i] = strsep(&name, ".");
	}
	if (!name)
		return true;
	key->dropped = true;
	return !strcmp(name, "dropped");
}

const char *effect_name(enum effect effect)
{
	static const char * const names[] = {
		[EFFECT_ANY] = "-",
		[EFFECT_STAYS] = "stays",
		[EFFECT_MOVES] = "moves",
		[EFFECT_APPEARS] = "appears",
		[EFFECT_ABSENT] = "absent",
		[EFFECT_GOES] = "goes",
	};

	return effect < sizeof(names) / sizeof(*names) ? names[effect] : "-";
}

static bool effect_by_name(const char *name, enum effect *effect)
{
	for (*effect = EFFECT_ANY; *effect <= EFFECT_GOES; (*effect)++)
		if (!strcmp(name, effect_name(*effect)))
			return true;
	return false;
}

static bool verdict_by_name(const char *name, enum verdict_code *code)
{
	for (*code = VERDICT_UNDECIDED + 1; *code < VERDICT_COUNT; (*code)++)
		if (!strcmp(name, verdict_name(*code)))
			return true;
	return false;
}

int errno_by_name(const char *name)
{
	int error;

	if (!strcmp(name, "ok"))
		return 0;
	for (error = 1; error < 134; error++) {
		const char *known = strerrorname_np(error);

		if (known && !strcmp(name, known))
			return error;
	}
	return -1;
}

static int compare(const int a[2], const int b[2])
{
	return a[0] != b[0] ? a[0] - b[0] : a[1] - b[1];
}

bool range_has(const struct kernel_range *range, const int version[2])
{
	if (range->from[0] && compare(version, range->from) < 0)
		return false;
	return !range->to[0] || compare(version, range->to) <= 0;
}

static bool parse_version(const char *text, int version[2])
{
	int used = 0;

	return sscanf(text, "%d.%d%n", &version[0], &version[1], &used) == 2 &&
	       !text[used] && version[0] > 0 && version[1] >= 0;
}

bool parse_range(char *text, struct kernel_range *range)
{
	char *dash = strchr(text, '-');

	memset(range, 0, sizeof(*range));
	if (!strcmp(text, "*"))
		return true;
	if (!dash) {
		if (!parse_version(text, range->from))
			return false;
		memcpy(range->to, range->from, sizeof(range->to));
		return true;
	}
	*dash++ = '\0';
	if (!*text && !*dash)
		return false;
	if (*text && !parse_version(text, range->from))
		return false;
	if (*dash && !parse_version(dash, range->to))
		return false;
	return !*text || !*dash || compare(range->from, range->to) <= 0;
}

/* Fields that select rows, in both tables. */
enum {
	FIELD_CONSUMER, FIELD_ACCESS, FIELD_BACKING, FIELD_PLACEMENT, FIELD_HOLD,
	FIELDS_KEY
};

static bool matches_memory(char **field, const struct row_key *key)
{
	return list_matches(field[FIELD_CONSUMER], key->consumer) &&
	       list_matches(field[FIELD_ACCESS], key->access) &&
	       list_matches(field[FIELD_BACKING], key->backing) &&
	       list_matches(field[FIELD_PLACEMENT], key->placement);
}

static bool matches_key(char **field, const struct row_key *key)
{
	char hold[ROW_NAME];

	snprintf(hold, sizeof(hold), "%s%s", key->hold,
		 key->dropped ? ".dropped" : "");
	return matches_memory(field, key) &&
	       list_matches(field[FIELD_HOLD], hold);
}

/*
 * After a hold was dropped the outcome is that of none, unless a line says
 * "HOLD.dropped" in as many words.
 */
static bool expects_hold(const char *list, const char *hold)
{
	char dropped[ROW_NAME], copy[TABLE_LINE], *rest = copy, *glob;

	snprintf(dropped, sizeof(dropped), "%s.dropped", hold);
	snprintf(copy, sizeof(copy), "%s", list);
	while ((glob = strsep(&rest, ",")))
		if (!fnmatch(glob, strstr(glob, ".dropped") ? dropped : "none", 0))
			return true;
	return false;
}

static bool expects_key(char **field, const struct row_key *key)
{
	if (!key->dropped)
		return matches_key(field, key);
	return matches_memory(field, key) &&
	       expects_hold(field[FIELD_HOLD], key->hold);
}

enum {
	FIELD_KERNELS = FIELDS_KEY, FIELD_VERDICT, FIELD_ERROR, FIELD_EFFECT,
	FIELD_CHANGE, FIELDS_EXPECT
};

static bool parse_expect(const struct table_line *line,
			 struct expectation *expectation)
{
	if (line->nr != FIELDS_EXPECT)
		return false;
	memset(expectation, 0, sizeof(*expectation));
	expectation->line = line->number;
	snprintf(expectation->change, sizeof(expectation->change), "%s",
		 line->field[FIELD_CHANGE]);
	expectation->error = errno_by_name(line->field[FIELD_ERROR]);
	return expectation->error >= 0 &&
	       parse_range(line->field[FIELD_KERNELS], &expectation->kernels) &&
	       verdict_by_name(line->field[FIELD_VERDICT],
			       &expectation->verdict) &&
	       effect_by_name(line->field[FIELD_EFFECT], &expectation->effect);
}

bool table_expect(const struct tables *tables, const struct row_key *key,
		  const int version[2], struct expectation *expectation)
{
	const char *at = tables->expect;
	struct table_line line = { 0 };

	while (table_next(&at, &line)) {
		if (line.nr < FIELDS_KEY || !expects_key(line.field, key))
			continue;
		if (parse_expect(&line, expectation) &&
		    range_has(&expectation->kernels, version))
			return true;
	}
	return false;
}

size_t table_suspects(const struct tables *tables, const struct row_key *key,
		      char names[][EXPECT_CHANGE], size_t room)
{
	const char *at = tables->expect;
	struct expectation expectation;
	struct table_line line = { 0 };
	size_t nr = 0, i;

	while (nr < room && table_next(&at, &line)) {
		if (line.nr < FIELDS_KEY || !expects_key(line.field, key) ||
		    !parse_expect(&line, &expectation) ||
		    !strcmp(expectation.change, "-"))
			continue;
		for (i = 0; i < nr && strcmp(names[i], expectation.change); i++)
			;
		if (i == nr)
			memcpy(names[nr++], expectation.change, EXPECT_CHANGE);
	}
	return nr;
}

bool table_next_expect(const struct tables *tables,
		       struct expectation *expectation)
{
	const char *at = tables->expect;
	struct table_line line = { 0 };
	int last = expectation->line;

	while (table_next(&at, &line))
		if (line.number > last && parse_expect(&line, expectation))
			return true;
	return false;
}

/* NAME COMMIT SINCE TITLE...: the title is the rest of the line. */
static void parse_change(const struct table_line *line, struct change *change)
{
	memset(change, 0, sizeof(*change));
	snprintf(change->name, sizeof(change->name), "%s", line->field[0]);
	snprintf(change->commit, sizeof(change->commit), "%s", line->field[1]);
	snprintf(change->since, sizeof(change->since), "%s", line->field[2]);
	change->title = line->text + (line->field[3] - line->copy);
	change->title_len = line->len - (line->field[3] - line->copy);
}

bool table_change(const struct tables *tables, const char *name,
		  struct change *change)
{
	const char *at = tables->changes;
	struct table_line line = { 0 };

	while (table_next(&at, &line)) {
		if (line.nr < 4 || strcmp(line.field[0], name))
			continue;
		parse_change(&line, change);
		return true;
	}
	return false;
}

bool table_nth_change(const struct tables *tables, size_t index,
		      struct change *change)
{
	const char *at = tables->changes;
	struct table_line line = { 0 };

	while (table_next(&at, &line)) {
		if (line.nr < 4 || index--)
			continue;
		parse_change(&line, change);
		return true;
	}
	return false;
}

/* CONSUMER ACCESS BACKING PLACEMENT HOLD RUN: "run", or why there is no row. */
bool table_planned(const struct tables *tables, const struct row_key *key,
		   char reason[ROW_NAME])
{
	const char *at = tables->plan;
	struct table_line line = { 0 };

	reason[0] = '\0';
	while (table_next(&at, &line)) {
		if (line.nr <= FIELDS_KEY || !matches_key(line.field, key))
			continue;
		if (!strcmp(line.field[FIELDS_KEY], "run"))
			return true;
		snprintf(reason, ROW_NAME, "%.*s",
			 (int)(line.len - (line.field[FIELDS_KEY] - line.copy)),
			 line.text + (line.field[FIELDS_KEY] - line.copy));
		return false;
	}
	return false;
}

static bool known_fields(const struct table_line *line,
			 bool (*known)(const char *kind, const char *glob),
			 char why[256])
{
	static const char * const kinds[] = { "consumer", "access", "backing",
					      "placement", "hold" };
	char list[TABLE_LINE], *glob, *rest;
	size_t i;

	for (i = 0; i < FIELDS_KEY; i++) {
		snprintf(list, sizeof(list), "%s", line->field[i]);
		for (rest = list; (glob = strsep(&rest, ","));) {
			if (known(kinds[i], glob))
				continue;
			snprintf(why, 256, "line %d: no %s is called %.100s",
				 line->number, kinds[i], glob);
			return false;
		}
	}
	return true;
}

static int complain(char why[256], const char *table, int line)
{
	snprintf(why, 256, "%s, line %d: cannot be read", table, line);
	return -EINVAL;
}

static bool is_commit(const char *id)
{
	size_t len = strspn(id, "0123456789abcdef");

	return !strcmp(id, "-") || (len >= 12 && !id[len]);
}

/* Each change can be read and is there once. */
static int check_changes(const struct tables *tables, char why[256])
{
	struct table_line line = { 0 };
	struct change change;
	const char *at;
	int version[2];

	for (at = tables->changes; table_next(&at, &line);) {
		if (line.nr < 4 || strlen(line.field[0]) >= EXPECT_CHANGE ||
		    !is_commit(line.field[1]) || *line.field[2] != 'v' ||
		    !parse_version(line.field[2] + 1, version))
			return complain(why, "changes", line.number);
		if (table_change(tables, line.field[0], &change) &&
		    change.title == line.text + (line.field[3] - line.copy))
			continue;
		snprintf(why, 256, "changes, line %d: %.40s again", line.number,
			 line.field[0]);
		return -EINVAL;
	}
	return 0;
}

int table_check(const struct tables *tables,
		bool (*known)(const char *kind, const char *glob),
		char why[256])
{
	struct expectation expectation;
	struct table_line line = { 0 };
	struct change change;
	const char *at;

	if (check_changes(tables, why))
		return -EINVAL;
	for (at = tables->plan; table_next(&at, &line);) {
		if (line.nr <= FIELDS_KEY)
			return complain(why, "plan", line.number);
		if (!known_fields(&line, known, why))
			return -EINVAL;
	}
	memset(&line, 0, sizeof(line));
	for (at = tables->expect; table_next(&at, &line);) {
		if (line.nr != FIELDS_EXPECT)
			return complain(why, "expect", line.number);
		if (!known_fields(&line, known, why))
			return -EINVAL;
		if (!parse_expect(&line, &expectation))
			return complain(why, "expect", line.number);
		if (!strcmp(expectation.change, "-") ||
		    table_change(tables, expectation.change, &change))
			continue;
		snprintf(why, 256, "expect, line %d: no change is called %s",
			 expectation.line, expectation.change);
		return -EINVAL;
	}
	return 0;
}
