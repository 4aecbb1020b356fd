/* SPDX-License-Identifier: GPL-2.0 */
/* What a record of a page says of its holders, and the names of its bits. */
#ifndef SELFTESTS_PAGE_H
#define SELFTESTS_PAGE_H

#include <stdbool.h>
#include <stdint.h>
/* By path: programs of the host compile this without -I. */
#include "../../uapi/linux/pinprobe.h"

struct bit_name {
	uint64_t bit;
	const char *name;
};

/* Of pinprobe_page.flags and .unpinnable, each ended by one without a name. */
extern const struct bit_name page_flag_names[];
extern const struct bit_name page_unpinnable_names[];

/*
 * A small folio has no count of its pins: so many references stand for one
 * (GUP_PIN_COUNTING_BIAS).
 */
#define PAGE_PIN_REFS	1024

static inline bool page_present(const struct pinprobe_page *page)
{
	return page->state == PINPROBE_STATE_PRESENT;
}

/* Mappings are references too, so that they have to be taken off. */
static inline bool page_pinned(const struct pinprobe_page *page)
{
	return page->pins && (page->order || page->refs - page->refs_expected >=
					     PAGE_PIN_REFS);
}

/*
 * By a pin, or by a reference that no mapping or cache accounts for. The zero page
 * is everybody's: GUP hands it out without a pin.
 */
static inline bool page_held(const struct pinprobe_page *page)
{
	return !(page->flags & PINPROBE_PAGE_ZERO) &&
	       (page_pinned(page) || page->refs > page->refs_expected);
}

#endif /* SELFTESTS_PAGE_H */
