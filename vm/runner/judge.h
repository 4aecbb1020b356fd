/* SPDX-License-Identifier: GPL-2.0 */
/* Judges a saved run folder again. */
#ifndef VMRUN_JUDGE_H
#define VMRUN_JUDGE_H

#include "run.h"

/*
 * Takes what the options do not say from the folder's result.json; what is
 * taken stays allocated in *saved until judge_release().
 */
struct judge {
	struct json_object *saved;
};

char *judge_options(struct judge *j, struct options *o);
void judge_end_of(const struct judge *j, struct run *r);
/* Feeds the saved logs. NULL, or what is wrong, to be freed. */
char *judge_feed(struct run *r, const char *dir);
void judge_release(struct judge *j);

#endif
