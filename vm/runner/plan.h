/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VMRUN_PLAN_H
#define VMRUN_PLAN_H

#include <json-c/json.h>

/*
 * One entry for each share of each line "KERNEL PROFILE SUITE ARCH MEMORY
 * PROGRAMS" (PROGRAMS: how many the suite has), in at most shards shares.
 * NULL: a line is wrong.
 */
struct json_object *plan_make(const char *lines, long shards);
/* vmrun --plan --format github|gitlab|text [--shards N] < lines */
int plan_main(int argc, char **argv);

#endif
