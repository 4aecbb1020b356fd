/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Persistent memory as profile dax has it, two of virtio's: the first stays a disk,
 * the second becomes a character device. disks_load() is to be called before.
 */
#ifndef SELFTESTS_PMEM_H
#define SELFTESTS_PMEM_H

#include <stddef.h>

/* How many there are; -ENODEV without virtio. */
int pmem_found(void);

/* Sets @path to the disk that the first one is; 0 or -errno. */
int pmem_disk(char *path, size_t len);

/* Sets @path to the device that the second one is made, once. 0 or -errno. */
int pmem_device(char *path, size_t len);

#endif /* SELFTESTS_PMEM_H */
