// SPDX-License-Identifier: GPL-2.0
/* What became of each folio in one migrate_pages() call. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kpath_internal.h"

/* From include/linux/mm.h: what one FOLL_PIN adds to a small folio's count. */
#define PIN_BIAS	1024

static struct kpath_folio *known_folio(struct kpath_walk *walk, int64_t page)
{
	size_t i;

	/* The latest first: its events follow on each other. */
	for (i = walk->nr_folios; i > 0; i--)
		if (walk->folio[i - 1].src == page)
			return &walk->folio[i - 1];
	return NULL;
}

static struct kpath_folio *folio_of(struct kpath_walk *walk, int64_t page)
{
	size_t room = walk->room ? walk->room * 2 : 64;
	struct kpath_folio *folio = known_folio(walk, page);

	if (folio)
		return folio;
	if (walk->nr_folios == walk->room) {
		folio = realloc(walk->folio, room * sizeof(*folio));
		if (!folio) {
			walk->err = -ENOMEM;
			return NULL;
		}
		walk->folio = folio;
		walk->room = room;
	}
	folio = &walk->folio[walk->nr_folios++];
	memset(folio, 0, sizeof(*folio));
	folio->src = page;
	return folio;
}

static void take_counts(const struct kpath_walk *walk, struct kpath_folio *folio)
{
	const struct kpath_event *event = kpath_now(walk);
	int head = walk->facts->head_bit;

	if (!(event->present & 1U << KPATH_V_REFS))
		return;
	folio->counted = true;
	folio->refs = event->value[KPATH_V_REFS];
	folio->maps = event->value[KPATH_V_MAPS];
	folio->pins = event->value[KPATH_V_PINS];
	folio->large = head >= 0 && event->value[KPATH_V_FLAGS] >> head & 1;
}

static void take_move(struct kpath_walk *walk)
{
	const struct kpath_event *event = kpath_now(walk);
	struct kpath_folio *folio;

	folio = known_folio(walk, event->value[KPATH_V_PAGE]);
	if (folio)
		walk->move_known = true;
	else if (walk->move_known)
		folio = folio_of(walk, event->value[KPATH_V_PAGE]);
	if (!folio)
		return;
	folio->dst = event->value[KPATH_V_DST];
	folio->ts_us = event->ts_us;
	folio->move_ret = event->value[KPATH_V_RET];
	if (folio->move_ret)
		folio->not_moved++;
	else
		folio->moved = true;
}

void kpath_folio_event(struct kpath_walk *walk)
{
	const struct kpath_event *event = kpath_now(walk);
	struct kpath_folio *folio;

	if (event->id == KPATH_MOVE) {
		take_move(walk);
		return;
	}
	folio = folio_of(walk, event->value[KPATH_V_PAGE]);
	if (!folio)
		return;
	folio->ts_us = event->ts_us;
	if (event->id == KPATH_TARGET) {
		folio->dst = event->value[KPATH_V_DST];
		folio->no_target += !folio->dst;
		return;
	}
	folio->addr = event->value[KPATH_V_ADDR];
	folio->not_unmapped += !event->value[KPATH_V_RET];
	take_counts(walk, folio);
}

/* As they were after the last attempt to unmap it. */
static void say_counts(struct kpath_text *text, const struct kpath_folio *folio)
{
	if (!folio->counted)
		return;
	kpath_say(text, ", %ld reference%s", (long)folio->refs,
		  folio->refs == 1 ? "" : "s");
	/* The count of a large folio's head says little of the whole. */
	if (!folio->large)
		kpath_say(text, " and %ld mapping%s then", (long)folio->maps + 1,
			  folio->maps ? "s" : "");
	if (folio->large)
		kpath_say(text, " and %ld pin%s then", (long)folio->pins,
			  folio->pins == 1 ? "" : "s");
	else if (folio->refs >= PIN_BIAS)
		kpath_say(text, ": taken as pinned (a FOLL_PIN counts %d)",
			  PIN_BIAS);
}

static void say_pages(const struct kpath_walk *walk, struct kpath_text *text,
		      const struct kpath_folio *folio)
{
	kpath_say_page(walk, text, folio->src);
	if (!folio->dst)
		return;
	kpath_say(text, " → ");
	kpath_say_page(walk, text, folio->dst);
}

/* Why not, in the order in which the kernel tries. */
static void say_failure(const struct kpath_walk *walk, struct kpath_text *text,
			const struct kpath_folio *folio)
{
	say_pages(walk, text, folio);
	if (folio->no_target && !folio->dst) {
		kpath_say(text, " did not move: no page to move it to");
		return;
	}
	kpath_say(text, " did not move: ");
	if (folio->not_unmapped) {
		kpath_say(text, "try_to_migrate_one refused %u time%s to unmap it",
			  folio->not_unmapped,
			  folio->not_unmapped == 1 ? "" : "s");
		say_counts(text, folio);
	}
	if (folio->not_unmapped && folio->not_moved)
		kpath_say(text, "; ");
	if (folio->not_moved) {
		kpath_say(text, "unmapped");
		if (!folio->not_unmapped)
			say_counts(text, folio);
		kpath_say(text, ", but moving it ended %u time%s with %s",
			  folio->not_moved, folio->not_moved == 1 ? "" : "s",
			  kpath_error(folio->move_ret));
	}
}

static void say_move(const struct kpath_walk *walk, struct kpath_text *text,
		     const struct kpath_folio *folio)
{
	say_pages(walk, text, folio);
	kpath_say(text, folio->moved ? " moved: unmapped" : ": unmapped");
	if (folio->addr)
		kpath_say(text, " at 0x%lx", (unsigned long)folio->addr);
	say_counts(text, folio);
}

static bool failed(const struct kpath_folio *folio)
{
	return !folio->moved && (folio->no_target || folio->not_unmapped ||
				 folio->not_moved);
}

/* One by one up to a few, then how many more. */
static void told(struct kpath_walk *walk, bool failures)
{
	const struct kpath_folio *folio = walk->folio;
	struct kpath_text text;
	struct kpath_step *step;
	uint64_t last_us = 0;
	size_t i, nr = 0;

	for (i = 0; i < walk->nr_folios; i++, folio++) {
		if (failed(folio) != failures)
			continue;
		last_us = folio->ts_us;
		if (++nr > KPATH_TOLD)
			continue;
		text.len = 0;
		if (failures)
			say_failure(walk, &text, folio);
		else
			say_move(walk, &text, folio);
		step = kpath_add(walk->kp, KPATH_MIGRATE,
				 folio->ts_us - walk->start_us, "%s", text.line);
		if (!step) {
			walk->err = -ENOMEM;
			return;
		}
		step->addr = folio->addr;
		step->pfn = kpath_pfn(walk, folio->src);
		step->to_pfn = kpath_pfn(walk, folio->dst);
		step->ret = folio->moved ? 0 : folio->move_ret;
		step->nr = 1;
	}
	if (nr > KPATH_TOLD &&
	    !kpath_add(walk->kp, KPATH_MIGRATE, last_us - walk->start_us,
		       "%s%zu more folios %s",
		       walk->partial && !failures ? "at least " : "",
		       nr - KPATH_TOLD,
		       failures ? "did not move" : "likewise"))
		walk->err = -ENOMEM;
}

void kpath_folios_told(struct kpath_walk *walk)
{
	told(walk, false);
	told(walk, true);
	walk->nr_folios = 0;
}
