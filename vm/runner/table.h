/* SPDX-License-Identifier: GPL-2.0 */
/* The matrix of cases, one row for each "case" record. */
#ifndef VMRUN_TABLE_H
#define VMRUN_TABLE_H

#include <json-c/json.h>

/* Both to be freed. NULL: the record is of another type. */
char *table_head(const char *consumer);
char *table_row(json_object *record);
const char *table_consumer(json_object *record);

#endif
