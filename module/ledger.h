/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_LEDGER_H
#define PINPROBE_LEDGER_H

#include <linux/types.h>

struct page;
struct pinprobe_page;

/* As many as ib_umem_get() pins at a time, and a page full of pointers. */
#define PP_LEDGER_BATCH	512UL

/**
 * struct pp_ledger - the pages that a pin holds
 * @batches: arrays of %PP_LEDGER_BATCH page pointers, made as they are needed
 * @before: arrays of %PP_LEDGER_BATCH records, or NULL
 * @nr_batches: entries in each of the above
 * @nr_held: pages held, from the first on
 * @pinned: held by FOLL_PIN, not by a plain reference
 */
struct pp_ledger {
	struct page ***batches;
	struct pinprobe_page **before;
	unsigned long nr_batches;
	unsigned long nr_held;
	bool pinned;
};

int pp_ledger_init(struct pp_ledger *ledger, unsigned long nr_pages,
		   bool pinned, bool before);
struct page **pp_ledger_room(struct pp_ledger *ledger, unsigned long *room);
struct pinprobe_page *pp_ledger_before(struct pp_ledger *ledger,
				       unsigned long index);
struct page *pp_ledger_page(const struct pp_ledger *ledger,
			    unsigned long index);
void pp_ledger_release(struct pp_ledger *ledger);

#endif /* PINPROBE_LEDGER_H */
