// SPDX-License-Identifier: GPL-2.0
/*
 * Which functions of the hooks this kernel has: to ask libbpf for one that is not
 * there goes through all types of the kernel and of each module, and most RDMA
 * drivers are not there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hooks.h"
#include "trace_internal.h"

#define NAMES	256

struct name {
	const char *s;
	unsigned int hook, at;
};

struct names {
	struct name all[NAMES];
	unsigned int nr;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->s, ((const struct name *)b)->s);
}

static void collect(struct names *n)
{
	unsigned int i, at;

	n->nr = 0;
	for (i = 0; i < hooks_nr; i++)
		for (at = 0; hooks[i].symbols[at] && n->nr < NAMES; at++)
			n->all[n->nr++] = (struct name){ hooks[i].symbols[at], i, at };
	qsort(n->all, n->nr, sizeof(*n->all), by_name);
}

/* The first of those that have this name; NULL: none has. */
static const struct name *find(const struct names *n, const char *s)
{
	const struct name wanted = { .s = s };
	const struct name *found = bsearch(&wanted, n->all, n->nr,
					   sizeof(*n->all), by_name);

	while (found > n->all && !strcmp(found[-1].s, s))
		found--;
	return found;
}

static void mark_there(struct trace *trace, const struct names *n, const char *s)
{
	const struct name *name = find(n, s);

	for (; name && name < n->all + n->nr && !strcmp(name->s, s); name++)
		trace->there[name->hook] |= 1u << name->at;
}

/* "ffffffffc0a01000 t name\t[module]"; false where it cannot be read. */
static bool read_symbols(struct trace *trace, const struct names *n)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	bool any = false;
	char line[512], *s;

	while (f && fgets(line, sizeof(line), f)) {
		s = strchr(line, ' ');
		if (!s || strlen(s) < 4)
			continue;
		s += 3;
		s[strcspn(s, "\t\n")] = 0;
		mark_there(trace, n, s);
		any = true;
	}
	if (f)
		fclose(f);
	return any;
}

/*
 * fentry cannot be had of functions with more than six arguments, of which 6.1 has
 * two (pin_user_pages_remote() and get_user_pages_remote()).
 */
static void read_arguments(struct trace *trace, const struct names *n)
{
	uint32_t id, types = btf__type_cnt(trace->btf);
	const struct btf_type *t;
	const struct name *name;
	const char *s;

	for (id = 1; id < types; id++) {
		t = btf__type_by_id(trace->btf, id);
		if (!btf_is_func(t))
			continue;
		s = btf__name_by_offset(trace->btf, t->name_off);
		name = find(n, s);
		t = name ? btf__type_by_id(trace->btf, t->type) : NULL;
		if (!t || !btf_is_func_proto(t) || btf_vlen(t) <= 6)
			continue;
		for (; name < n->all + n->nr && !strcmp(name->s, s); name++)
			trace->probed[name->hook] |= !name->at;
	}
}

void trace_find_functions(struct trace *trace)
{
	struct names names;

	collect(&names);
	memset(trace->there, 0, sizeof(trace->there));
	memset(trace->probed, 0, sizeof(trace->probed));
	if (!read_symbols(trace, &names))
		memset(trace->there, 0xff, sizeof(trace->there));
	read_arguments(trace, &names);
}
