// SPDX-License-Identifier: GPL-2.0
/* Which lines of the plan speak of what. */
#include <string.h>
#include "rules.h"
#include "table_line.h"

#define WORDS	(RULES_MAX / 64)

bool rules_has(const struct rule_set *set, unsigned int rule)
{
	return set->bits[rule / 64] >> rule % 64 & 1;
}

void rules_add(struct rule_set *set, unsigned int rule)
{
	set->bits[rule / 64] |= 1ULL << rule % 64;
}

void rules_matching(const char *plan, enum rule_field field, const char *name,
		    struct rule_set *set)
{
	struct table_line line = { 0 };
	unsigned int rule;

	memset(set, 0, sizeof(*set));
	for (rule = 0; rule < RULES_MAX && table_next(&plan, &line); rule++)
		if (line.nr > field && list_matches(line.field[field], name))
			rules_add(set, rule);
}

unsigned int rules_count(const char *plan)
{
	struct table_line line = { 0 };
	unsigned int nr = 0;

	while (table_next(&plan, &line))
		nr++;
	return nr;
}

int rules_line(const char *plan, unsigned int rule)
{
	struct table_line line = { 0 };

	while (table_next(&plan, &line))
		if (!rule--)
			return line.number;
	return 0;
}

void rules_both(struct rule_set *set, const struct rule_set *a,
		const struct rule_set *b)
{
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		set->bits[i] = a->bits[i] & b->bits[i];
}

unsigned int rules_first(const struct rule_set *set)
{
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		if (set->bits[i])
			return i * 64 + __builtin_ctzll(set->bits[i]);
	return RULES_MAX;
}
