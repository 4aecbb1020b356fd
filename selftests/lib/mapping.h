/* SPDX-License-Identifier: GPL-2.0 */
/* What the caller's mapping at an address is, as /proc tells it. */
#ifndef SELFTESTS_MAPPING_H
#define SELFTESTS_MAPPING_H

#include "verdict.h"

/*
 * @mapping is measured if one mapping covers all of [@addr, @addr + @len).
 * 0 or -errno.
 */
int mapping_read(const void *addr, size_t len, struct verdict_mapping *mapping);

#endif /* SELFTESTS_MAPPING_H */
