// SPDX-License-Identifier: GPL-2.0
/* From events to the steps that people read. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kpath_internal.h"

struct kpath_step *kpath_add(struct kpath *kp, enum kpath_kind kind,
			     uint64_t ts_us, const char *format, ...)
{
	size_t room = kp->room ? kp->room * 2 : 32;
	struct kpath_step *step;
	va_list args;
	char *c;

	if (kp->nr_steps == kp->room) {
		step = realloc(kp->steps, room * sizeof(*step));
		if (!step)
			return NULL;
		kp->steps = step;
		kp->room = room;
	}
	step = &kp->steps[kp->nr_steps++];
	memset(step, 0, sizeof(*step));
	step->kind = kind;
	step->ts_us = ts_us;
	va_start(args, format);
	vsnprintf(step->text, sizeof(step->text), format, args);
	va_end(args);
	/* It becomes part of one line. */
	for (c = step->text; *c; c++)
		if (*c > 0 && *c < ' ')
			*c = ' ';
	return step;
}

const char *kpath_error(int64_t err)
{
	static char number[32];
	const char *name = err < 0 ? strerrorname_np(-err) : NULL;

	if (name)
		return name;
	snprintf(number, sizeof(number), "%ld", (long)err);
	return number;
}

static bool has(const struct kpath_event *event, enum kpath_value value)
{
	return event->present & 1U << value;
}

static const char *plural(int64_t nr)
{
	return nr == 1 ? "" : "s";
}

/* A step of the event under way. */
#define TELL(walk, kind, ...) \
	note(walk, kpath_add((walk)->kp, kind, \
			     kpath_now(walk)->ts_us - (walk)->start_us, __VA_ARGS__))

static void note(struct kpath_walk *walk, struct kpath_step *step)
{
	const struct kpath_event *event = kpath_now(walk);

	if (!step) {
		walk->err = -ENOMEM;
		return;
	}
	step->addr = event->value[KPATH_V_ADDR];
	step->nr = event->value[KPATH_V_NR];
	step->ret = event->value[KPATH_V_RET];
}

static void call_told(struct kpath_walk *walk, enum kpath_kind kind,
		      const char *verb)
{
	const struct kpath_event *event = kpath_now(walk);

	if (has(event, KPATH_V_ADDR) && has(event, KPATH_V_NR))
		TELL(walk, kind, "%s(0x%lx, %ld bytes) %s", event->symbol,
		     (unsigned long)event->value[KPATH_V_ADDR],
		     (long)event->value[KPATH_V_NR], verb);
	else
		TELL(walk, kind, "%s %s", event->symbol, verb);
}

static void return_told(struct kpath_walk *walk, enum kpath_kind kind,
			const char *good)
{
	const struct kpath_event *event = kpath_now(walk);
	int64_t ret = event->value[KPATH_V_RET];

	if (ret < 0 && ret >= -4095)
		TELL(walk, kind, "%s returned %s", event->symbol,
		     kpath_error(ret));
	else
		TELL(walk, kind, "%s returned %s", event->symbol, good);
}

/* "pin_user_pages_fast(0x7f..., 1 page, WRITE|LONGTERM)" */
static void gup_text(const struct kpath_walk *walk, char *text, size_t size)
{
	const struct kpath_event *event = kpath_now(walk);
	char flags[160];

	if (!has(event, KPATH_V_FLAGS)) {
		snprintf(text, size, "%s", event->symbol);
		return;
	}
	kpath_gup_flags(walk->facts, event->value[KPATH_V_FLAGS], flags,
			sizeof(flags));
	snprintf(text, size, "%s(0x%lx, %ld page%s, %s)", event->symbol,
		 (unsigned long)event->value[KPATH_V_ADDR],
		 (long)event->value[KPATH_V_NR],
		 plural(event->value[KPATH_V_NR]), flags);
}

static void pin_asked(struct kpath_walk *walk)
{
	char text[256];

	walk->pin = *kpath_now(walk);
	walk->tries = 0;
	walk->pinning = true;
	walk->again = false;
	walk->moved = 0;
	walk->failed = 0;
	walk->calls++;
	walk->mark = walk->kp->nr_steps;
	gup_text(walk, text, sizeof(text));
	TELL(walk, KPATH_LONGTERM_PIN, "%spin asked for: %s",
	     strstr(text, "LONGTERM") ? "long-term " : "", text);
}

static void try_told(struct kpath_walk *walk)
{
	char text[256];

	gup_text(walk, text, sizeof(text));
	if (walk->again)
		TELL(walk, KPATH_RETRY, "moved, so the pin is tried again: %s",
		     text);
	else if (walk->tries)
		TELL(walk, KPATH_RETRY, "goes on in the slow path: %s", text);
	else
		TELL(walk, KPATH_LONGTERM_PIN, "slow path: %s", text);
	walk->tries++;
	walk->again = false;
}

static void try_returned(struct kpath_walk *walk)
{
	struct kpath *kp = walk->kp;
	int64_t ret = kpath_now(walk)->value[KPATH_V_RET];
	struct kpath_step *step;
	size_t len;

	if (!kp->nr_steps || !walk->tries)
		return;
	step = &kp->steps[kp->nr_steps - 1];
	len = strlen(step->text);
	step->ret = ret;
	if (ret < 0)
		snprintf(step->text + len, sizeof(step->text) - len,
			 " returned %s", kpath_error(ret));
	else
		snprintf(step->text + len, sizeof(step->text) - len,
			 ": %ld page%s pinned for now", (long)ret, plural(ret));
}

static void gate_returned(struct kpath_walk *walk)
{
	const struct kpath_event *event = kpath_now(walk);
	int64_t ret = event->value[KPATH_V_RET];

	walk->again = ret == -EAGAIN;
	if (!walk->again)
		TELL(walk, KPATH_RESULT, "no further try: %s returned %s",
		     event->symbol, kpath_error(ret));
}

/*
 * A large region is pinned in many calls. The first is told in full, and so is
 * each that did not get all it wanted; the others are counted.
 */
static void fold(struct kpath_walk *walk, uint64_t pages)
{
	struct kpath *kp = walk->kp;
	struct kpath_step *step;

	if (walk->calls == 1)
		return;
	if (!walk->folded || walk->folded + 1 != walk->mark) {
		walk->folded = walk->mark;
		walk->folded_calls = 0;
		walk->folded_pages = 0;
		walk->folded_moved = 0;
		kp->nr_steps = walk->mark + 1;
	} else {
		kp->nr_steps = walk->mark;
	}
	step = &kp->steps[walk->folded];
	walk->folded_calls++;
	walk->folded_pages += pages;
	walk->folded_moved += walk->moved;
	memset(step, 0, sizeof(*step));
	step->kind = KPATH_RESULT;
	step->ts_us = kpath_now(walk)->ts_us - walk->start_us;
	step->nr = walk->folded_pages;
	snprintf(step->text, sizeof(step->text),
		 "%u more call%s of %s: %lu pages pinned, %lu of them moved first",
		 walk->folded_calls, plural(walk->folded_calls),
		 kpath_now(walk)->symbol, (unsigned long)walk->folded_pages,
		 (unsigned long)walk->folded_moved);
}

static void pin_returned(struct kpath_walk *walk)
{
	const struct kpath_event *event = kpath_now(walk);
	int64_t ret = event->value[KPATH_V_RET];
	int64_t asked = walk->pin.value[KPATH_V_NR];

	walk->pinning = false;
	if (ret < 0)
		TELL(walk, KPATH_RESULT, "%s returned %s", event->symbol,
		     kpath_error(ret));
	else if (ret < asked)
		TELL(walk, KPATH_RESULT, "%s returned %ld: %ld page%s of %ld pinned",
		     event->symbol, (long)ret, (long)ret, plural(ret),
		     (long)asked);
	else
		TELL(walk, KPATH_RESULT, "%s returned %ld: %s", event->symbol,
		     (long)ret, walk->tries ? "pinned" :
		     "pinned where it is, in the fast path");
	if (ret == asked && ret > 0)
		fold(walk, ret);
}

static void pass_ended(struct kpath_walk *walk)
{
	const struct kpath_event *event = kpath_now(walk);

	kpath_folios_told(walk);
	walk->moved += event->value[KPATH_V_MOVED];
	walk->failed += event->value[KPATH_V_FAILED];
	TELL(walk, KPATH_MIGRATE,
	     "migrate_pages, reason %s: %ld page%s moved, %ld failed",
	     event->reason, (long)event->value[KPATH_V_MOVED],
	     plural(event->value[KPATH_V_MOVED]),
	     (long)event->value[KPATH_V_FAILED]);
}

static void take(struct kpath_walk *walk)
{
	const struct kpath_event *event = kpath_now(walk);

	if (event->id != KPATH_BLOCK && event->id != KPATH_COLLECTED)
		kpath_blocks_told(walk, "fast path: ");
	switch (event->id) {
	case KPATH_REG_ENTER:
		return call_told(walk, KPATH_PROVIDER, "called");
	case KPATH_UMEM_ENTER:
		return call_told(walk, KPATH_UMEM, "called");
	case KPATH_PIN_ENTER:
		return pin_asked(walk);
	case KPATH_TRY_ENTER:
		return try_told(walk);
	case KPATH_TRY_RETURN:
		return try_returned(walk);
	case KPATH_BLOCK:
		walk->block[walk->nr_blocks++] = event;
		return;
	case KPATH_COLLECTED:
		return kpath_must_move(walk);
	case KPATH_DROP:
		return kpath_dropped(walk);
	case KPATH_PASS_START:
		walk->nr_folios = 0;
		return;
	case KPATH_TARGET:
	case KPATH_UNMAP:
	case KPATH_MOVE:
		return kpath_folio_event(walk);
	case KPATH_PASS_END:
		return pass_ended(walk);
	case KPATH_MIGRATED:
		return gate_returned(walk);
	case KPATH_PIN_RETURN:
		return pin_returned(walk);
	case KPATH_UMEM_RETURN:
		return return_told(walk, KPATH_UMEM, "an ib_umem");
	case KPATH_MR_RETURN:
		return return_told(walk, KPATH_PROVIDER, "0");
	case KPATH_REG_RETURN:
		return return_told(walk, KPATH_PROVIDER, "a memory region");
	case KPATH_ID_COUNT:
		return;
	}
}

/* The pair of a struct page and its PFN beats what the symbol says. */
static int64_t find_base(const struct kpath_walk *walk)
{
	const struct kpath_event *event = walk->events->event;
	int64_t base = 0;
	size_t i;

	if (!walk->facts->struct_page)
		return 0;
	for (i = 0; i < walk->events->nr; i++, event++) {
		if (event->id == KPATH_BLOCK && has(event, KPATH_V_PFN) &&
		    has(event, KPATH_V_PAGE))
			return event->value[KPATH_V_PAGE] -
			       event->value[KPATH_V_PFN] *
			       walk->facts->struct_page;
		if (!base && has(event, KPATH_V_BASE))
			base = event->value[KPATH_V_BASE];
	}
	return base;
}

int kpath_steps(struct kpath *kp, const struct kpath_facts *facts,
		const struct kpath_events *events, bool partial)
{
	struct kpath_walk walk = {
		.kp = kp, .facts = facts, .events = events, .partial = partial,
	};

	if (!events->nr)
		return 0;
	walk.block = calloc(events->nr, sizeof(*walk.block));
	if (!walk.block)
		return -ENOMEM;
	walk.start_us = events->event[0].ts_us;
	walk.base = find_base(&walk);
	for (; walk.at < events->nr && !walk.err; walk.at++)
		take(&walk);
	free(walk.block);
	free(walk.folio);
	return walk.err;
}
