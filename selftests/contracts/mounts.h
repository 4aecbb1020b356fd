/* SPDX-License-Identifier: GPL-2.0 */
/* File systems that only the row's process sees, and that are gone when it ends. */
#ifndef CONTRACTS_MOUNTS_H
#define CONTRACTS_MOUNTS_H

#include "contract.h"

#define MOUNT_POINT	"/run/contracts"

/* On MOUNT_POINT; 0 or -errno. */
int mount_here(const char *source, const char *type, unsigned long flags,
	       const char *options);

#endif /* CONTRACTS_MOUNTS_H */
