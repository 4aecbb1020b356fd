// SPDX-License-Identifier: GPL-2.0
/* Callers, and for how long they held pages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"

struct audit_caller *audit_caller(struct audit_table *t, const char *name,
				  const char *module)
{
	struct audit_caller *c;
	unsigned int i;

	for (i = 0; i < t->callers; i++) {
		c = t->caller + i;
		if (!strcmp(c->name, name) && !strcmp(c->module, module))
			return c;
	}
	if (t->callers == AUDIT_CALLERS) {
		t->unlisted++;
		return NULL;
	}
	c = t->caller + t->callers++;
	memset(c, 0, sizeof(*c));
	snprintf(c->name, sizeof(c->name), "%s", name);
	snprintf(c->module, sizeof(c->module), "%s", module);
	return c;
}

unsigned int audit_bucket(uint64_t ns)
{
	unsigned int i = 0;

	while (i < AUDIT_BUCKETS - 1 && ns >= 1000000ull << i)
		i++;
	return i;
}

static int more_pages(const void *a, const void *b)
{
	const struct audit_caller *x = a, *y = b;

	if (x->pages != y->pages)
		return x->pages > y->pages ? -1 : 1;
	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	return strcmp(x->name, y->name);
}

void audit_sort(struct audit_table *t)
{
	qsort(t->caller, t->callers, sizeof(*t->caller), more_pages);
}

uint64_t audit_violations(const struct audit_table *t)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < t->callers; i++)
		sum += t->caller[i].violations;
	return sum;
}
