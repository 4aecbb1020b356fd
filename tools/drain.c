// SPDX-License-Identifier: GPL-2.0
/* Empties the LRU batches, without being root. */
#include <sys/syscall.h>
#include <unistd.h>

#include "drain.h"

/*
 * As a long-term pin has it done: migrate_pages() does that first, and there is
 * nothing to move from a node to itself. Not where there is no NUMA.
 */
bool drain_lru(void)
{
	unsigned long node = 1;

	return syscall(SYS_migrate_pages, 0, 8 * sizeof(node) + 1, &node, &node) >= 0;
}
