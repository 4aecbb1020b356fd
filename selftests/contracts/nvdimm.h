/* SPDX-License-Identifier: GPL-2.0 */
/* Persistent memory as the guest's profile has it, two of virtio's. */
#ifndef CONTRACTS_NVDIMM_H
#define CONTRACTS_NVDIMM_H

#include "contract.h"

/* 0 or ROW_SKIP. */
int nvdimm_here(struct world *world);

/* Sets @path to the disk that the first one is; 0, ROW_SKIP or -errno. */
int nvdimm_disk(struct world *world, char *path, size_t len);

/*
 * Sets @path to the character device that the second one is made, once for all
 * rows. 0, ROW_SKIP or -errno.
 */
int nvdimm_device(struct world *world, char *path, size_t len);

#endif /* CONTRACTS_NVDIMM_H */
