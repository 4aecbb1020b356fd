/* SPDX-License-Identifier: GPL-2.0 */
/* Records of pages: where they come from, and as text and JSON. */
#ifndef PINPROBE_PAGES_H
#define PINPROBE_PAGES_H

#include <json-c/json.h>
#include <linux/pinprobe.h>
#include <stdbool.h>

#include "../selftests/lib/page.h"
#include "range.h"
#include "text.h"

/* One line without newline: where it lies, its counts, and what that means. */
void page_text(struct text *t, const struct pinprobe_page *page);

/* One object; never NULL. */
json_object *page_json(const struct pinprobe_page *page);

/* Sums over records. */
struct pages_sum {
	uint64_t present;	/* pages */
	uint64_t absent;	/* mapped, and no page there */
	uint64_t other;		/* nothing that could be pinned */
	uint64_t unpinnable;	/* a long-term pin has to move them */
	uint64_t held;		/* held beyond mappings and caches */
	uint64_t stuck;		/* both: what makes a long-term pin fail */
};

void pages_add(struct pages_sum *sum, const struct pinprobe_page *page);

/**
 * pages_open() - opens the module's device
 *
 * Return: a file descriptor, or -errno, having said what is missing on stderr.
 */
int pages_open(void);

/**
 * pages_each() - reads the records of a range
 * @dev:	from pages_open()
 * @range:	which; all mappings where @range->len is 0
 * @flags:	PINPROBE_RESOLVE_*
 * @each:	is called for each record in order; stops if it returns false
 * @ctx:	its own
 *
 * Return: 0, or -errno, having said so on stderr.
 */
int pages_each(int dev, const struct range *range, uint32_t flags,
	       bool (*each)(const struct pinprobe_page *page, void *ctx),
	       void *ctx);

#endif
