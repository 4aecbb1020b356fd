/* SPDX-License-Identifier: GPL-2.0 */
/* The rows that the table plan makes of the registries. */
#ifndef CONTRACTS_ROWS_H
#define CONTRACTS_ROWS_H

#include "row.h"
#include "rules.h"

/* The tables as they were when this was built. */
extern const struct tables contract_tables;

/*
 * All planned rows of this guest whose name matches @glob, or one of several with
 * commas between, allocated, in the order of the registries; how many, or -errno.
 * @world NULL: of every guest.
 */
ssize_t rows_plan(struct world *world, const char *glob, struct row **rows);

/* The lines of the plan that are the first to match anything. 0 or -errno. */
int rows_used_rules(struct rule_set *used);

/* The same rows in an order that @seed decides. */
void rows_shuffle(struct row *rows, size_t nr, unsigned int seed);

/* Whether a registry has something that @glob matches; for table_check(). */
bool rows_known(const char *kind, const char *glob);

#endif /* CONTRACTS_ROWS_H */
