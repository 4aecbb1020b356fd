/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CONTRACTS_PLACEMENTS_H
#define CONTRACTS_PLACEMENTS_H

#include "contract.h"

extern const struct placement placement_ordinary;
extern const struct placement placement_cma;
extern const struct placement placement_hidden_cma;
extern const struct placement placement_movable;
extern const struct placement placement_movable_node;
extern const struct placement placement_movable_node_bound;
extern const struct placement placement_movable_node_cpuset;
extern const struct placement placement_isolated;
extern const struct placement placement_isolated_unseen;
extern const struct placement placement_nowhere;
extern const struct placement placement_device;

/*
 * Makes areas of @backing, keeping those before, until one has a present page
 * that lies as @placement says, which becomes its target. -ENODATA if none came.
 */
int placement_search(struct world *world, const struct placement *placement,
		     const struct backing *backing, struct area *area);

/*
 * Once, before the first search: makes CPUs keep few free pages of their own. What
 * they keep is handed out first, wherever it lies, and may be more than a search
 * goes through. 0 or -errno.
 */
int placements_prepare(void);

#endif /* CONTRACTS_PLACEMENTS_H */
