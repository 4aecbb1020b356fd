// SPDX-License-Identifier: GPL-2.0
/* The book of what a pin holds, and how each page is given back. */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "faults.h"
#include "ledger.h"

#include <linux/pinprobe.h>

/**
 * pp_ledger_init - open a ledger
 * @ledger: the ledger; pp_ledger_release() is right for it afterwards, also if
 *	this fails
 * @nr_pages: how many pages it will hold
 * @pinned: they come with FOLL_PIN
 * @before: keep a record of each from before
 *
 * Return: 0 or -ENOMEM.
 */
int pp_ledger_init(struct pp_ledger *ledger, unsigned long nr_pages,
		   bool pinned, bool before)
{
	*ledger = (struct pp_ledger){
		.nr_pages = nr_pages,
		.pinned = pinned,
	};
	ledger->tables = kvcalloc(DIV_ROUND_UP(nr_pages, PP_LEDGER_TABLE),
				  sizeof(*ledger->tables), GFP_KERNEL);
	if (!ledger->tables)
		return -ENOMEM;
	if (!before)
		return 0;
	ledger->before = kvcalloc(DIV_ROUND_UP(nr_pages, PP_LEDGER_BATCH),
				  sizeof(*ledger->before), GFP_KERNEL);
	return ledger->before ? 0 : -ENOMEM;
}

/**
 * pp_ledger_room - where the next pages go
 * @ledger: the ledger, not full
 * @room: out: how many fit there, %PP_LEDGER_BATCH at most
 *
 * Return: the place, or NULL if there is no memory.
 */
struct page **pp_ledger_room(struct pp_ledger *ledger, unsigned long *room)
{
	struct page ***table = &ledger->tables[ledger->nr_held /
					       PP_LEDGER_TABLE];
	unsigned long left = ledger->nr_pages - ledger->nr_held;

	if (!*table)
		*table = kvmalloc_array(min(left, PP_LEDGER_TABLE),
					sizeof(struct page *),
					GFP_KERNEL);
	if (!*table)
		return NULL;
	*room = min(left, PP_LEDGER_BATCH - ledger->nr_held % PP_LEDGER_BATCH);
	return *table + ledger->nr_held % PP_LEDGER_TABLE;
}

/**
 * pp_ledger_before - the record of a page from before
 * @ledger: a ledger opened to keep them
 * @index: the page, counted from the first
 *
 * Return: the record, and those of the rest of its batch behind it; NULL if
 * there is no memory.
 */
struct pinprobe_page *pp_ledger_before(struct pp_ledger *ledger,
				       unsigned long index)
{
	struct pinprobe_page **batch = &ledger->before[index / PP_LEDGER_BATCH];

	if (!*batch)
		*batch = kvcalloc(PP_LEDGER_BATCH, sizeof(**batch),
				  GFP_KERNEL);
	return *batch ? *batch + index % PP_LEDGER_BATCH : NULL;
}

/**
 * pp_ledger_page - a page that is held
 * @ledger: the ledger
 * @index: the page, counted from the first, below nr_held
 */
struct page *pp_ledger_page(const struct pp_ledger *ledger, unsigned long index)
{
	return ledger->tables[index / PP_LEDGER_TABLE][index % PP_LEDGER_TABLE];
}

/* The module never writes to the pages, so none becomes dirty by it. */
static void pp_ledger_put(struct page **pages, unsigned long nr, bool pinned)
{
	unsigned long i;

	if (nr && pp_fault(PP_FAULT_SKIP_UNPIN))
		nr--;
	if (pinned) {
		unpin_user_pages(pages, nr);
		return;
	}
	for (i = 0; i < nr; i++)
		put_page(pages[i]);
}

/**
 * pp_ledger_release - give every page back and close the ledger
 * @ledger: the ledger
 *
 * May sleep.
 */
void pp_ledger_release(struct pp_ledger *ledger)
{
	unsigned long at, nr;

	for (at = 0; at < ledger->nr_held; at += nr) {
		nr = min(ledger->nr_held - at,
			 PP_LEDGER_BATCH - at % PP_LEDGER_BATCH);
		pp_ledger_put(ledger->tables[at / PP_LEDGER_TABLE] +
			      at % PP_LEDGER_TABLE, nr, ledger->pinned);
		cond_resched();
	}
	for (at = 0; ledger->tables && at < ledger->nr_pages;
	     at += PP_LEDGER_TABLE)
		kvfree(ledger->tables[at / PP_LEDGER_TABLE]);
	for (at = 0; ledger->before && at < ledger->nr_pages;
	     at += PP_LEDGER_BATCH)
		kvfree(ledger->before[at / PP_LEDGER_BATCH]);
	kvfree(ledger->before);
	kvfree(ledger->tables);
	*ledger = (struct pp_ledger){};
}
