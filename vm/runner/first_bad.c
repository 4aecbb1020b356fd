// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "first_bad.h"
#include "text.h"
#include "version.h"

static long first_of(const struct suspect *s, size_t count, enum found f)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (s[i].found == f)
			return i;
	return -1;
}

static long last_before(const struct suspect *s, long end, enum found f)
{
	while (--end >= 0)
		if (s[end].found == f)
			break;
	return end;
}

/* The one nearest to the middle that was not run; -1: there is none. */
static long middle(const struct suspect *s, long low, long high)
{
	long mid = (low + high) / 2, step;

	for (step = 0; step <= high - low; step++) {
		if (mid - step > low && s[mid - step].found == FOUND_UNKNOWN)
			return mid - step;
		if (mid + step < high && s[mid + step].found == FOUND_UNKNOWN)
			return mid + step;
	}
	return -1;
}

long first_bad_next(const struct suspect *s, size_t count)
{
	long bad = first_of(s, count, FOUND_BAD), good, i;

	/* The newest first: if that is not bad, there is nothing to find. */
	for (i = (long)count - 1; bad < 0 && i >= 0; i--) {
		if (s[i].found == FOUND_UNKNOWN)
			return i;
		if (s[i].found == FOUND_GOOD)
			return -1;
	}
	if (bad < 0)
		return -1;
	good = last_before(s, bad, FOUND_GOOD);
	for (i = 0; good < 0 && i < bad; i++)
		if (s[i].found == FOUND_UNKNOWN)
			return i;
	return good < 0 ? -1 : middle(s, good, bad);
}

static void add_between(struct text *t, const struct suspect *s, long from,
			long to)
{
	long i;
	bool first = true;

	for (i = from + 1; i < to; i++) {
		if (s[i].found != FOUND_SKIP)
			continue;
		text_printf(t, "%s%s", first ? "; cannot be told of " : ", ",
			    s[i].name);
		first = false;
	}
}

char *first_bad_say(const struct suspect *s, size_t count, int *exit_code)
{
	long bad = first_of(s, count, FOUND_BAD);
	long good = first_of(s, count, FOUND_GOOD), last;
	struct text t = { 0 };

	*exit_code = 1;
	if (bad < 0 && good < 0) {
		*exit_code = 4;
		return text_dup("nothing can be said: no kernel was good, none was bad");
	}
	if (bad < 0) {
		text_puts(&t, "never bad");
		add_between(&t, s, -1, count);
		return t.s;
	}
	last = last_before(s, bad, FOUND_GOOD);
	if (last < 0) {
		text_printf(&t, "%s: first bad: %s, no good one before it",
			    good < 0 ? "always bad" : "bad from the start",
			    s[bad].name);
		add_between(&t, s, -1, good < 0 ? (long)count : bad);
	} else {
		*exit_code = 0;
		text_printf(&t, "first bad: %s, last good: %s", s[bad].name,
			    s[last].name);
		add_between(&t, s, last, bad);
	}
	good = last_before(s, count, FOUND_GOOD);
	if (good > bad)
		text_printf(&t, "; good again: %s", s[good].name);
	return t.s;
}

static int by_release(const void *a, const void *b)
{
	const struct suspect *x = a, *y = b;
	int result = version_compare(x->release, y->release);

	return result ? result : strcmp(x->name, y->name);
}

/* NAME=RELEASE=STATE */
static bool suspect_parse(struct suspect *s, char *word)
{
	static const char * const states[] = { "unknown", "good", "bad", "skip" };
	char *release = strchr(word, '='), *state = strrchr(word, '=');
	size_t i;

	if (!release || release == state || release == word)
		return false;
	*release++ = '\0';
	*state++ = '\0';
	s->name = word;
	s->release = release;
	for (i = 0; i < ARRAY_SIZE(states); i++) {
		if (strcmp(state, states[i]))
			continue;
		s->found = i;
		return true;
	}
	return false;
}

/*
 * vmrun --first-bad order|next|say NAME=RELEASE=STATE...: the names in order;
 * the one to run next, or nothing; the answer.
 */
int first_bad_main(int argc, char **argv)
{
	struct suspect *s = text_alloc(argc * sizeof(*s));
	size_t count = argc > 3 ? argc - 3 : 0, i;
	bool ok = count;
	int code = 0;
	char *line;
	long next;

	for (i = 0; i < count && ok; i++)
		ok = suspect_parse(&s[i], argv[i + 3]);
	if (ok)
		qsort(s, count, sizeof(*s), by_release);
	if (ok && !strcmp(argv[2], "order")) {
		for (i = 0; i < count; i++)
			puts(s[i].name);
	} else if (ok && !strcmp(argv[2], "next")) {
		next = first_bad_next(s, count);
		if (next >= 0)
			puts(s[next].name);
	} else if (ok && !strcmp(argv[2], "say")) {
		line = first_bad_say(s, count, &code);
		puts(line);
		free(line);
	} else {
		fputs("vmrun: --first-bad takes order, next or say, and NAME=RELEASE=unknown|good|bad|skip for each\n",
		      stderr);
		code = 2;
	}
	free(s);
	return code;
}
