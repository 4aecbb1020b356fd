/* SPDX-License-Identifier: GPL-2.0 */
/* NUMA nodes, as masks. */
#ifndef SELFTESTS_NODES_H
#define SELFTESTS_NODES_H

#include <stdint.h>

#define NODES_MAX	64

/* Those whose memory is all ZONE_MOVABLE; 0 if there are none. */
uint64_t nodes_all_movable(void);

/*
 * Those that an allocation for the calling process may come from by its cpuset;
 * all ones if that cannot be told.
 */
uint64_t nodes_allowed(void);

/* Those that have memory; 0 if that cannot be told. */
uint64_t nodes_with_memory(void);

#endif /* SELFTESTS_NODES_H */
