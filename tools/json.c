// SPDX-License-Identifier: GPL-2.0
/* Members of JSON objects. */
#include <inttypes.h>
#include <stdio.h>

#include "json.h"

void json_add_string(struct json_object *to, const char *key, const char *s)
{
	json_object_object_add(to, key, s ? json_object_new_string(s) : NULL);
}

void json_add_int(struct json_object *to, const char *key, int64_t value)
{
	json_object_object_add(to, key, json_object_new_int64(value));
}

void json_add_bool(struct json_object *to, const char *key, bool value)
{
	json_object_object_add(to, key, json_object_new_boolean(value));
}

void json_add_hex(struct json_object *to, const char *key, uint64_t value)
{
	char s[24];

	snprintf(s, sizeof(s), "0x%" PRIx64, value);
	json_add_string(to, key, s);
}
