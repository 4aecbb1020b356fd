/* SPDX-License-Identifier: GPL-2.0 */
/* Whether runs make up a whole: no share twice, none missing. */
#ifndef VMRUN_GRID_MERGE_H
#define VMRUN_GRID_MERGE_H

#include "grid.h"

/*
 * NULL, or why these runs cannot be one result, to be freed. What is missing
 * is no error: it is added as a lost run, which fails. plan: NULL, or what
 * "vm/plan --format github" printed.
 */
char *grid_merge_check(struct grid_runs *runs, struct json_object *plan);
/* "2/3": 1 <= *number <= *of. */
bool grid_shard_parse(const char *s, long *number, long *of);

#endif
