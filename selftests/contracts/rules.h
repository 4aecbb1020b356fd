/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The plan, for many rows at once: there are some hundred thousand combinations
 * of names, and in emulation each of them would read the table again.
 */
#ifndef CONTRACTS_RULES_H
#define CONTRACTS_RULES_H

#include <stdbool.h>
#include <stdint.h>

#define RULES_MAX	512

/* Lines of the plan by their order, from 0. */
struct rule_set {
	uint64_t bits[RULES_MAX / 64];
};

enum rule_field {
	RULE_CONSUMER, RULE_ACCESS, RULE_BACKING, RULE_PLACEMENT, RULE_HOLD,
	RULE_RUN,		/* "run" */
};

/* The lines of @plan whose @field is or lists @name. */
void rules_matching(const char *plan, enum rule_field field, const char *name,
		    struct rule_set *set);

/* How many there are; more than RULES_MAX cannot be told apart. */
unsigned int rules_count(const char *plan);

/* The number of the @rule-th one's line in the file. */
int rules_line(const char *plan, unsigned int rule);

void rules_both(struct rule_set *set, const struct rule_set *a,
		const struct rule_set *b);
bool rules_has(const struct rule_set *set, unsigned int rule);
void rules_add(struct rule_set *set, unsigned int rule);

/* The first line of a set, RULES_MAX if it is empty. */
unsigned int rules_first(const struct rule_set *set);

#endif /* CONTRACTS_RULES_H */
