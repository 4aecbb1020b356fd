/* SPDX-License-Identifier: GPL-2.0 */
/* The device that profiles with an IOMMU have for VFIO. */
#ifndef SELFTESTS_VFIO_H
#define SELFTESTS_VFIO_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the guest has an IOMMU. */
bool vfio_iommu(void);

/*
 * Binds the device to vfio-pci, where it stays, and loads what that takes. Its
 * folder below /sys into @device; 0, -ENODEV if there is none, -ENOENT if the
 * kernel has no VFIO, or another -errno.
 */
int vfio_ready(char *device, size_t size);

#endif /* SELFTESTS_VFIO_H */
