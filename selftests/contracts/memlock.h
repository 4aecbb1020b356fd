/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CONTRACTS_MEMLOCK_H
#define CONTRACTS_MEMLOCK_H

#include <sys/resource.h>

/* For @ready: the row's process may lock so many bytes from here on. 0 or -errno. */
int memlock_limit(rlim_t bytes);

#endif /* CONTRACTS_MEMLOCK_H */
