/* SPDX-License-Identifier: GPL-2.0 */
/* The text of the tables, defined by the assembler in tables.c. */
#ifndef CONTRACTS_TABLES_H
#define CONTRACTS_TABLES_H

extern const char table_expect_text[];
extern const char table_changes_text[];
extern const char table_plan_text[];
extern const char table_models_text[];

#endif /* CONTRACTS_TABLES_H */
