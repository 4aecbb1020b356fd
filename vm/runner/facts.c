// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "text.h"

#define FACTS_MAX	256

static const char * const op_names[] = {
	[EXPECT_EQ] = "=",
	[EXPECT_NE] = "!=",
	[EXPECT_GE] = ">=",
	[EXPECT_LE] = "<=",
};

void facts_add(struct facts *f, const char *assignment)
{
	const char *eq = strchr(assignment, '=');
	struct fact *new;

	if (!eq || eq == assignment || f->count == FACTS_MAX)
		return;
	f->all = text_grow(f->all, f->count, sizeof(*new));
	new = &f->all[f->count++];
	new->key = text_printable(assignment, eq - assignment);
	new->value = text_printable(eq + 1, strlen(eq + 1));
}

/* The first one counts: nothing later in the run can change it. */
const char *facts_get(const struct facts *f, const char *key)
{
	size_t i;

	for (i = 0; i < f->count; i++)
		if (!strcmp(f->all[i].key, key))
			return f->all[i].value;
	return NULL;
}

static bool fact_value(const char *s, long long *value)
{
	if (!strcmp(s, "none")) {
		*value = 0;
		return true;
	}
	return text_number(s, value);
}

bool facts_number(const struct facts *f, const char *key, long long *value)
{
	const char *s = facts_get(f, key);

	return s && fact_value(s, value);
}

void facts_free(struct facts *f)
{
	size_t i;

	for (i = 0; i < f->count; i++) {
		free(f->all[i].key);
		free(f->all[i].value);
	}
	free(f->all);
	memset(f, 0, sizeof(*f));
}

void expects_add(struct expects *e, const char *key, enum expect_op op,
		 const char *value)
{
	struct expect *new;

	e->all = text_grow(e->all, e->count, sizeof(*new));
	new = &e->all[e->count++];
	new->key = text_dup(key);
	new->op = op;
	new->value = text_dup(value);
}

static bool expect_parse(struct expects *e, const char *word)
{
	size_t len = strcspn(word, "=!<>"), i;
	long long number;
	const char *s;
	char *key;

	if (!len)
		return false;
	s = word + len;
	for (i = 0; i < ARRAY_SIZE(op_names); i++)
		if (text_starts(s, op_names[i]))
			break;
	if (i == ARRAY_SIZE(op_names))
		return false;
	s += strlen(op_names[i]);
	if (!*s || *s == '=' || (i >= EXPECT_GE && !text_number(s, &number)))
		return false;
	key = text_dup_len(word, len);
	expects_add(e, key, i, s);
	free(key);
	return true;
}

bool expects_parse(struct expects *e, const char *s, char **bad)
{
	char *word;

	while ((word = text_word(&s))) {
		if (!expect_parse(e, word)) {
			*bad = word;
			return false;
		}
		free(word);
	}
	return true;
}

static bool expect_met(const struct expect *e, const char *got)
{
	long long want_number, got_number;
	bool numbers;

	if (!got)
		return false;
	numbers = fact_value(got, &got_number) &&
		  fact_value(e->value, &want_number);
	switch (e->op) {
	case EXPECT_EQ:
		return numbers ? got_number == want_number :
		       !strcmp(got, e->value);
	case EXPECT_NE:
		return numbers ? got_number != want_number :
		       strcmp(got, e->value);
	case EXPECT_GE:
		return numbers && got_number >= want_number;
	case EXPECT_LE:
		return numbers && got_number <= want_number;
	}
	return false;
}

static const char *cma_hint(const char *got)
{
	if (!got || !strcmp(got, "none"))
		return "this kernel has no CONFIG_CMA";
	if (!strcmp(got, "0"))
		return "no CMA area: cma= was not given or did not fit, or this kernel has no CONFIG_CMA";
	return "cma= did not fit or was cut; try more memory, or nokaslr";
}

static const char *expect_hint(const struct expect *e, const char *got)
{
	if (text_starts(e->key, "hugetlb_cma_"))
		return "hugetlb_cma= needs whole gigantic pages in one bank of memory of the node, and a CPU that has them";
	if (!strcmp(e->key, "cma_hidden_blocks"))
		return "CMA pageblocks in no CMA area come from Kexec HandOver: kho=on and kho_scratch=";
	if (text_starts(e->key, "cma_"))
		return cma_hint(got);
	if (text_starts(e->key, "onlined_movable_"))
		return "hot-added memory that init onlined: is there a pc-dimm of that size, and did the kernel see it?";
	if (text_starts(e->key, "movable_"))
		return "ZONE_MOVABLE is not as wanted: was movablecore= given, or memory onlined as movable, and does it fit?";
	if (!strcmp(e->key, "nodes"))
		return "NUMA nodes come from QEMU's -numa";
	if (!strcmp(e->key, "release"))
		return "another kernel booted than the modules were built for";
	if (!strcmp(e->key, "cpus"))
		return "the guest did not bring all its CPUs up";
	return got ? "" : "the guest did not report it";
}

char *expects_check(const struct expects *e, const struct facts *f,
		    const char *profile)
{
	struct text t = { 0 };
	size_t i;

	for (i = 0; i < e->count; i++) {
		const struct expect *x = &e->all[i];
		const char *got = facts_get(f, x->key), *hint;

		if (expect_met(x, got))
			continue;
		if (t.len)
			text_puts(&t, "; ");
		else
			text_printf(&t, "profile %s: ", profile);
		hint = expect_hint(x, got);
		text_printf(&t, "wanted %s%s%s, got %s", x->key,
			    op_names[x->op], x->value, got ? got : "nothing");
		if (*hint)
			text_printf(&t, ": %s", hint);
	}
	return t.s;
}

void expects_free(struct expects *e)
{
	size_t i;

	for (i = 0; i < e->count; i++) {
		free(e->all[i].key);
		free(e->all[i].value);
	}
	free(e->all);
	memset(e, 0, sizeof(*e));
}
