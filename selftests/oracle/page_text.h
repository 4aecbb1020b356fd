/* SPDX-License-Identifier: GPL-2.0 */
/* Pieces of reStructuredText, shared by the parts of the page. */
#ifndef ORACLE_PAGE_TEXT_H
#define ORACLE_PAGE_TEXT_H

#include "answer.h"

void text_title(FILE *out, const char *title, char underline);

/* @text as it is, whatever is in it. */
void text_plain(FILE *out, const char *text, size_t len);

/* A table of @columns columns; its cells follow, row by row. */
void text_table(FILE *out, size_t columns, const char *widths);
void text_cell(FILE *out, bool first);

/* What rows called @key must do, kernels that agree together. */
void text_outcomes(FILE *out, const struct row_key *key,
		   const struct store *store, bool linked);

/* The same on one kernel. */
void text_outcome(FILE *out, const struct row_key *key, const int kernel[2],
		  bool linked);

/* Both accesses in one cell. */
void text_accesses(FILE *out, const struct row_key *key, unsigned int can,
		   const int kernel[2]);

#endif /* ORACLE_PAGE_TEXT_H */
