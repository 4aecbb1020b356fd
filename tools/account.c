// SPDX-License-Identifier: GPL-2.0
/* Who accounts for the references of a page. */
#include <inttypes.h>

#include "../selftests/lib/page.h"
#include "account.h"

/* One more than is explained while the folio is on no list: GUP sees it too. */
static bool in_batch(const struct account *a)
{
	const struct account_facts *f = &a->facts;

	return a->rest && f->user && !f->lru && !f->never_lru && !f->drained;
}

static void split(struct account *a)
{
	const struct account_facts *f = &a->facts;
	int64_t over = f->refs - a->explained;

	if (f->order) {
		a->pins = f->pincount;
		a->rest = over - f->pincount;
	} else {
		a->pins = over / PAGE_PIN_REFS;
		a->rest = over % PAGE_PIN_REFS;
	}
	if (in_batch(a)) {
		a->batch = 1;
		a->rest--;
	}
}

void account_make(struct account *a, const struct account_facts *facts)
{
	*a = (struct account){ .facts = *facts };
	if (!facts->counted)
		return;
	a->explained = facts->mappings + facts->cache + facts->swap +
		       facts->private;
	if (facts->zero) {
		a->state = ACCOUNT_FREE;
		return;
	}
	/* It was mapped, unmapped or freed between the looks. */
	if (facts->refs - a->explained < (facts->order ? facts->pincount : 0))
		return;
	split(a);
	if (a->pins || a->rest)
		a->state = ACCOUNT_HELD;
	else
		a->state = a->batch ? ACCOUNT_BATCH : ACCOUNT_FREE;
}

bool account_maybe_pinned(const struct account *a)
{
	const struct account_facts *f = &a->facts;

	if (!f->counted || f->zero)
		return false;
	return f->order ? f->pincount > 0 : f->refs >= PAGE_PIN_REFS;
}

static void add_part(struct text *t, int64_t n, const char *one, const char *many)
{
	if (n)
		text_printf(t, "%s%" PRId64 " %s", t->len ? " + " : "", n,
			    n == 1 ? one : many);
}

static void add_parts(struct text *t, const struct account *a)
{
	const struct account_facts *f = &a->facts;

	add_part(t, f->mappings, "mapping", "mappings");
	add_part(t, f->cache, "of the page cache", "of the page cache");
	add_part(t, f->swap, "of the swap cache", "of the swap cache");
	add_part(t, f->private, "for private data", "for private data");
	add_part(t, a->batch, "maybe of an LRU batch", "maybe of LRU batches");
	add_part(t, a->pins, "pin", "pins");
	if (a->pins && !f->order)
		text_printf(t, " (%" PRId64 ")", a->pins * PAGE_PIN_REFS);
	add_part(t, a->rest, "that nothing accounts for",
		 "that nothing accounts for");
}

void account_text(struct text *t, const struct account *a)
{
	const struct account_facts *f = &a->facts;
	struct text parts = { 0 };

	if (!f->counted) {
		text_puts(t, "references are not known");
		return;
	}
	if (f->zero) {
		text_puts(t, "it is the zero page, which everybody has and nobody holds");
		return;
	}
	text_printf(t, "%" PRId64 " reference%s", f->refs, f->refs == 1 ? "" : "s");
	if (a->state == ACCOUNT_UNKNOWN) {
		text_printf(t, ", and %" PRId64 " accounted for: they changed meanwhile",
			    a->explained);
		return;
	}
	add_parts(&parts, a);
	text_printf(t, " = %s", parts.len ? parts.s : "0");
	text_free(&parts);
}
