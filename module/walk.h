/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_WALK_H
#define PINPROBE_WALK_H

#include <linux/mmu_notifier.h>
#include <linux/types.h>

#include <linux/pinprobe.h>

#define PP_WALK_PAGES	512UL

/**
 * struct pp_walk - the page table of a range read piece by piece
 * @notifier: notices when a mapping that was read has changed
 * @lock: orders the notices against the reader
 * @mm: whose page table
 * @pfns: what the page table says, for one piece
 * @recs: what the pages are, for one piece
 */
struct pp_walk {
	struct mmu_interval_notifier notifier;
	spinlock_t lock; /* orders invalidations against the reader */
	struct mm_struct *mm;
	unsigned long *pfns;
	struct pinprobe_page *recs;
};

int pp_walk_init(struct pp_walk *walk, struct mm_struct *mm,
		 unsigned long start, unsigned long len);
long pp_walk_next(struct pp_walk *walk, unsigned long addr, unsigned long end,
		  bool fault);
void pp_walk_exit(struct pp_walk *walk);

#endif /* PINPROBE_WALK_H */
