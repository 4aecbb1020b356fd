/* SPDX-License-Identifier: GPL-2.0 */
/* Pages that wait in a CPU's batch to be put on an LRU list. */
#ifndef PINPROBE_DRAIN_H
#define PINPROBE_DRAIN_H

#include <stdbool.h>

/*
 * Has the LRU batches of all CPUs emptied, each of which has a reference to its
 * pages. False where it cannot be done.
 */
bool drain_lru(void);

#endif
