/* SPDX-License-Identifier: GPL-2.0 */
/* Whether the tables say all there is to say, and nothing in vain. */
#ifndef CONTRACTS_COVERAGE_H
#define CONTRACTS_COVERAGE_H

#include <stdio.h>
#include "rows.h"

/*
 * One line to @out for each row that the table expect has no line for on one of
 * the kernels, for each line of it that is never the first to match, and for
 * each such line of the plan. A line for kernels that are none of these is asked
 * about at the ends of its own range. How many complaints; -errno.
 */
int coverage_check(const int (*kernels)[2], size_t nr, FILE *out);

#endif /* CONTRACTS_COVERAGE_H */
