// SPDX-License-Identifier: GPL-2.0
/* Where pages lie, and what became of them. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "kpath_internal.h"

void kpath_say(struct kpath_text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (text->len < sizeof(text->line))
		text->len += vsnprintf(text->line + text->len,
				       sizeof(text->line) - text->len, format,
				       args);
	va_end(args);
}

uint64_t kpath_pfn(const struct kpath_walk *walk, int64_t page)
{
	if (!walk->base || !page)
		return 0;
	return (uint64_t)(page - walk->base) / walk->facts->struct_page;
}

void kpath_say_page(const struct kpath_walk *walk, struct kpath_text *text,
		    int64_t page)
{
	if (walk->base)
		kpath_say(text, "pfn 0x%lx", (unsigned long)kpath_pfn(walk, page));
	else
		kpath_say(text, "struct page 0x%lx", (unsigned long)page);
}

static uint64_t ts(const struct kpath_walk *walk)
{
	return kpath_now(walk)->ts_us - walk->start_us;
}

/*
 * Only what a pin looks at: pages that are freed are looked at, too. 6.12 reads
 * all bits of a pageblock with one function, and the type is the lowest three.
 */
static bool counts(const struct kpath_event *block)
{
	if (block->present & 1U << KPATH_V_FLAGS &&
	    block->value[KPATH_V_FLAGS] != 7)
		return false;
	return strstr(block->caller, "longterm") ||
	       strstr(block->caller, "grab") || strstr(block->caller, "gup");
}

static void say_type(const struct kpath_walk *walk, struct kpath_text *text,
		     const struct kpath_event *block)
{
	const char *name = kpath_migratetype(walk->facts,
					     block->value[KPATH_V_RET]);

	if (name)
		kpath_say(text, "%s", name);
	else
		kpath_say(text, "migratetype %ld", (long)block->value[KPATH_V_RET]);
}

/* "pfn 0x1 in a MIGRATE_CMA pageblock", or how many of each type. */
static void say_blocks(const struct kpath_walk *walk, struct kpath_text *text)
{
	const struct kpath_event *const *block = walk->block;
	size_t i, j, alike;

	if (walk->nr_blocks == 1) {
		kpath_say_page(walk, text, block[0]->value[KPATH_V_PAGE]);
		kpath_say(text, " lies in a ");
		say_type(walk, text, block[0]);
		kpath_say(text, " pageblock");
		return;
	}
	for (i = 0; i < walk->nr_blocks; i++) {
		for (j = 0, alike = 0; j < walk->nr_blocks; j++) {
			if (block[j]->value[KPATH_V_RET] !=
			    block[i]->value[KPATH_V_RET])
				continue;
			if (j < i)
				break;
			alike++;
		}
		if (!alike)
			continue;
		kpath_say(text, "%s%s%zu in ", i ? ", " : "",
			  walk->partial ? "at least " : "", alike);
		say_type(walk, text, block[i]);
		kpath_say(text, " pageblocks (first: ");
		kpath_say_page(walk, text, block[i]->value[KPATH_V_PAGE]);
		kpath_say(text, ")");
	}
}

static void keep_looks(struct kpath_walk *walk)
{
	size_t i, kept = 0;

	for (i = 0; i < walk->nr_blocks; i++)
		if (counts(walk->block[i]))
			walk->block[kept++] = walk->block[i];
	walk->nr_blocks = kept;
}

void kpath_blocks_told(struct kpath_walk *walk, const char *where)
{
	struct kpath_text text = { .len = 0 };
	struct kpath_step *step;

	keep_looks(walk);
	if (!walk->nr_blocks)
		return;
	kpath_say(&text, "%s", where);
	say_blocks(walk, &text);
	step = kpath_add(walk->kp, KPATH_MIGRATETYPE,
			 walk->block[0]->ts_us - walk->start_us, "%s",
			 text.line);
	if (step) {
		step->pfn = kpath_pfn(walk, walk->block[0]->value[KPATH_V_PAGE]);
		step->nr = walk->nr_blocks;
		step->ret = walk->block[0]->value[KPATH_V_RET];
	} else {
		walk->err = -ENOMEM;
	}
	walk->nr_blocks = 0;
}

static const struct kpath_event *block_of(const struct kpath_walk *walk,
					  int64_t page)
{
	size_t i;

	for (i = 0; i < walk->nr_blocks; i++)
		if (walk->block[i]->value[KPATH_V_PAGE] == page)
			return walk->block[i];
	return NULL;
}

static void say_mover(const struct kpath_walk *walk, struct kpath_text *text,
		      int64_t page)
{
	const struct kpath_zone *zone = kpath_zone_of(walk->facts,
						      kpath_pfn(walk, page));
	const struct kpath_event *block = block_of(walk, page);

	kpath_say_page(walk, text, page);
	if (zone)
		kpath_say(text, " lies in zone %s", zone->name);
	if (block) {
		kpath_say(text, zone ? ", in a " : " lies in a ");
		say_type(walk, text, block);
		kpath_say(text, " pageblock");
	}
}

/* Those that are unmapped, or get a target, are those that must move. */
static size_t say_movers(const struct kpath_walk *walk, struct kpath_text *text,
			 uint64_t *first)
{
	const struct kpath_event *event;
	int64_t told[KPATH_TOLD];
	size_t nr = 0, i, j;

	for (i = walk->at + 1; i < walk->events->nr && nr < KPATH_TOLD; i++) {
		event = &walk->events->event[i];
		if (event->id == KPATH_MIGRATED || event->id == KPATH_PIN_RETURN)
			break;
		if (event->id != KPATH_TARGET && event->id != KPATH_UNMAP)
			continue;
		for (j = 0; j < nr; j++)
			if (told[j] == event->value[KPATH_V_PAGE])
				break;
		if (j < nr)
			continue;
		told[nr++] = event->value[KPATH_V_PAGE];
		kpath_say(text, "%s", nr > 1 ? "; " : ": ");
		say_mover(walk, text, event->value[KPATH_V_PAGE]);
	}
	*first = nr ? kpath_pfn(walk, told[0]) : 0;
	return nr;
}

void kpath_must_move(struct kpath_walk *walk)
{
	int64_t collected = kpath_now(walk)->value[KPATH_V_RET];
	struct kpath_text text = { .len = 0 };
	struct kpath_step *step;
	uint64_t first = 0;
	size_t told = 0;

	keep_looks(walk);
	if (collected) {
		kpath_say(&text, "%ld folio%s must move first", (long)collected,
			  collected == 1 ? "" : "s");
		told = say_movers(walk, &text, &first);
		if (told && (uint64_t)collected > told)
			kpath_say(&text, "; and %ld more",
				  (long)(collected - told));
	} else {
		kpath_say(&text, "nothing has to move");
	}
	if (!told && walk->nr_blocks) {
		kpath_say(&text, ": ");
		say_blocks(walk, &text);
		first = kpath_pfn(walk, walk->block[0]->value[KPATH_V_PAGE]);
	}
	step = kpath_add(walk->kp, KPATH_MIGRATETYPE, ts(walk), "%s", text.line);
	if (step) {
		step->pfn = first;
		step->nr = collected;
		step->ret = walk->nr_blocks ? walk->block[0]->value[KPATH_V_RET] : 0;
	} else {
		walk->err = -ENOMEM;
	}
	walk->nr_blocks = 0;
}

/* All that follow on each other in one step. */
void kpath_dropped(struct kpath_walk *walk)
{
	const struct kpath_event *first = kpath_now(walk);
	struct kpath_text text = { .len = 0 };
	struct kpath_step *step;
	uint64_t at = ts(walk);
	size_t nr = 1;

	while (walk->at + 1 < walk->events->nr &&
	       walk->events->event[walk->at + 1].id == KPATH_DROP) {
		walk->at++;
		nr++;
	}
	kpath_say(&text, "%s%zu %spin%s dropped: %s",
		  walk->partial && nr > 1 ? "at least " : "", nr,
		  walk->pinning ? "temporary " : "", nr == 1 ? "" : "s",
		  nr == 1 ? "" : "first ");
	kpath_say_page(walk, &text, first->value[KPATH_V_PAGE]);
	if (first->present & 1U << KPATH_V_REFS)
		kpath_say(&text, ", %ld references with it",
			  (long)first->value[KPATH_V_REFS]);
	step = kpath_add(walk->kp, KPATH_UNPIN, at, "%s", text.line);
	if (!step) {
		walk->err = -ENOMEM;
		return;
	}
	step->pfn = kpath_pfn(walk, first->value[KPATH_V_PAGE]);
	step->nr = nr;
}
