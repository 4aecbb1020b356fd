/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ORACLE_PAGE_H
#define ORACLE_PAGE_H

#include "answer.h"

/* What may be pinned, as reStructuredText. 0, or 1 if it could not be written. */
int page_write(const struct store *store, FILE *out);

/* Its lists. */
void page_changes(FILE *out);
int page_rows(const struct store *store, FILE *out);
void page_names(FILE *out);
void page_rules(FILE *out);

#endif /* ORACLE_PAGE_H */
