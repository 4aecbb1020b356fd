/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_LEDGER_H
#define PINPROBE_LEDGER_H

#include <linux/types.h>

struct page;
struct pinprobe_page;

/* As many as ib_umem_get() pins at a time. */
#define PP_LEDGER_BATCH	512UL

/*
 * A table of pointers for all of memory at once could be larger than anything
 * kvmalloc() gives; one for each batch costs more than the batch should.
 */
#define PP_LEDGER_TABLE	(128 * PP_LEDGER_BATCH)

/**
 * struct pp_ledger - the pages that a pin holds
 * @tables: arrays of %PP_LEDGER_TABLE page pointers, made as they are needed
 * @before: arrays of %PP_LEDGER_BATCH records, likewise, or NULL
 * @nr_pages: how many it has place for
 * @nr_held: pages held, from the first on
 * @pinned: held by FOLL_PIN, not by a plain reference
 */
struct pp_ledger {
	struct page ***tables;
	struct pinprobe_page **before;
	unsigned long nr_pages;
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
