/* SPDX-License-Identifier: GPL-2.0 */
/*
 * File systems on disks that are memory, and the modules that this needs. What
 * is loaded and written stays for the rows behind: empty file systems, of which a
 * row sees no more than its own unnamed file.
 */
#ifndef CONTRACTS_DISK_H
#define CONTRACTS_DISK_H

#include "contract.h"

/* The modules of the guest's /m/disks. 0, ROW_SKIP or -errno. */
int disk_modules(struct world *world);

/* Sees to it that @device is there. 0, ROW_SKIP or -errno. */
int disk_find(struct world *world, const char *device);

/*
 * Mounts on MOUNT_POINT, for this process, @device; where there is no file system
 * of @type on it yet, an empty one is copied there. 0, ROW_SKIP or -errno.
 */
int disk_mount(struct world *world, const char *device, const char *type,
	       const char *options);

#endif /* CONTRACTS_DISK_H */
