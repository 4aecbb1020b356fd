// SPDX-License-Identifier: GPL-2.0
/* The order of kernel releases, and which one is the first bad one. */
#include <stdlib.h>
#include <string.h>

#include "first_bad.h"
#include "unit.h"
#include "version.h"

TEST(version_order)
{
	static const char * const rising[] = {
		"5.10.0-30-amd64", "6.1.0-9-amd64", "6.1.0-40-amd64",
		"6.12.9+deb13-amd64", "6.12.118+deb13-amd64", "7.2.6",
		"7.3-rc2", "7.3~rc10-amd64", "7.3", "7.3.4+deb13-amd64",
		"7.3.4+deb14-amd64", "7.10", "10.0",
	};
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(rising); i++) {
		for (k = 0; k < ARRAY_SIZE(rising); k++) {
			int got = version_compare(rising[i], rising[k]);

			if ((got > 0) - (got < 0) != (i > k) - (i < k))
				unit_fail(__FILE__, __LINE__, "%s and %s: %d",
					  rising[i], rising[k], got);
		}
	}
}

/* One letter for each kernel, oldest first: good, bad, skip, ? not run. */
static size_t suspects(struct suspect *s, const char *letters)
{
	static const char * const names[] = { "a", "b", "c", "d", "e", "f", "g", "h" };
	size_t i;

	for (i = 0; letters[i]; i++) {
		s[i].name = names[i];
		s[i].release = names[i];
		s[i].found = letters[i] == 'g' ? FOUND_GOOD :
			     letters[i] == 'b' ? FOUND_BAD :
			     letters[i] == 's' ? FOUND_SKIP : FOUND_UNKNOWN;
	}
	return i;
}

static void check_say(const char *letters, const char *want, int want_code)
{
	struct suspect s[8];
	size_t count = suspects(s, letters);
	int code = -1;

	CHECK_STRING(first_bad_say(s, count, &code), want);
	CHECK_NUMBER(code, want_code);
}

TEST(first_bad_is_said)
{
	check_say("ggbb", "first bad: c, last good: b", 0);
	check_say("gb", "first bad: b, last good: a", 0);
	check_say("gggg", "never bad", 1);
	check_say("gs", "never bad; cannot be told of b", 1);
	check_say("bbb", "always bad: first bad: a, no good one before it", 1);
	check_say("sbb", "always bad: first bad: b, no good one before it; cannot be told of a", 1);
	check_say("gsb", "first bad: c, last good: a; cannot be told of b", 0);
	check_say("g?sb", "first bad: d, last good: a; cannot be told of c", 0);
	check_say("gbgb", "first bad: b, last good: a; good again: c", 0);
	check_say("bg", "bad from the start: first bad: a, no good one before it; good again: b", 1);
	check_say("sss", "nothing can be said: no kernel was good, none was bad", 4);
	check_say("s", "nothing can be said: no kernel was good, none was bad", 4);
}

/* Runs a bisection over what each kernel is; returns how many it ran. */
static size_t bisect(const char *truth, const char *want)
{
	struct suspect s[8], real[8];
	size_t count = suspects(real, truth), ran = 0;
	int code;
	long i;

	memcpy(s, real, sizeof(s));
	for (i = 0; i < (long)count; i++)
		s[i].found = FOUND_UNKNOWN;
	while ((i = first_bad_next(s, count)) >= 0) {
		CHECK_NUMBER(s[i].found, FOUND_UNKNOWN);
		s[i].found = real[i].found;
		CHECK(++ran <= count);
	}
	CHECK_STRING(first_bad_say(s, count, &code), want);
	return ran;
}

TEST(first_bad_bisects)
{
	CHECK_NUMBER(bisect("gggggbbb", "first bad: f, last good: e"), 5);
	CHECK(bisect("gbbbbbbb", "first bad: b, last good: a") <= 5);
	CHECK(bisect("gggggggb", "first bad: h, last good: g") <= 5);
	CHECK_NUMBER(bisect("gggggggg", "never bad"), 1);
	bisect("bbbbbbbb", "always bad: first bad: a, no good one before it");
	bisect("gggsbbbb", "first bad: e, last good: c; cannot be told of d");
	bisect("sggbbbss", "first bad: d, last good: c");
	bisect("ssssssss", "nothing can be said: no kernel was good, none was bad");
	bisect("ssssssbs", "always bad: first bad: g, no good one before it; cannot be told of a, b, c, d, e, f, h");
	bisect("g", "never bad");
}
