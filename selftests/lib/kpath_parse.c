// SPDX-License-Identifier: GPL-2.0
/* From the text of a trace to events. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kpath_internal.h"

static const char *const names[KPATH_V_COUNT] = {
	[KPATH_V_ADDR] = "addr",
	[KPATH_V_NR] = "nr",
	[KPATH_V_FLAGS] = "flags",
	[KPATH_V_RET] = "ret",
	[KPATH_V_PAGE] = "page",
	[KPATH_V_DST] = "dst",
	[KPATH_V_PFN] = "pfn",
	[KPATH_V_REFS] = "refs",
	[KPATH_V_MAPS] = "maps",
	[KPATH_V_PINS] = "pins",
	[KPATH_V_BASE] = "base",
	[KPATH_V_MOVED] = "nr_succeeded",
	[KPATH_V_FAILED] = "nr_failed",
};

static struct kpath_event *next_event(struct kpath_events *events)
{
	struct kpath_event *more;
	size_t room = events->room ? events->room * 2 : 256;

	if (events->nr == events->room) {
		more = realloc(events->event, room * sizeof(*more));
		if (!more)
			return NULL;
		events->event = more;
		events->room = room;
	}
	return memset(&events->event[events->nr], 0, sizeof(*more));
}

/* The name in front of "+0x4/0x60". */
static void take_name(char *name, size_t size, const char *text)
{
	size_t len = strcspn(text, "+ )");

	snprintf(name, size, "%.*s", (int)len, text);
}

/* "(function+0x4/0x60)", of a return "(caller+0x3e/0x90 <- function)". */
static void take_place(struct kpath_event *event, const char *text)
{
	const char *arrow = strstr(text, " <- ");
	const char *end = strchr(text, ')');

	if (*text != '(' || !end)
		return;
	if (arrow && arrow < end) {
		take_name(event->caller, sizeof(event->caller), text + 1);
		take_name(event->symbol, sizeof(event->symbol), arrow + 4);
	} else {
		take_name(event->symbol, sizeof(event->symbol), text + 1);
	}
}

static void take_value(struct kpath_event *event, const char *word)
{
	const char *equals = strchr(word, '=');
	size_t i;

	if (!equals)
		return;
	if (!strncmp(word, "reason=", 7))
		snprintf(event->reason, sizeof(event->reason), "%s", equals + 1);
	if (!strncmp(word, "mode=", 5))
		snprintf(event->mode, sizeof(event->mode), "%s", equals + 1);
	for (i = 0; i < KPATH_V_COUNT; i++) {
		if (strncmp(word, names[i], equals - word) ||
		    names[i][equals - word])
			continue;
		/* Pointers fill the whole range, error values are negative. */
		event->value[i] = equals[1] == '-' ?
			strtoll(equals + 1, NULL, 0) :
			(int64_t)strtoull(equals + 1, NULL, 0);
		/* "(fault)": the kernel could not read it. */
		if (equals[1] != '(')
			event->present |= 1U << i;
	}
}

/* Of the time stamp that ends at @end, microseconds; 0 if there is none. */
static uint64_t stamp(const char *line, const char *end)
{
	unsigned long sec, usec;

	while (end > line && strchr("0123456789.", end[-1]))
		end--;
	if (sscanf(end, "%lu.%6lu", &sec, &usec) != 2)
		return 0;
	return sec * 1000000 + usec;
}

/*
 * "      comm-123   [001] .....    12.345678: event: rest". The name of the
 * command may contain anything, so the event's name is what is looked for.
 * Returns the rest.
 */
static char *find(struct kpath_event *event, char *line)
{
	size_t len, i;
	char *at;

	for (at = strstr(line, ": "); at; at = strstr(at + 1, ": ")) {
		for (i = 0; i < KPATH_ID_COUNT; i++) {
			len = strlen(kpath_probes[i].event);
			if (strncmp(at + 2, kpath_probes[i].event, len) ||
			    strncmp(at + 2 + len, ": ", 2))
				continue;
			event->id = i;
			event->ts_us = stamp(line, at);
			if (event->ts_us)
				return at + 2 + len + 2;
		}
	}
	return NULL;
}

static bool take_line(struct kpath_event *event, char *line)
{
	char *save, *word, *rest;

	rest = *line == '#' ? NULL : find(event, line);
	if (!rest)
		return false;
	take_place(event, rest);
	for (word = strtok_r(rest, " ", &save); word;
	     word = strtok_r(NULL, " ", &save))
		take_value(event, word);
	return true;
}

int kpath_parse(char *text, struct kpath_events *events)
{
	struct kpath_event *event;
	char *save, *line;

	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		event = next_event(events);
		if (!event)
			return -ENOMEM;
		events->nr += take_line(event, line);
	}
	return 0;
}

/* Is it in the trace of calls as well as in that of pages? */
static bool kept(const struct kpath_event *event)
{
	const struct kpath_probe *probe = &kpath_probes[event->id];

	switch (event->id) {
	case KPATH_TARGET:
		return !event->value[KPATH_V_DST];
	case KPATH_UNMAP:
		return !event->value[KPATH_V_RET] ||
		       event->value[KPATH_V_REFS] > 1;
	case KPATH_MOVE:
		return event->value[KPATH_V_RET];
	default:
		return !probe->per_page;
	}
}

/*
 * The stamps have microseconds. Events of the same one stand in the order in
 * which a pin goes through them.
 */
static bool before(const struct kpath_event *a, const struct kpath_event *b)
{
	return a->ts_us != b->ts_us ? a->ts_us < b->ts_us : a->id < b->id;
}

int kpath_merge(struct kpath_events *calls, const struct kpath_events *pages)
{
	struct kpath_events all = { .nr = 0 };
	struct kpath_event *event;
	size_t c = 0, p = 0;

	while (c < calls->nr || p < pages->nr) {
		if (p < pages->nr && kept(&pages->event[p])) {
			p++;
			continue;
		}
		event = next_event(&all);
		if (!event) {
			free(all.event);
			return -ENOMEM;
		}
		if (p == pages->nr)
			*event = calls->event[c++];
		else if (c < calls->nr &&
			 before(&calls->event[c], &pages->event[p]))
			*event = calls->event[c++];
		else
			*event = pages->event[p++];
		all.nr++;
	}
	free(calls->event);
	*calls = all;
	return 0;
}
