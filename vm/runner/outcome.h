/* SPDX-License-Identifier: GPL-2.0 */
/* From what was seen to one outcome; the worst one counts. */
#ifndef VMRUN_OUTCOME_H
#define VMRUN_OUTCOME_H

#include <stdbool.h>

#include "run.h"

void outcome_decide(const struct run *r, struct verdict *v);
const char *outcome_name(enum outcome o);
bool outcome_parse(const char *name, enum outcome *o);

#endif
