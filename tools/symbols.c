// SPDX-License-Identifier: GPL-2.0
/* Addresses of the kernel as names, from /proc/kallsyms. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols.h"

struct symbol {
	uint64_t address;
	char *name;
	char *module;		/* NULL: the kernel itself */
};

struct symbols {
	struct symbol *all;
	size_t nr, room;
};

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static bool add(struct symbols *s, uint64_t address, const char *name,
		const char *module)
{
	struct symbol *more;

	if (s->nr == s->room) {
		s->room = s->room ? s->room * 2 : 65536;
		more = realloc(s->all, s->room * sizeof(*more));
		if (!more)
			return false;
		s->all = more;
	}
	s->all[s->nr++] = (struct symbol){
		.address = address, .name = strdup(name),
		.module = module ? strdup(module) : NULL,
	};
	return true;
}

/* "ffffffffc0a01000 t name\t[module]"; there are too many for sscanf(). */
static void one_line(struct symbols *s, char *line)
{
	char *name, *module;
	uint64_t address = strtoull(line, &name, 16);

	if (!address || strlen(name) < 4 || name[0] != ' ' || name[2] != ' ' ||
	    !strchr("tTwW", name[1]))
		return;
	name += 3;
	module = name + strcspn(name, "\t\n");
	if (*module == '\t') {
		*module++ = 0;
		module += *module == '[';
		module[strcspn(module, "]\n")] = 0;
	}
	name[strcspn(name, "\n")] = 0;
	add(s, address, name, *module ? module : NULL);
}

struct symbols *symbols_read(void)
{
	struct symbols *s = calloc(1, sizeof(*s));
	FILE *f = fopen("/proc/kallsyms", "re");
	char line[512];

	while (s && f && fgets(line, sizeof(line), f))
		one_line(s, line);
	if (f)
		fclose(f);
	if (!s || !s->nr) {
		symbols_free(s);
		return NULL;
	}
	qsort(s->all, s->nr, sizeof(*s->all), by_address);
	return s;
}

void symbols_free(struct symbols *s)
{
	size_t i;

	for (i = 0; s && i < s->nr; i++) {
		free(s->all[i].name);
		free(s->all[i].module);
	}
	if (s)
		free(s->all);
	free(s);
}

const char *symbols_find(const struct symbols *s, uint64_t ip, char *module,
			 size_t size)
{
	size_t low = 0, high = s ? s->nr : 0;
	const struct symbol *found;

	snprintf(module, size, "%s", "");
	if (!high || ip < s->all[0].address)
		return NULL;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (s->all[middle].address <= ip)
			low = middle;
		else
			high = middle;
	}
	found = s->all + low;
	/* Of names for one address, any but an alias of padding. */
	snprintf(module, size, "%s", found->module ? found->module : "");
	return found->name;
}

/* What lies between a caller and the place where it was seen. */
static bool uninteresting(const char *name, const char *module)
{
	static const char *const begins[] = {
		"bpf_", "__bpf", "pin_user_pages", "get_user_pages", "__gup_",
		"internal_get_user_pages", "gup_fast", "memfd_pin_folios",
		"arch_rethook", "rethook", "kretprobe", "kprobe", "fprobe",
		"ftrace_", "trampoline", "__kretprobe", "iov_iter_",
		"__iov_iter_get_pages", "trace_call_bpf",
		NULL
	};
	unsigned int i;

	if (!strcmp(module, "bpf"))
		return true;
	for (i = 0; begins[i]; i++)
		if (!strncmp(name, begins[i], strlen(begins[i])))
			return true;
	return false;
}

const char *symbols_caller(const struct symbols *s, const uint64_t *ip, size_t nr,
			   char *module, size_t size)
{
	const char *name;
	size_t i;

	for (i = 0; i < nr; i++) {
		name = symbols_find(s, ip[i], module, size);
		if (name && !uninteresting(name, module))
			return name;
	}
	snprintf(module, size, "%s", "");
	return NULL;
}
