/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CONTRACTS_TABLE_LINE_H
#define CONTRACTS_TABLE_LINE_H

#include <stdbool.h>
#include <stddef.h>

#define TABLE_LINE	512
#define TABLE_FIELDS	32

struct table_line {
	int number;		/* in the table, from 1; 0 before the first */
	const char *text;	/* in the table, without its comment */
	size_t len;
	char copy[TABLE_LINE];	/* cut into fields */
	char *field[TABLE_FIELDS];
	size_t nr;
};

/* The next line that is not empty; @at moves on. False at the end. */
bool table_next(const char **at, struct table_line *line);

/* Whether one of a comma list of globs is @name. */
bool list_matches(const char *list, const char *name);

#endif /* CONTRACTS_TABLE_LINE_H */
