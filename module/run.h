/* SPDX-License-Identifier: GPL-2.0 */
/* Runs of alike pages. Pure: kunit/ calls the same. */
#ifndef PINPROBE_RUN_H
#define PINPROBE_RUN_H

#include <linux/build_bug.h>
#include <linux/mm.h>
#include <linux/stddef.h>
#include <linux/types.h>

#include <linux/pinprobe.h>

/**
 * pp_run_joins - does a record continue a run
 * @run: the run
 * @next: the record that follows it
 *
 * Return: true if they differ in nothing but address and PFN, and both are
 * consecutive.
 */
static inline bool pp_run_joins(const struct pinprobe_page *run,
				const struct pinprobe_page *next)
{
	const u64 *a = (const u64 *)run, *b = (const u64 *)next;
	size_t i;

	if (next->addr != run->addr + (run->nr_pages << PAGE_SHIFT))
		return false;
	if (run->state == PINPROBE_STATE_PRESENT &&
	    next->pfn != run->pfn + run->nr_pages)
		return false;
	/* The rest of it, word by word; pahole sees to it that it has no holes. */
	BUILD_BUG_ON(sizeof(*run) % sizeof(u64));
	for (i = offsetof(struct pinprobe_page, flags) / sizeof(u64);
	     i < sizeof(*run) / sizeof(u64); i++) {
		if (a[i] != b[i])
			return false;
	}
	return true;
}

#endif /* PINPROBE_RUN_H */
