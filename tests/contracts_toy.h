/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A small oracle: registries without functions, and tables that a test sets.
 * What is under test is compiled in contracts_toy.c, once.
 */
#ifndef TESTS_CONTRACTS_TOY_H
#define TESTS_CONTRACTS_TOY_H

#include "../selftests/contracts/rows.h"

/* NULL leaves the toy's own. */
void toy_tables(const char *expect, const char *changes, const char *plan);

#endif
