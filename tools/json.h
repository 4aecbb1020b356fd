/* SPDX-License-Identifier: GPL-2.0 */
/* Members of JSON objects, each in one call. */
#ifndef PINPROBE_JSON_H
#define PINPROBE_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

/* NULL becomes null. */
void json_add_string(struct json_object *to, const char *key, const char *s);
void json_add_int(struct json_object *to, const char *key, int64_t value);
void json_add_bool(struct json_object *to, const char *key, bool value);
/* A string, "0x1f": JSON's numbers are not exact beyond 2^53. */
void json_add_hex(struct json_object *to, const char *key, uint64_t value);

#endif
