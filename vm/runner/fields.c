// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "text.h"

json_object *json_get(json_object *o, const char *key)
{
	json_object *value = NULL;

	if (json_object_is_type(o, json_type_object))
		json_object_object_get_ex(o, key, &value);
	return value;
}

const char *json_string(json_object *o, const char *key)
{
	json_object *value = json_get(o, key);

	return json_object_is_type(value, json_type_string) ?
	       json_object_get_string(value) : NULL;
}

char *json_string_dup(json_object *o, const char *key, const char *fallback)
{
	const char *s = json_string(o, key);

	if (!s)
		s = fallback;
	return s ? text_printable(s, strlen(s)) : NULL;
}

long long json_number(json_object *o, const char *key)
{
	json_object *value = json_get(o, key);

	if (!json_object_is_type(value, json_type_int) ||
	    json_object_get_int64(value) < 0)
		return -1;
	return json_object_get_int64(value);
}

void json_add_string(json_object *o, const char *key, const char *value)
{
	char *shown;

	if (!value)
		return;
	shown = text_printable(value, strlen(value));
	json_object_object_add(o, key, json_object_new_string(shown));
	free(shown);
}

char *json_save(json_object *o, const char *path)
{
	if (json_object_to_file_ext(path, o, JSON_C_TO_STRING_PRETTY |
				    JSON_C_TO_STRING_NOSLASHESCAPE))
		return text_format("%s: %s", path, json_util_get_last_err());
	return NULL;
}
