/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SELFTESTS_PRIVILEGE_H
#define SELFTESTS_PRIVILEGE_H

#include <linux/capability.h>
#include <stdbool.h>

/* All of these change the calling process, and return 0 or -errno. */

/* Gives up one capability, for good. */
int privilege_drop(int cap);

/* Becomes nobody, without any capability. */
int privilege_become_nobody(void);

/* In effect, in the process's own user namespace. */
bool privilege_has(int cap);

#endif /* SELFTESTS_PRIVILEGE_H */
