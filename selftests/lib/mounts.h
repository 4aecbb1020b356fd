/* SPDX-License-Identifier: GPL-2.0 */
/* File systems that only this process sees, and that are gone when it ends. */
#ifndef SELFTESTS_MOUNTS_H
#define SELFTESTS_MOUNTS_H

#define MOUNT_POINT	"/run/contracts"

/* On MOUNT_POINT; 0 or -errno. */
int mount_here(const char *source, const char *type, unsigned long flags,
	       const char *options);

#endif /* SELFTESTS_MOUNTS_H */
