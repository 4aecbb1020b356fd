/* SPDX-License-Identifier: GPL-2.0 */
/* Compares what a row did with what it must do, and says so in KTAP. */
#ifndef CONTRACTS_PRINT_H
#define CONTRACTS_PRINT_H

#include "row.h"

struct print {
	size_t number, passed, failed, skipped;
};

void print_begin(size_t rows);
void print_row(struct print *print, const struct world *world,
	       const struct row *row, const struct row_result *result);
/*
 * One line: the row, and all that must be the same whenever it is run; "-" for an
 * effect that is up to chance.
 */
void print_outcome(const struct world *world, const struct row *row,
		   const struct row_result *result);
void print_end(const struct print *print);

#endif /* CONTRACTS_PRINT_H */
