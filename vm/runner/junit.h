/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VMRUN_JUNIT_H
#define VMRUN_JUNIT_H

#include "run.h"

/*
 * One flat <testsuite> for the kernel of this run. NULL, or what went wrong,
 * to be freed.
 */
char *junit_write(const struct run *r, const char *path);

#endif
