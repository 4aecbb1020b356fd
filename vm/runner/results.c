// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "results.h"

struct result *results_add(struct results *r, const char *program,
			   const char *name, enum status status)
{
	struct result *new;

	if (r->count == RESULTS_MAX) {
		r->dropped++;
		return NULL;
	}
	r->all = text_grow(r->all, r->count, sizeof(*new));
	new = &r->all[r->count++];
	memset(new, 0, sizeof(*new));
	new->program = text_dup(program);
	new->name = text_dup(name);
	new->status = status;
	return new;
}

void results_fail(struct results *r, const char *program, const char *name,
		  const char *reason, const char *diag)
{
	struct result *new = results_add(r, program, name, STATUS_FAILED);

	if (!new)
		return;
	new->reason = text_dup(reason);
	if (diag && *diag)
		new->diag = text_dup(diag);
}

void results_count(const struct results *r, struct counts *c)
{
	size_t i;

	memset(c, 0, sizeof(*c));
	for (i = 0; i < r->count; i++) {
		c->passed += r->all[i].status == STATUS_PASSED;
		c->failed += r->all[i].status == STATUS_FAILED;
		c->skipped += r->all[i].status == STATUS_SKIPPED;
	}
	c->failed += r->dropped;
}

void results_free(struct results *r)
{
	size_t i;

	for (i = 0; i < r->count; i++) {
		free(r->all[i].program);
		free(r->all[i].name);
		free(r->all[i].reason);
		free(r->all[i].diag);
	}
	free(r->all);
	memset(r, 0, sizeof(*r));
}

static int result_order(const void *a, const void *b)
{
	const struct result *x = *(const struct result * const *)a;
	const struct result *y = *(const struct result * const *)b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x > y) - (x < y);
}

static void result_rename(struct result *r, size_t copy)
{
	char *name = text_format("%s.duplicate_%zu", r->name, copy);

	free(r->reason);
	r->reason = text_format("there is more than one result named %s",
				r->name);
	r->status = STATUS_FAILED;
	free(r->name);
	r->name = name;
}

void results_check_names(struct results *r)
{
	struct result **sorted = text_alloc(r->count * sizeof(*sorted));
	size_t i, first, renamed;

	do {
		renamed = r->renamed;
		for (i = 0; i < r->count; i++)
			sorted[i] = &r->all[i];
		qsort(sorted, r->count, sizeof(*sorted), result_order);
		for (first = 0, i = 1; i < r->count; i++) {
			if (strcmp(sorted[i]->name, sorted[first]->name)) {
				first = i;
				continue;
			}
			result_rename(sorted[i], i - first + 1);
			r->renamed++;
		}
	} while (renamed != r->renamed);
	free(sorted);
}

const char *status_name(enum status s)
{
	static const char * const names[] = {
		[STATUS_PASSED] = "passed",
		[STATUS_FAILED] = "failed",
		[STATUS_SKIPPED] = "skipped",
	};

	return names[s];
}
