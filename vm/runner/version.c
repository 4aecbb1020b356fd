// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "version.h"

#define NUMBERS		3
#define NO_RC		100000

struct version {
	long number[NUMBERS];
	long rc;
	const char *rest;
};

static void version_parse(struct version *v, const char *s)
{
	char *end;
	int i;

	memset(v, 0, sizeof(*v));
	for (i = 0; i < NUMBERS && isdigit((unsigned char)*s); i++) {
		v->number[i] = strtol(s, &end, 10);
		s = end;
		if (*s == '.' && isdigit((unsigned char)s[1]) && i < NUMBERS - 1)
			s++;
	}
	v->rc = NO_RC;
	if ((*s == '-' || *s == '~') && !strncmp(s + 1, "rc", 2) &&
	    isdigit((unsigned char)s[3])) {
		v->rc = strtol(s + 3, &end, 10);
		s = end;
	}
	v->rest = s;
}

static int order(long a, long b)
{
	return (a > b) - (a < b);
}

int version_compare(const char *a, const char *b)
{
	struct version x, y;
	int i, result;

	version_parse(&x, a);
	version_parse(&y, b);
	for (i = 0; i < NUMBERS; i++) {
		result = order(x.number[i], y.number[i]);
		if (result)
			return result;
	}
	result = order(x.rc, y.rc);
	return result ? result : strverscmp(x.rest, y.rest);
}
