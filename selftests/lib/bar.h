/* SPDX-License-Identifier: GPL-2.0 */
/* Memory of a PCI device: a mapping without pages that could be pinned. */
#ifndef SELFTESTS_BAR_H
#define SELFTESTS_BAR_H

#include <stddef.h>

/*
 * Opens memory of at least @len bytes that can be mapped, through sysfs. Nobody
 * knows what touching it would do. Returns a file descriptor, or -ENODEV.
 */
int bar_open(size_t len);

#endif /* SELFTESTS_BAR_H */
