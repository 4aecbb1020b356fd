/* SPDX-License-Identifier: GPL-2.0 */
/* Kernel modules that the guest has and does not load by itself. */
#ifndef SELFTESTS_MODULE_H
#define SELFTESTS_MODULE_H

/*
 * Loads @name (as in /sys/module) and all that the guest lists before it: what it
 * depends on is there. 0, also if it was there or is built in; -ENOENT if the guest
 * has no such module; or another -errno.
 */
int module_load(const char *name);

#endif /* SELFTESTS_MODULE_H */
