/* SPDX-License-Identifier: GPL-2.0 */
/* The files of the run folder that machines read. */
#ifndef VMRUN_OUTPUTS_H
#define VMRUN_OUTPUTS_H

#include <stdbool.h>

#include "run.h"

/*
 * Both return NULL, or what went wrong, to be freed. outputs_begin() leaves a
 * result.json that says "incomplete": that is what stays if vmrun is killed.
 */
char *outputs_begin(const struct run *r, const char *dir);
char *outputs_write(const struct run *r, const char *dir);

#endif
