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
		.nr_batches = DIV_ROUND_UP(nr_pages, PP_LEDGER_BATCH),
		.pinned = pinned,
	};
	ledger->batches = kvcalloc(ledger->nr_batches,
				   sizeof(*ledger->batches),
				   GFP_KERNEL_ACCOUNT);
	if (!ledger->batches)
		return -ENOMEM;
	if (!before)
		return 0;
	ledger->before = kvcalloc(ledger->nr_batches, sizeof(*ledger->before),
				  GFP_KERNEL_ACCOUNT);
	return ledger->before ? 0 : -ENOMEM;
}

/**
 * pp_ledger_room - where the next pages go
 * @ledger: the ledger
 * @room: out: how many fit there
 *
 * Return: the place, or NULL if there is no memory.
 */
struct page **pp_ledger_room(struct pp_ledger *ledger, unsigned long *room)
{
	unsigned long batch = ledger->nr_held / PP_LEDGER_BATCH;
	unsigned long used = ledger->nr_held % PP_LEDGER_BATCH;

	if (!ledger->batches[batch])
		ledger->batches[batch] = kmalloc_array(PP_LEDGER_BATCH,
						       sizeof(struct page *),
						       GFP_KERNEL_ACCOUNT);
	if (!ledger->batches[batch])
		return NULL;
	*room = PP_LEDGER_BATCH - used;
	return ledger->batches[batch] + used;
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
				  GFP_KERNEL_ACCOUNT);
	return *batch ? *batch + index % PP_LEDGER_BATCH : NULL;
}

/**
 * pp_ledger_page - a page that is held
 * @ledger: the ledger
 * @index: the page, counted from the first, below nr_held
 */
struct page *pp_ledger_page(const struct pp_ledger *ledger, unsigned long index)
{
	return ledger->batches[index / PP_LEDGER_BATCH][index % PP_LEDGER_BATCH];
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
	unsigned long batch, nr, left = ledger->nr_held;

	for (batch = 0; left; batch++) {
		nr = min(left, PP_LEDGER_BATCH);
		pp_ledger_put(ledger->batches[batch], nr, ledger->pinned);
		left -= nr;
		cond_resched();
	}
	for (batch = 0; batch < ledger->nr_batches; batch++) {
		if (ledger->batches)
			kfree(ledger->batches[batch]);
		if (ledger->before)
			kvfree(ledger->before[batch]);
	}
	kvfree(ledger->before);
	kvfree(ledger->batches);
	*ledger = (struct pp_ledger){};
}
