// SPDX-License-Identifier: GPL-2.0
/* Who accounts for the references of a page. */
#include <stdlib.h>
#include <string.h>
#include "unit.h"
#include "../tools/account.c"

static const struct account_facts anon = {
	.counted = true, .refs = 1, .mappings = 1, .user = true, .lru = true,
};

static struct account made(struct account_facts facts)
{
	struct account a;

	account_make(&a, &facts);
	return a;
}

#define ACCOUNT(a, state_, pins_, batch_, rest_) do {			\
	CHECK_NUMBER((a).state, state_);				\
	CHECK_NUMBER((a).pins, pins_);					\
	CHECK_NUMBER((a).batch, batch_);				\
	CHECK_NUMBER((a).rest, rest_);					\
} while (0)

#define SAYS(a, want) do {						\
	struct text t = { 0 };						\
									\
	account_text(&t, a);						\
	CHECK_STRING(t.s, want);					\
	text_free(&t);							\
} while (0)

TEST(who_account_of_a_mapped_page)
{
	struct account a = made(anon);

	ACCOUNT(a, ACCOUNT_FREE, 0, 0, 0);
	CHECK(!account_maybe_pinned(&a));
	SAYS(&a, "1 reference = 1 mapping");
}

TEST(who_account_of_pins_and_references)
{
	struct account_facts facts = anon;
	struct account a;

	facts.refs = 1 + 2 * 1024 + 3;
	a = made(facts);
	ACCOUNT(a, ACCOUNT_HELD, 2, 0, 3);
	CHECK(account_maybe_pinned(&a));
	SAYS(&a, "2052 references = 1 mapping + 2 pins (2048) + 3 that nothing accounts for");
	facts.refs = 1 + 1023;
	ACCOUNT(made(facts), ACCOUNT_HELD, 0, 0, 1023);
	/* Mapped so often that the kernel takes it for pinned. */
	facts.refs = 2000;
	facts.mappings = 2000;
	a = made(facts);
	ACCOUNT(a, ACCOUNT_FREE, 0, 0, 0);
	CHECK(account_maybe_pinned(&a));
}

/* A large folio has a count of its pins, and each is one reference. */
TEST(who_account_of_a_large_folio)
{
	struct account_facts facts = anon;
	struct account a;

	facts.order = 9;
	facts.mappings = 512;
	facts.refs = 512 + 5;
	facts.pincount = 4;
	a = made(facts);
	ACCOUNT(a, ACCOUNT_HELD, 4, 0, 1);
	CHECK(account_maybe_pinned(&a));
	SAYS(&a, "517 references = 512 mappings + 4 pins + 1 that nothing accounts for");
	facts.refs = 3000;
	facts.pincount = 0;
	a = made(facts);
	ACCOUNT(a, ACCOUNT_HELD, 0, 0, 2488);
	CHECK(!account_maybe_pinned(&a));
}

TEST(who_account_of_caches)
{
	struct account_facts facts = anon;
	struct account a;

	facts.cache = 1;
	facts.private = 1;
	facts.refs = 3;
	a = made(facts);
	ACCOUNT(a, ACCOUNT_FREE, 0, 0, 0);
	SAYS(&a, "3 references = 1 mapping + 1 of the page cache + 1 for private data");
	facts = anon;
	facts.swap = 1;
	facts.refs = 2;
	a = made(facts);
	ACCOUNT(a, ACCOUNT_FREE, 0, 0, 0);
	SAYS(&a, "2 references = 1 mapping + 1 of the swap cache");
}

/* Off the LRU one more may be a batch's, until batches have been emptied. */
TEST(who_account_of_a_batch)
{
	struct account_facts facts = anon;
	struct account a;

	facts.refs = 2;
	ACCOUNT(made(facts), ACCOUNT_HELD, 0, 0, 1);
	facts.lru = false;
	a = made(facts);
	ACCOUNT(a, ACCOUNT_BATCH, 0, 1, 0);
	SAYS(&a, "2 references = 1 mapping + 1 maybe of an LRU batch");
	facts.refs = 3;
	ACCOUNT(made(facts), ACCOUNT_HELD, 0, 1, 1);
	facts.refs = 2;
	facts.drained = true;
	ACCOUNT(made(facts), ACCOUNT_HELD, 0, 0, 1);
	facts.drained = false;
	facts.never_lru = true;
	ACCOUNT(made(facts), ACCOUNT_HELD, 0, 0, 1);
	facts.never_lru = false;
	facts.user = false;
	ACCOUNT(made(facts), ACCOUNT_HELD, 0, 0, 1);
}

TEST(who_account_cannot_tell)
{
	struct account_facts facts = anon;
	struct account a;

	facts.counted = false;
	a = made(facts);
	CHECK_NUMBER(a.state, ACCOUNT_UNKNOWN);
	SAYS(&a, "references are not known");
	/* Counts of two moments. */
	facts = anon;
	facts.mappings = 2;
	a = made(facts);
	ACCOUNT(a, ACCOUNT_UNKNOWN, 0, 0, 0);
	SAYS(&a, "1 reference, and 2 accounted for: they changed meanwhile");
	facts = anon;
	facts.order = 2;
	facts.refs = 2;
	facts.pincount = 2;
	CHECK_NUMBER(made(facts).state, ACCOUNT_UNKNOWN);
}

TEST(who_account_of_the_zero_page)
{
	struct account_facts facts = anon;
	struct account a;

	facts.refs = 5000;
	facts.zero = true;
	a = made(facts);
	ACCOUNT(a, ACCOUNT_FREE, 0, 0, 0);
	CHECK(!account_maybe_pinned(&a));
}
