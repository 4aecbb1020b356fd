// SPDX-License-Identifier: GPL-2.0
/* The list of runs as a CI system's matrix takes it. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "plan.h"
#include "text.h"

#define WORDS		6
#define SHARDS_MAX	1000

static const char * const keys[WORDS - 1] = {
	"kernel", "profile", "suite", "arch", "memory",
};

static void add_entries(json_object *plan, char **words, long programs,
			long shards)
{
	json_object *e;
	char *shard;
	long k, i;

	if (shards > programs)
		shards = programs;
	for (k = 1; k <= shards; k++) {
		e = json_object_new_object();
		for (i = 0; i < WORDS - 1; i++)
			json_add_string(e, keys[i], words[i]);
		shard = shards == 1 ? text_dup("") :
			text_format("%ld/%ld", k, shards);
		json_add_string(e, "shard", shard);
		free(shard);
		json_object_array_add(plan, e);
	}
}

static bool add_line(json_object *plan, const char *line, long shards)
{
	char *words[WORDS] = { NULL }, *more = NULL;
	long long programs;
	bool ok = true;
	int i;

	for (i = 0; i < WORDS; i++)
		ok &= (words[i] = text_word(&line)) != NULL;
	more = text_word(&line);
	ok = ok && !more && text_number(words[WORDS - 1], &programs) &&
	     programs > 0 && programs < 100000;
	if (ok)
		add_entries(plan, words, programs, shards);
	for (i = 0; i < WORDS; i++)
		free(words[i]);
	free(more);
	return ok;
}

json_object *plan_make(const char *lines, long shards)
{
	json_object *plan = json_object_new_array();
	char *copy = text_dup(lines), *rest = copy, *line;
	bool ok = true;

	while (ok && (line = strsep(&rest, "\n")))
		if (*line)
			ok = add_line(plan, line, shards);
	free(copy);
	if (ok)
		return plan;
	json_object_put(plan);
	return NULL;
}

/* GitLab takes the keys as names of variables. */
static json_object *for_gitlab(json_object *plan)
{
	json_object *matrix = json_object_new_array(), *e, *one;
	json_object *parallel = json_object_new_object();
	json_object *job = json_object_new_object();
	json_object *all = json_object_new_object();
	size_t i;
	char *name, *p;

	for (i = 0; i < json_object_array_length(plan); i++) {
		e = json_object_array_get_idx(plan, i);
		one = json_object_new_object();
		json_object_object_foreach(e, key, value) {
			name = text_dup(key);
			for (p = name; *p; p++)
				*p = toupper((unsigned char)*p);
			json_object_object_add(one, name, json_object_get(value));
			free(name);
		}
		json_object_array_add(matrix, one);
	}
	json_object_object_add(parallel, "matrix", matrix);
	json_object_object_add(job, "parallel", parallel);
	json_object_object_add(all, ".plan", job);
	json_object_put(plan);
	return all;
}

static json_object *for_github(json_object *plan)
{
	json_object *all = json_object_new_object();

	json_object_object_add(all, "include", plan);
	return all;
}

static void print_text(json_object *plan)
{
	json_object *e;
	size_t i, k;

	for (i = 0; i < json_object_array_length(plan); i++) {
		e = json_object_array_get_idx(plan, i);
		for (k = 0; k < WORDS - 1; k++)
			printf("%s\t", json_string(e, keys[k]));
		printf("%s\n", json_string(e, "shard"));
	}
}

static char *read_all(FILE *f)
{
	struct text t = { 0 };
	char buf[4096];
	size_t len;

	text_puts(&t, "");
	while ((len = fread(buf, 1, sizeof(buf), f)) > 0)
		text_add(&t, buf, len);
	return t.s;
}

int plan_main(int argc, char **argv)
{
	const char *format = "text";
	long long shards = 1;
	json_object *plan;
	char *lines;
	bool ok = true;
	int i;

	for (i = 2; i < argc && ok; i += 2) {
		ok = i + 1 < argc;
		if (ok && !strcmp(argv[i], "--format"))
			format = argv[i + 1];
		else if (ok && !strcmp(argv[i], "--shards"))
			ok = text_number(argv[i + 1], &shards) && shards >= 1 &&
			     shards <= SHARDS_MAX;
		else
			ok = false;
	}
	if (!ok || (strcmp(format, "github") && strcmp(format, "gitlab") &&
		    strcmp(format, "text"))) {
		fputs("vmrun: --plan takes --format github, gitlab or text, and --shards 1..1000\n",
		      stderr);
		return 2;
	}
	lines = read_all(stdin);
	plan = plan_make(lines, shards);
	free(lines);
	if (!plan || !json_object_array_length(plan)) {
		json_object_put(plan);
		fputs("vmrun: --plan: nothing to run, or a line that is wrong\n", stderr);
		return 2;
	}
	if (!strcmp(format, "text")) {
		print_text(plan);
	} else {
		plan = !strcmp(format, "github") ? for_github(plan) : for_gitlab(plan);
		puts(json_object_to_json_string_ext(plan, JSON_C_TO_STRING_PLAIN |
						    JSON_C_TO_STRING_NOSLASHESCAPE));
	}
	json_object_put(plan);
	return 0;
}
