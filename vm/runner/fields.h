/* SPDX-License-Identifier: GPL-2.0 */
/* What is asked of json-c in more than one place. */
#ifndef VMRUN_FIELDS_H
#define VMRUN_FIELDS_H

#include <json-c/json.h>

/* NULL if it is not there or of another type. */
const char *json_string(struct json_object *o, const char *key);
struct json_object *json_get(struct json_object *o, const char *key);
/* A copy, or a copy of fallback, or NULL. */
char *json_string_dup(struct json_object *o, const char *key, const char *fallback);
/* -1 if it is not a number of at least 0. */
long long json_number(struct json_object *o, const char *key);
void json_add_string(struct json_object *o, const char *key, const char *value);
/* NULL, or what went wrong, to be freed. */
char *json_save(struct json_object *o, const char *path);

#endif
