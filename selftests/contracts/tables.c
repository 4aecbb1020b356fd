// SPDX-License-Identifier: GPL-2.0
/* The tables, as text in the program: where it goes, they go. */
#include "model_rows.h"
#include "rows.h"
#include "tables.h"

#define TABLE(name)						\
	asm(".pushsection .rodata\n"				\
	    "table_" #name "_text:\n"				\
	    ".incbin \"contracts/" #name "\"\n"			\
	    ".byte 0\n"						\
	    ".popsection\n")

TABLE(expect);
TABLE(changes);
TABLE(plan);
TABLE(models);

const struct tables contract_tables = {
	.expect = table_expect_text,
	.changes = table_changes_text,
	.plan = table_plan_text,
};

const char *const contract_models = table_models_text;
