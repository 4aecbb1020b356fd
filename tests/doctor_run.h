/* SPDX-License-Identifier: GPL-2.0 */
/* pinprobe doctor on trees that a test puts together in its scratch folder. */
#ifndef TESTS_DOCTOR_RUN_H
#define TESTS_DOCTOR_RUN_H

#include <json-c/json.h>

#include "unit.h"

/* Starts anew with the files of a folder below tests/data/. */
void tree_from(const char *data);
/* Adds a recorded file: from is below tests/data/, to below the tree. */
void tree_add(const char *to, const char *from);
void tree_put(const char *to, const char *s);
/* Fails if old is not there. */
void tree_replace(const char *path, const char *old, const char *new);
void tree_append(const char *path, const char *s);
void tree_remove(const char *path);
void tree_denied(const char *path);
void tree_link(const char *path, const char *target);

/* The command pinprobe under test. */
char *doctor_path(void);
/* pinprobe doctor --root TREE and more words; the exit code. */
int doctor_run(const char *words);
extern char *doctor_out, *doctor_err;

/*
 * The same with --json: "severity:id", the worst first, with blanks between.
 * doctor_result and doctor_code are set.
 */
char *doctor_findings(const char *words);
extern json_object *doctor_result;
extern int doctor_code;

/* A part of the finding of that id; fails if there is not exactly one. */
const char *doctor_part(const char *id, const char *part);
/* Follows "a/0/b" from doctor_result as JSON text; NULL if it is not there. */
const char *doctor_value(const char *path);
/* "open", "closed" … of a gate of GPU registration. */
const char *doctor_gate(const char *name);

#endif
