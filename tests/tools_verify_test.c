// SPDX-License-Identifier: GPL-2.0
/* Whether memory is pinned, from made-up records of its pages. */
#include <string.h>
#include "unit.h"
#include "../tools/verify_decide.c"

static struct pinprobe_page page(uint64_t pfn, int refs, unsigned int pins)
{
	return (struct pinprobe_page){
		.pfn = pfn, .nr_pages = 1, .state = PINPROBE_STATE_PRESENT,
		.refs = refs, .refs_expected = 1, .mapcount = 1, .pins = pins,
	};
}

static enum verify_answer answer(struct pinprobe_page before,
				 struct pinprobe_page after, bool counted)
{
	struct verify v = { .counted = counted };
	struct pinprobe_page first = page(1, 1025, 1);

	verify_compare(&v, &first, &first, 1);
	verify_compare(&v, &before, &after, 1);
	CHECK_NUMBER(v.pages, 2);
	return verify_decide(&v);
}

TEST(tools_verify_pinned)
{
	struct pinprobe_page large = page(7, 2, 1);

	CHECK_NUMBER(answer(page(7, 1025, 1), page(7, 1025, 1), true),
		     VERIFY_PINNED);
	large.order = 9;
	CHECK_NUMBER(answer(large, large, true), VERIFY_PINNED);
}

TEST(tools_verify_held_is_not_pinned)
{
	struct pinprobe_page mapped = page(7, 1025, 1);

	CHECK_NUMBER(answer(page(7, 2, 0), page(7, 2, 0), true), VERIFY_HELD);
	/* So often mapped that it looks like a pin. */
	mapped.refs_expected = 1024;
	CHECK_NUMBER(answer(mapped, mapped, true), VERIFY_HELD);
}

TEST(tools_verify_not_pinned)
{
	struct pinprobe_page absent = { .state = PINPROBE_STATE_ABSENT };
	struct pinprobe_page pinned = page(7, 1025, 1);
	struct pinprobe_page zero = page(7, 9, 0);

	CHECK_NUMBER(answer(page(7, 1, 0), page(7, 1, 0), true), VERIFY_NOPIN);
	CHECK_NUMBER(answer(pinned, page(8, 1025, 1), true), VERIFY_NOPIN);
	CHECK_NUMBER(answer(pinned, absent, true), VERIFY_NOPIN);
	CHECK_NUMBER(answer(absent, pinned, true), VERIFY_NOPIN);
	CHECK_NUMBER(answer(absent, absent, false), VERIFY_NOPIN);
	CHECK_NUMBER(answer(pinned, page(8, 0, 0), false), VERIFY_NOPIN);
	/* Nobody can hold the zero page. */
	zero.flags = PINPROBE_PAGE_ZERO;
	CHECK_NUMBER(answer(zero, zero, true), VERIFY_NOPIN);
}

/* Staying where it is proves nothing: compaction need not want the page. */
TEST(tools_verify_stayed_proves_nothing)
{
	CHECK_NUMBER(answer(page(7, 0, 0), page(7, 0, 0), false), VERIFY_STAYED);
}
