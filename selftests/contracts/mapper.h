/* SPDX-License-Identifier: GPL-2.0 */
/* The disk of one row, behind device-mapper: it can be told not to answer. */
#ifndef CONTRACTS_MAPPER_H
#define CONTRACTS_MAPPER_H

#include "../lib/stalled.h"
#include "contract.h"

/* For @prepare and @done of a backing: ext4 on it, mounted on MOUNT_POINT. */
int mapper_mount(struct world *world);
void mapper_unmount(struct world *world);

/* What stops it, NULL where nothing is mounted. */
struct stalled *mapper_disk(void);

#endif /* CONTRACTS_MAPPER_H */
