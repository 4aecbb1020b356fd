/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SELFTESTS_KERNEL_H
#define SELFTESTS_KERNEL_H

#include <stdbool.h>

/*
 * By its release, as uname() tells it. For what a kernel must do from a version
 * on; that one before does not is never expected, since vendors backport.
 */
bool kernel_at_least(int version, int patchlevel);

#endif /* SELFTESTS_KERNEL_H */
