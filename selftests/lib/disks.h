/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Disks that are memory, and the empty file systems that the guest has for them
 * (vm/lib/disks.sh).
 */
#ifndef SELFTESTS_DISKS_H
#define SELFTESTS_DISKS_H

#define DISKS_MODULES	"/m/disks"

/* Loads the modules of DISKS_MODULES. 0, -ENODEV without that list, or -errno. */
int disks_load(void);

/* Sees to it that @device is there. 0, -ENODEV or -errno. */
int disks_find(const char *device);

/*
 * Mounts @device on MOUNT_POINT, for this process; where there is no file system of
 * @type on it yet, an empty one is copied there. 0 or -errno; -ENODEV if the kernel
 * has none of @type.
 */
int disks_mount(const char *device, const char *type, const char *options);

#endif /* SELFTESTS_DISKS_H */
