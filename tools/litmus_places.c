// SPDX-License-Identifier: GPL-2.0
/* Where pages lie before and after the call, and what untouched ones become. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "litmus.h"
#include "litmus_uring.h"

static void untouched(struct litmus_session *s, struct litmus_evidence *e,
		      struct litmus_area *area)
{
	struct litmus_share *u = &e->untouched;
	long count;
	int err;

	err = litmus_pin(s, area, false);
	if (err) {
		snprintf(u->why_not, sizeof(u->why_not), "%s", litmus_why(s, err));
		return;
	}
	count = litmus_exclusive(s, area);
	litmus_unpin(s, area);
	if (count < 0) {
		snprintf(u->why_not, sizeof(u->why_not), "/proc/PID/pagemap: %s",
			 litmus_why(s, count));
		return;
	}
	u->pages = area->len / s->page;
	u->so = count;
}

/* Memory of our own that nothing registers, of small pages; 0 or -errno. */
static int own_area(struct litmus_area *area, bool write)
{
	void *addr = mmap(NULL, area->len, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int err;

	if (addr == MAP_FAILED)
		return -errno;
	madvise(addr, area->len, MADV_NOHUGEPAGE);
	area->addr = (uintptr_t)addr;
	err = litmus_populate(addr, area->len, write);
	if (err)
		munmap(addr, area->len);
	return err;
}

/* The control: who merely reads gets the zero page, which nobody has for himself. */
static const char *control(size_t page)
{
	const struct litmus_session here = { .page = page };
	struct litmus_area area = { .len = LITMUS_TRY_PAGES * page };
	long count = own_area(&area, false);

	if (!count) {
		count = litmus_exclusive(&here, &area);
		munmap((void *)(uintptr_t)area.addr, area.len);
	}
	if (count < 0)
		return "what a mere read gets cannot be seen";
	return count ? "this kernel gives a mere read pages of its own as well" :
	       NULL;
}

void litmus_probe_untouched(struct litmus_session *s, struct litmus_evidence *e)
{
	struct litmus_area area = {
		.kind = LITMUS_ANON,
		.writable = true,
		.untouched = true,
		.len = LITMUS_TRY_PAGES * s->page,
	};
	const char *why = NULL;
	int err;

	if (s->provider->flags & LITMUS_TAKES_MEMFD)
		why = "the call takes no private memory";
	else if (s->provider->flags & LITMUS_ONE_ACCESS)
		why = "the call cannot be asked to read only";
	else
		why = control(s->page);
	if (!why) {
		err = litmus_area_map(s, &area);
		if (!err) {
			untouched(s, e, &area);
			litmus_area_unmap(s, &area);
			return;
		}
		why = litmus_why(s, err);
	}
	snprintf(e->untouched.why_not, sizeof(e->untouched.why_not), "%s", why);
}

static size_t changed(const uint64_t *a, const uint64_t *b, size_t nr)
{
	size_t count = 0, i;

	for (i = 0; i < nr; i++)
		count += LITMUS_PFN(a[i]) != LITMUS_PFN(b[i]);
	return count;
}

/* Counts what lay where it may not stay, and where that went. */
static void compare(struct litmus_places *p, const struct litmus_zones *zones,
		    const uint64_t *before, const uint64_t *after)
{
	uint64_t now;
	size_t i;

	for (i = 0; i < p->pages; i++) {
		if (!litmus_zones_has(zones, LITMUS_PFN(before[i])))
			continue;
		p->unpinnable++;
		now = LITMUS_PFN(after[i]);
		if (!(after[i] & LITMUS_PRESENT))
			continue;
		if (now != LITMUS_PFN(before[i]) && !litmus_zones_has(zones, now))
			p->left++;
		else if (now == LITMUS_PFN(before[i]))
			p->stayed++;
	}
}

static int look(struct litmus_session *s, struct litmus_places *p,
		const struct litmus_zones *zones, struct litmus_area *area,
		uint64_t *entries)
{
	uint64_t *first = entries, *before = first + p->pages;
	uint64_t *after = before + p->pages;
	int err;

	err = litmus_pagemap(s, area, first);
	if (err)
		return err;
	if (!LITMUS_PFN(first[0]))
		return litmus_fail(s, -EPERM,
				   "PFNs are hidden from who lacks CAP_SYS_ADMIN");
	err = litmus_pagemap(s, area, before);
	if (!err)
		err = litmus_pin(s, area, true);
	if (err)
		return err;
	err = litmus_pagemap(s, area, after);
	litmus_unpin(s, area);
	if (err)
		return err;
	p->quiet = changed(first, before, p->pages);
	compare(p, zones, before, after);
	return 0;
}

static int measure(struct litmus_session *s, struct litmus_places *p,
		   const struct litmus_zones *zones)
{
	bool memfd = s->provider->flags & LITMUS_TAKES_MEMFD;
	struct litmus_area area = {
		.kind = memfd ? LITMUS_SHMEM : LITMUS_ANON,
		.shared = memfd,
		.writable = true,
	};
	uint64_t *entries;
	int err;

	p->pages = LITMUS_PAGES_FIRST;
	if (s->provider->max_pages && p->pages > s->provider->max_pages)
		p->pages = s->provider->max_pages;
	area.len = p->pages * s->page;
	entries = calloc(p->pages * 3, sizeof(*entries));
	if (!entries)
		return -ENOMEM;
	err = litmus_area_map(s, &area);
	if (!err) {
		err = look(s, p, zones, &area, entries);
		litmus_area_unmap(s, &area);
	}
	free(entries);
	return err;
}

/*
 * Whether a long-term pin leaves such places on this kernel: before Linux kernel
 * commit d1e153fea2a8 ("mm/gup: migrate pinned pages out of movable zone") (in v5.13)
 * none left ZONE_MOVABLE. io_uring is known to take one; where it does not say, the
 * version does.
 */
static enum litmus_answer find_rule(const struct litmus_zones *zones, size_t pages,
				    size_t page)
{
	const struct litmus_session here = { .page = page };
	struct litmus_area area = { .len = pages * page };
	struct litmus_places seen = { .pages = pages };
	uint64_t *entries = calloc(2 * pages, sizeof(*entries));

	if (entries && !own_area(&area, true)) {
		void *addr = (void *)(uintptr_t)area.addr;

		if (!litmus_pagemap(&here, &area, entries) &&
		    !litmus_uring_try(addr, area.len) &&
		    !litmus_pagemap(&here, &area, entries + pages))
			compare(&seen, zones, entries, entries + pages);
		munmap(addr, area.len);
	}
	free(entries);
	if (seen.unpinnable < LITMUS_PLACES_MIN)
		return litmus_kernel_has(5, 13) ? LITMUS_YES : LITMUS_NO;
	return seen.stayed < LITMUS_PLACES_MIN ? LITMUS_YES : LITMUS_NO;
}

void litmus_probe_places(struct litmus_session *s, struct litmus_evidence *e)
{
	struct litmus_places *p = &e->places;
	struct litmus_zones zones;
	int err;

	litmus_zones_read(&zones);
	if (!zones.nr) {
		snprintf(p->why_not, sizeof(p->why_not),
			 "no ZONE_MOVABLE, and no CMA area whose place is known");
		return;
	}
	err = measure(s, p, &zones);
	if (err)
		snprintf(p->why_not, sizeof(p->why_not), "%s", litmus_why(s, err));
	else if (p->stayed >= LITMUS_PLACES_MIN)
		p->rule = find_rule(&zones, p->pages, s->page);
}
