// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "text.h"

#define ARROW	"\xe2\x86\x92"

static const char *field(json_object *record, const char *key)
{
	json_object *value;

	if (!json_object_object_get_ex(record, key, &value) ||
	    json_object_is_type(value, json_type_null))
		return NULL;
	return json_object_get_string(value);
}

static const char *known(const char *s)
{
	return s ? s : "?";
}

static bool field_number(json_object *record, const char *key, long long *n)
{
	json_object *value;

	if (!json_object_object_get_ex(record, key, &value) ||
	    !json_object_is_type(value, json_type_int))
		return false;
	*n = json_object_get_int64(value);
	return true;
}

/* Pads by characters: printf() would count bytes. */
static void cell(struct text *t, const char *s, size_t width)
{
	char *shown = text_printable(s, strlen(s));
	size_t have = 0;
	const char *p;

	text_puts(t, shown);
	for (p = shown; *p; p++)
		have += ((unsigned char)*p & 0xc0) != 0x80;
	for (; have < width; have++)
		text_puts(t, " ");
	text_puts(t, "  ");
	free(shown);
}

static void row(struct text *t, const char *name, const char *page,
		const char *hold, const char *result, const char *where,
		const char *verdict)
{
	char *shown = text_printable(verdict, strlen(verdict));

	cell(t, name, 4);
	cell(t, page, 17);
	cell(t, hold, 18);
	cell(t, result, 10);
	cell(t, where, 40);
	text_puts(t, shown);
	free(shown);
}

static char *page_cell(json_object *record)
{
	const char *backing = field(record, "backing");
	const char *placement = known(field(record, "placement"));

	if (!backing || !strcmp(backing, "anon"))
		return text_dup(placement);
	return text_format("%s %s", placement, backing);
}

static char *result_cell(json_object *record)
{
	long long error;

	if (!field_number(record, "errno", &error))
		return text_dup("?");
	if (!error)
		return text_dup("ok");
	if (field(record, "errno_name"))
		return text_dup(field(record, "errno_name"));
	return text_format("errno %lld", error);
}

static char *where_cell(json_object *record)
{
	const char *before = known(field(record, "pfn_before"));
	const char *after = known(field(record, "pfn_after"));
	long long pages, moved, stayed, earlier = 0;

	if (!field_number(record, "pages", &pages) ||
	    !field_number(record, "moved", &moved) ||
	    !field_number(record, "stayed", &stayed))
		return text_dup("?");
	field_number(record, "moved_earlier", &earlier);
	if (pages != 1 && !moved && earlier)
		return text_format("%lld pages: %lld moved by the first pin",
				   pages, earlier);
	if (pages != 1)
		return text_format("%lld pages: %lld moved, %lld stayed", pages,
				   moved, stayed);
	/* By the call or by the earlier pin: the verdict says which. */
	if (moved || (earlier && strcmp(before, after)))
		return text_format("pfn %s %s " ARROW " %s %s", before,
				   known(field(record, "mt_before")), after,
				   known(field(record, "mt_after")));
	return text_format("pfn %s %s, did not move", before,
			   known(field(record, "mt_before")));
}

const char *table_consumer(json_object *record)
{
	return known(field(record, "consumer"));
}

char *table_head(const char *consumer)
{
	struct text t = { 0 };

	row(&t, "case", "page", "earlier hold", consumer,
	    "page before " ARROW " after", "verdict");
	return t.s;
}

char *table_row(json_object *record)
{
	const char *type = field(record, "type"), *text = field(record, "text");
	char *page, *result, *where, *verdict;
	struct text t = { 0 };

	if (!type || strcmp(type, "case"))
		return NULL;
	page = page_cell(record);
	result = result_cell(record);
	where = where_cell(record);
	verdict = text_format("%s%s%s", known(field(record, "verdict")),
			      text && *text ? ": " : "", text ? text : "");
	row(&t, known(field(record, "case")), page,
	    known(field(record, "hold")), result, where, verdict);
	free(page);
	free(result);
	free(where);
	free(verdict);
	return t.s;
}
