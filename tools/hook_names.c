// SPDX-License-Identifier: GPL-2.0
/*
 * Which functions of the hooks this kernel has: to ask libbpf for one that is not
 * there goes through all types of the kernel and of each module, and most RDMA
 * drivers are not there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hook_names.h"
#include "hooks.h"

static int by_name(const void *a, const void *b)
{
	const struct hook_name *x = a, *y = b;

	return strcmp(x->s, y->s);
}

void hook_names_collect(struct hook_names *n)
{
	unsigned int i, at;

	n->nr = 0;
	for (i = 0; i < hooks_nr; i++)
		for (at = 0; hooks[i].symbols[at] && n->nr < HOOK_NAMES; at++)
			n->all[n->nr++] = (struct hook_name){
				.s = hooks[i].symbols[at], .hook = i, .at = at,
			};
	qsort(n->all, n->nr, sizeof(*n->all), by_name);
}

const struct hook_name *hook_names_find(const struct hook_names *n, const char *s)
{
	const struct hook_name wanted = { .s = s };
	const struct hook_name *found = bsearch(&wanted, n->all, n->nr,
						sizeof(*n->all), by_name);

	while (found > n->all && !by_name(found - 1, found))
		found--;
	return found;
}

const struct hook_name *hook_names_next(const struct hook_names *n,
					const struct hook_name *name)
{
	const struct hook_name *next = name + 1;

	return next < n->all + n->nr && !by_name(name, next) ? next : NULL;
}

/* "ffffffffc0a01000 t name\t[module]" */
static void one_line(const struct hook_names *n, char *line, uint32_t *there)
{
	const struct hook_name *name;
	char *s = strchr(line, ' ');

	if (!s || strlen(s) < 4)
		return;
	s += 3;
	s[strcspn(s, "\t\n")] = 0;
	for (name = hook_names_find(n, s); name; name = hook_names_next(n, name))
		there[name->hook] |= 1u << name->at;
}

bool hook_names_there(const struct hook_names *n, const struct source *source,
		      uint32_t *there)
{
	char path[512], line[512];
	bool any = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/kallsyms", source->root);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		one_line(n, line, there);
		any = true;
	}
	if (f)
		fclose(f);
	return any;
}
