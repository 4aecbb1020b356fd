/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VMRUN_GRID_DIFF_H
#define VMRUN_GRID_DIFF_H

#include "grid.h"

struct grid_diff {
	struct text text;
	size_t rows;		/* that both have */
	size_t different;	/* rows and facts that differ */
};

/* Column a of one table against column b of another. */
void grid_diff(struct grid_diff *d, const struct grid *ga, size_t a,
	       const struct grid *gb, size_t b);

#endif
