// SPDX-License-Identifier: GPL-2.0
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "explained.h"

#define WORDS	24

void beside(char *path, size_t size, const char *name)
{
	char self[400] = "";

	*path = 0;
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) > 0)
		snprintf(path, size, "%s/%s", dirname(self), name);
}

/* What is no object was said by a victim. */
static void take_line(struct explained *e, const char *line)
{
	json_object *j = *line == '{' ? json_tokener_parse(line) : NULL, *unused;

	if (!j && *line && e->said < EXPLAINED_SAYS)
		e->says[e->said++] = line;
	else if (j && json_object_object_get_ex(j, "summary", &unused))
		e->summary = j;
	else if (j && json_object_object_get_ex(j, "verdict", &unused) &&
		 e->calls < EXPLAINED_CALLS)
		e->call[e->calls++] = j;
	else
		json_object_put(j);
}

bool explained_missed(struct explained *e)
{
	return e->summary && tool_number(e->summary, "summary/runs_missed") > 0;
}

int explained_run(struct explained *e, const char *const words[])
{
	const char *all[WORDS + 1] = { "explain", "--json", "--hang", "1", "--" };
	char *line, *next;
	int i, err;

	memset(e, 0, sizeof(*e));
	for (i = 0; words[i] && 5 + i < WORDS; i++)
		all[5 + i] = words[i];
	err = tool_run(&e->tool, all);
	for (next = e->tool.out; !err && (line = strsep(&next, "\n"));)
		take_line(e, line);
	return err;
}

void explained_free(struct explained *e)
{
	while (e->calls)
		json_object_put(e->call[--e->calls]);
	json_object_put(e->summary);
	tool_free(&e->tool);
	memset(e, 0, sizeof(*e));
}

json_object *explained_of(struct explained *e, const char *comm, size_t *times)
{
	json_object *found = NULL;
	size_t i;

	*times = 0;
	for (i = 0; i < e->calls; i++) {
		if (strcmp(tool_string(e->call[i], "process/comm"), comm))
			continue;
		if (!found)
			found = e->call[i];
		++*times;
	}
	return found;
}

json_object *explained_next(struct explained *e, json_object *call)
{
	size_t i = 0;

	while (i < e->calls && e->call[i] != call)
		i++;
	for (i++; i < e->calls; i++)
		if (tool_number(e->call[i], "process/pid") ==
		    tool_number(call, "process/pid"))
			return e->call[i];
	return NULL;
}

uint64_t explained_said(struct explained *e, const char *word)
{
	size_t i, len = strlen(word);

	for (i = 0; i < e->said; i++)
		if (!strncmp(e->says[i], word, len) && e->says[i][len] == ' ')
			return strtoull(e->says[i] + len, NULL, 0);
	return 0;
}

bool explained_age(struct explained *e, json_object *call, int64_t before)
{
	int64_t age = tool_number(call, "holders/0/age_ns") / 1000000;
	int64_t took = tool_number(call, "ns") / 1000000;
	int64_t held = explained_said(e, "held");

	return held && age >= took + before &&
	       age <= (int64_t)explained_said(e, "told") - held;
}

const char *explained_errno(json_object *call, const char *layer)
{
	json_object *l = tool_find(call, "layers", "layer", layer);

	return l ? tool_string(l, "errno") : "no such layer";
}
