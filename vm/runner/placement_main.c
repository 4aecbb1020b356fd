// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "placement.h"
#include "text.h"

#define EXIT_USAGE	2
#define EXIT_CANNOT	125

static int complain(char *error, int code)
{
	fprintf(stderr, "vmrun: --chart: %s\n", error);
	free(error);
	return code;
}

/* Takes s. */
static char *write_to(const char *out, const char *suffix, char *s)
{
	char *path = text_format("%s.%s", out, suffix), *error;

	error = s ? text_file_write(path, s) :
		text_format("%s: out of memory", path);
	free(path);
	free(s);
	return error;
}

static char *write_json(const struct placement *p, const char *out)
{
	json_object *j = placement_json(p);
	const char *s = json_object_to_json_string_ext(j,
		JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
	char *error = write_to(out, "json", text_format("%s\n", s));

	json_object_put(j);
	return error;
}

static char *write_all(const struct placement *p, const char *out)
{
	char *table = placement_table(p), *error;

	fputs(table, stdout);
	error = write_to(out, "txt", table);
	if (!error)
		error = write_json(p, out);
	if (!error)
		error = write_to(out, "svg", chart_svg(p));
	return error;
}

int placement_main(int argc, char **argv)
{
	struct placement p = { 0 };
	char *error = NULL;
	int i, code;

	if (argc < 4 || argv[2][0] == '-')
		return complain(text_dup("needs where to write, and run folders of the suite placement"),
				EXIT_USAGE);
	for (i = 3; i < argc && !error; i++)
		error = placement_load(&p, argv[i]);
	code = error ? EXIT_USAGE : EXIT_CANNOT;
	if (!error)
		error = write_all(&p, argv[2]);
	placement_free(&p);
	return error ? complain(error, code) : 0;
}
