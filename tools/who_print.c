// SPDX-License-Identifier: GPL-2.0
/* What was found, for people. */
#include <inttypes.h>
#include <linux/kernel-page-flags.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../selftests/lib/device.h"
#include "../selftests/lib/oracle.h"
#include "exit.h"
#include "out.h"
#include "who.h"

void who_flags(struct text *t, uint64_t flags)
{
	static const struct {
		int bit;
		const char *name;
	} names[] = {
		{ KPF_ANON, "anonymous" },
		{ KPF_KSM, "KSM" },
		{ KPF_ZERO_PAGE, "the zero page" },
		{ KPF_HUGE, "hugetlb" },
		{ KPF_THP, "THP" },
		{ KPF_SLAB, "slab" },
		{ KPF_BUDDY, "free" },
		{ KPF_PGTABLE, "page table" },
		{ KPF_OFFLINE, "offline" },
		{ KPF_NOPAGE, "no page frame" },
		{ KPF_LRU, "on the LRU" },
		{ KPF_UNEVICTABLE, "unevictable" },
		{ KPF_SWAPCACHE, "in the swap cache" },
		{ KPF_DIRTY, "dirty" },
		{ KPF_WRITEBACK, "under writeback" },
		{ KPF_LOCKED, "locked" },
		{ KPF_HWPOISON, "poisoned" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (flags >> names[i].bit & 1)
			text_printf(t, "%s%s", t->len ? ", " : "", names[i].name);
}

uint64_t who_started(const char *stat)
{
	const char *at = strrchr(stat, ')');
	int field;

	/* A zombie has no pages any more. */
	if (at && (at[2] == 'Z' || at[2] == 'X'))
		return 0;
	/* The name may have blanks; the 22nd field is the time. */
	for (field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at + 1, NULL, 10) : 0;
}

static bool certainly_held(const struct who *w)
{
	size_t i;

	for (i = 0; i < w->holders; i++)
		if (w->holder[i].kind != HOLDER_MAPPING &&
		    w->holder[i].certainty == HOLDER_CERTAIN)
			return true;
	return false;
}

const char *who_state(const struct who *w)
{
	if (w->gone)
		return "unknown";
	if (w->account.state == ACCOUNT_HELD || certainly_held(w))
		return "held";
	return w->account.state == ACCOUNT_FREE ? "free" : "unknown";
}

int who_exit(const struct who *w)
{
	const char *state = who_state(w);

	if (!strcmp(state, "held"))
		return PINPROBE_FOUND;
	return strcmp(state, "free") ? PINPROBE_CANNOT : PINPROBE_OK;
}

static void print_title(const struct who *w)
{
	const struct who_page *page = &w->page;

	if (page->pfn)
		printf("page frame 0x%" PRIx64, page->pfn);
	else
		fputs("a page", stdout);
	if (w->range.pid)
		printf(" of process %d at %" PRIx64, w->range.pid, w->range.addr);
	putchar('\n');
}

static void print_page(const struct who *w)
{
	const struct who_page *page = &w->page;
	struct text t = { 0 };

	if (page->has_flags)
		who_flags(&t, page->flags);
	if (page->order)
		text_printf(&t, "%spage %" PRIu64 " of a folio of %u", t.len ? ", " : "",
			    page->pfn - page->head, 1U << page->order);
	if (page->zone)
		text_printf(&t, "%szone %s of node %d", t.len ? ", " : "",
			    page->zone, page->node);
	if (page->migratetype != PINPROBE_MT_UNKNOWN)
		text_printf(&t, ", migratetype %s", migratetype_name(page->migratetype));
	if (page->cma > 0)
		text_puts(&t, ", in a CMA area");
	if (t.len)
		out_paragraph("  ", t.s);
	text_free(&t);
}

static void print_account(const struct who *w)
{
	static const char *const how[] = {
		[WHO_NOT_COUNTED] = "the module or BPF could count them",
		[WHO_MODULE] = "counted by the module",
		[WHO_LOOK] = "counted by BPF",
	};
	struct text t = { 0 };

	if (!w->page.pfn)
		return;
	account_text(&t, &w->account);
	text_printf(&t, " (%s)", how[w->page.counted]);
	if (account_maybe_pinned(&w->account))
		text_puts(&t, "; may be pinned");
	out_paragraph("  ", t.s);
	text_free(&t);
}

static void print_absent(const struct who *w)
{
	if (w->page.pfn || !w->page.mapped_at)
		return;
	if (w->page.entry >> 62 & 1)
		puts("  It is swapped out, or being migrated: no page is there now.");
	else if (!(w->page.entry & ORACLE_PAGE_PRESENT))
		puts("  No page is there now: not touched yet, dropped, or not mapped.");
}

static enum out_style style_of(enum holder_certainty certainty)
{
	static const enum out_style styles[] = {
		[HOLDER_CERTAIN] = OUT_WARNING,
		[HOLDER_LIKELY] = OUT_NOTE,
		[HOLDER_POSSIBLE] = OUT_PLAIN,
		[HOLDER_EXCLUDED] = OUT_FAINT,
	};

	return styles[certainty];
}

static void print_holder(const struct holder *h)
{
	out_text(style_of(h->certainty), "  %-8s  %s",
		 holder_certainty_name(h->certainty), holder_kind_name(h->kind));
	if (h->pid)
		printf("  process %d (%s)", h->pid, h->comm);
	if (h->fd >= 0)
		printf(", descriptor %d", h->fd);
	printf(": %s", h->what);
	if (h->bytes)
		printf(", %" PRIu64 " bytes", h->bytes);
	putchar('\n');
	out_paragraph("            ", h->evidence);
}

/* Those of which chosen() is true, below a title. */
static void print_holders(const struct who *w, const char *title,
			  bool (*chosen)(const struct holder *h))
{
	bool any = false;
	size_t i;

	for (i = 0; i < w->holders; i++) {
		if (!chosen(&w->holder[i]))
			continue;
		if (!any)
			out_text(OUT_TITLE, "%s\n", title);
		any = true;
		print_holder(&w->holder[i]);
	}
}

static bool is_mapping(const struct holder *h)
{
	return h->kind == HOLDER_MAPPING;
}

static bool is_holder(const struct holder *h)
{
	return h->kind != HOLDER_MAPPING && h->certainty != HOLDER_EXCLUDED;
}

static bool is_excluded(const struct holder *h)
{
	return h->kind != HOLDER_MAPPING && h->certainty == HOLDER_EXCLUDED;
}

static void print_missing(const struct who *w)
{
	const char *line = w->missing.s, *end;

	if (!w->missing.len)
		return;
	out_text(OUT_TITLE, "Not seen\n");
	for (; *line; line = end + 1) {
		char *one;

		end = strchr(line, '\n');
		one = text_dup_len(line, end - line);
		out_paragraph("  ", one);
		free(one);
	}
}

static bool named(const struct who *w)
{
	size_t i;

	for (i = 0; i < w->holders; i++)
		if (is_holder(&w->holder[i]))
			return true;
	return false;
}

static void print_end(const struct who *w)
{
	const char *state = who_state(w);

	if (w->gone)
		out_paragraph("", "The process ended meanwhile: what is said is of before, and cannot be relied on.");
	else if (!strcmp(state, "free"))
		out_paragraph("", "Nobody holds it beyond mappings and caches.");
	else if (!strcmp(state, "held") && !named(w))
		out_paragraph("", "It is held, and by nobody that could be found: a driver, a pipe or a socket of a process that does not map it (--all), or asynchronous I/O.");
	else if (!strcmp(state, "held"))
		out_paragraph("", "It is held: while it is, it cannot be moved, and a long-term pin fails if it has to be.");
	else if (w->account.state == ACCOUNT_BATCH)
		out_paragraph("", "Whether it is held cannot be told: an LRU batch may have the one reference that is left.");
	else
		out_paragraph("", "Whether it is held cannot be told without counting references.");
}

void who_print(const struct who *w)
{
	print_title(w);
	print_page(w);
	print_account(w);
	print_absent(w);
	print_holders(w, "Held by", is_holder);
	print_holders(w, "Mapped by", is_mapping);
	print_holders(w, "Not held by", is_excluded);
	if (w->owner) {
		out_text(OUT_TITLE, "Allocated (page_owner)\n");
		fputs(w->owner, stdout);
	}
	print_missing(w);
	print_end(w);
}
