// SPDX-License-Identifier: GPL-2.0
/* Lines of a table, cut into fields. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include "table_line.h"

static void cut(struct table_line *line)
{
	char *rest = line->copy, *field;

	line->nr = 0;
	while (line->nr < TABLE_FIELDS && (field = strsep(&rest, " \t")))
		if (*field)
			line->field[line->nr++] = field;
}

bool table_next(const char **at, struct table_line *line)
{
	while (**at) {
		size_t whole = strcspn(*at, "\n");
		size_t len = strcspn(*at, "#\n");

		line->text = *at;
		line->number++;
		*at += whole + ((*at)[whole] == '\n');
		while (len && strchr(" \t", line->text[len - 1]))
			len--;
		line->len = len < TABLE_LINE ? len : TABLE_LINE - 1;
		memcpy(line->copy, line->text, line->len);
		line->copy[line->len] = '\0';
		cut(line);
		if (line->nr)
			return true;
	}
	return false;
}

bool list_matches(const char *list, const char *name)
{
	char copy[TABLE_LINE], *rest = copy, *glob;

	snprintf(copy, sizeof(copy), "%s", list);
	while ((glob = strsep(&rest, ",")))
		if (!fnmatch(glob, name, 0))
			return true;
	return false;
}
