/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of single lines of KTAP. */
#ifndef VMRUN_KTAP_PARSE_H
#define VMRUN_KTAP_PARSE_H

#include <stdbool.h>
#include <stddef.h>

enum directive {
	DIRECTIVE_NONE,
	DIRECTIVE_SKIP,
	DIRECTIVE_XFAIL,
	DIRECTIVE_XPASS,
	DIRECTIVE_OTHER,
};

struct ktap_result {
	bool ok;
	long number;		/* 0: none given */
	char *name;		/* may be empty */
	enum directive directive;
	char *text;		/* behind the directive */
};

/* *text is what follows the directive, or s if there is none. */
enum directive ktap_parse_directive(const char *s, const char **text);
/* All to be freed. */
char *ktap_parse_name(const char *s, size_t len);
char *ktap_parse_reason(const char *diag);
/* Is this line one that says how a test, or all of them, went. */
bool ktap_parse_tells(const char *line);
/* False if the line is no result; else r->name and r->text are to be freed. */
bool ktap_parse_result(const char *s, struct ktap_result *r);

#endif
