// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor_run.h"

char *doctor_out, *doctor_err;
json_object *doctor_result;
int doctor_code;

static void shell(char *command)
{
	if (system(command))
		unit_fail(__FILE__, __LINE__, "failed: %s", command);
	free(command);
}

static char *in_tree(const char *path)
{
	return text_format("%s/tree/%s", unit_scratch, path);
}

static void folder_of(const char *path)
{
	char *copy = text_dup(path);

	*strrchr(copy, '/') = '\0';
	shell(text_format("mkdir -p '%s'", copy));
	free(copy);
}

void tree_from(const char *data)
{
	shell(text_format("rm -rf '%s/tree' && cp -a '%s/data/%s' '%s/tree'",
			  unit_scratch, unit_tests, data, unit_scratch));
}

void tree_add(const char *to, const char *from)
{
	char *path = in_tree(to);

	folder_of(path);
	shell(text_format("cp '%s/data/%s' '%s'", unit_tests, from, path));
}

void tree_put(const char *to, const char *s)
{
	char *path = in_tree(to);

	folder_of(path);
	if (text_file_write(path, s))
		unit_fail(__FILE__, __LINE__, "cannot write %s", path);
}

void tree_replace(const char *path, const char *old, const char *new)
{
	char *s = unit_read(in_tree(path), NULL), *at = strstr(s, old);

	if (!at)
		unit_fail(__FILE__, __LINE__, "no \"%s\" in %s", old, path);
	tree_put(path, text_format("%.*s%s%s", (int)(at - s), s, new,
				   at + strlen(old)));
}

void tree_append(const char *path, const char *s)
{
	tree_put(path, text_format("%s%s", unit_read(in_tree(path), NULL), s));
}

void tree_remove(const char *path)
{
	shell(text_format("rm -r '%s'", in_tree(path)));
}

void tree_denied(const char *path)
{
	tree_remove(path);
	tree_put(text_format("%s.denied", path), "");
}

void tree_link(const char *path, const char *target)
{
	char *at = in_tree(path);

	folder_of(at);
	if (symlink(target, at))
		unit_fail(__FILE__, __LINE__, "cannot link %s", at);
}

char *doctor_path(void)
{
	char *path = text_dup(unit_vmrun);

	*strrchr(path, '/') = '\0';
	return text_format("%s/tools/pinprobe", path);
}

int doctor_run(const char *words)
{
	char *out = unit_path("stdout"), *err = unit_path("stderr");
	char *command = text_format("'%s' doctor --root '%s/tree' %s >'%s' 2>'%s'",
				    doctor_path(), unit_scratch, words, out, err);
	int status = system(command);

	if (!WIFEXITED(status))
		unit_fail(__FILE__, __LINE__, "%s: status %d", command, status);
	doctor_out = unit_read(out, NULL);
	doctor_err = unit_read(err, NULL);
	doctor_code = WEXITSTATUS(status);
	return doctor_code;
}

static const char *member(json_object *o, const char *key)
{
	json_object *value;

	return json_object_object_get_ex(o, key, &value) ?
		json_object_get_string(value) : "";
}

static json_object *array(const char *key)
{
	json_object *value = NULL;

	if (!json_object_object_get_ex(doctor_result, key, &value))
		unit_fail(__FILE__, __LINE__, "no %s in the JSON", key);
	return value;
}

char *doctor_findings(const char *words)
{
	struct text t = { 0 };
	json_object *all, *f;
	size_t i;

	doctor_run(text_format("--json %s", words));
	doctor_result = json_tokener_parse(doctor_out);
	if (!doctor_result)
		unit_fail(__FILE__, __LINE__, "exit %d, no JSON: %s%s",
			  doctor_code, doctor_out, doctor_err);
	all = array("findings");
	text_add(&t, "", 0);
	for (i = 0; i < json_object_array_length(all); i++) {
		f = json_object_array_get_idx(all, i);
		text_printf(&t, "%s%s:%s", i ? " " : "", member(f, "severity"),
			    member(f, "id"));
		/* Each says why, what to do, and what it rests on. */
		CHECK(*member(f, "summary") && *member(f, "reason"));
		CHECK(*member(f, "remedy") && *member(f, "fact"));
		CHECK(*member(f, "rule"));
	}
	return t.s;
}

const char *doctor_part(const char *id, const char *part)
{
	json_object *all = array("findings"), *f, *found = NULL;
	size_t i;

	for (i = 0; i < json_object_array_length(all); i++) {
		f = json_object_array_get_idx(all, i);
		if (strcmp(member(f, "id"), id))
			continue;
		CHECK(!found);
		found = f;
	}
	if (!found)
		unit_fail(__FILE__, __LINE__, "no finding %s", id);
	return member(found, part);
}

const char *doctor_value(const char *path)
{
	json_object *at = doctor_result;
	char *next = text_dup(path), *key;
	long long index;

	while (at && (key = strsep(&next, "/"))) {
		if (json_object_is_type(at, json_type_array))
			at = text_number(key, &index) ?
				json_object_array_get_idx(at, index) : NULL;
		else if (!json_object_object_get_ex(at, key, &at))
			at = NULL;
	}
	return !at || json_object_is_type(at, json_type_string) ?
		json_object_get_string(at) :
		json_object_to_json_string_ext(at, JSON_C_TO_STRING_SPACED |
					       JSON_C_TO_STRING_NOSLASHESCAPE);
}

const char *doctor_gate(const char *name)
{
	json_object *nvidia = array("nvidia"), *gates, *g;
	size_t i;

	CHECK(json_object_object_get_ex(nvidia, "gates", &gates));
	for (i = 0; i < json_object_array_length(gates); i++) {
		g = json_object_array_get_idx(gates, i);
		if (!strcmp(member(g, "name"), name))
			return member(g, "open");
	}
	return "absent";
}
