/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_VERIFY_H
#define PINPROBE_VERIFY_H

#include <linux/pinprobe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct command;

extern const struct command verify_command;

/**
 * enum verify_answer - whether memory is pinned
 * @VERIFY_PINNED: every page has a pin, and none moved
 * @VERIFY_HELD: every page is held, some by references that are no pins
 * @VERIFY_NOPIN: some page moved, went away, or is held by nobody
 * @VERIFY_STAYED: none moved, and who holds them was not measured
 */
enum verify_answer {
	VERIFY_PINNED,
	VERIFY_HELD,
	VERIFY_NOPIN,
	VERIFY_STAYED,
};

/**
 * struct verify - what was seen of a range
 * @pages: in the range
 * @absent: without a page, before or afterwards
 * @moved: with another PFN afterwards
 * @free: held by nobody
 * @referenced: held, without a pin
 * @counted: reference counts were measured
 */
struct verify {
	uint64_t pages;
	uint64_t absent;
	uint64_t moved;
	uint64_t free;
	uint64_t referenced;
	bool counted;
};

/* Compares records of the same @nr pages, one each. */
void verify_compare(struct verify *v, const struct pinprobe_page *before,
		    const struct pinprobe_page *after, size_t nr);
enum verify_answer verify_decide(const struct verify *v);

#endif
