// SPDX-License-Identifier: GPL-2.0
/* How many references the page has: from the module, or by looking at it. */
#include <linux/kernel-page-flags.h>
#include <stdlib.h>
#include <unistd.h>

#include "../selftests/lib/device.h"
#include "drain.h"
#include "look.h"
#include "version.h"
#include "who.h"

static void take_record(struct who_page *page, const struct pinprobe_page *rec)
{
	struct account_facts *f = &page->facts;
	int64_t pages = 1LL << rec->order;

	page->order = rec->order;
	page->migratetype = rec->migratetype;
	f->counted = true;
	f->refs = rec->refs;
	f->order = rec->order;
	f->mappings = rec->mapcount;
	f->pincount = rec->order ? rec->pins : 0;
	f->swap = rec->flags & PINPROBE_PAGE_SWAPCACHE ? pages : 0;
	f->private = rec->flags & PINPROBE_PAGE_PRIVATE &&
		     rec->refs_expected > rec->mapcount + f->swap ? 1 : 0;
	f->cache = rec->refs_expected - rec->mapcount - f->swap - f->private;
	f->zero = rec->flags & PINPROBE_PAGE_ZERO;
	f->lru = rec->flags & PINPROBE_PAGE_LRU;
	f->never_lru = rec->flags & PINPROBE_PAGE_HUGETLB;
	f->user = true;
}

/* The module looks at addresses; another process's does as well. */
static bool by_module(struct who *w)
{
	int dev = w->range.pid && source_live(&w->source) &&
		  !access(PINPROBE_DEVICE, R_OK | W_OK) ? device_open() : -1;
	struct pinprobe_page rec;
	size_t size = sysconf(_SC_PAGESIZE);
	int got;

	if (dev < 0)
		return false;
	got = device_resolve(dev, w->range.pid,
			     (void *)(uintptr_t)(w->range.addr & -size), size, 0,
			     &rec, 1, NULL);
	close(dev);
	if (got != 1 || rec.state != PINPROBE_STATE_PRESENT || rec.pfn != w->page.pfn)
		return false;
	take_record(&w->page, &rec);
	w->page.counted = WHO_MODULE;
	return true;
}

/* Bit of /proc/kpageflags, not among those of the UAPI header. */
#define KPF_PRIVATE	35

/*
 * Before "mm/filemap: remove hugetlb special casing in filemap.c" (in v6.7) the
 * page cache had one reference to a folio of hugetlbfs.
 */
static int64_t cache_refs(struct who *w, unsigned int order)
{
	char *release = NULL;
	bool one;

	source_line(&w->source, &release, "/proc/sys/kernel/osrelease");
	one = w->page.flags >> KPF_HUGE & 1 && release &&
	      version_compare(release, "6.7") < 0;
	free(release);
	return one ? 1 : 1LL << order;
}

static bool by_look(struct who *w)
{
	struct account_facts *f = &w->page.facts;
	bool anon, swap = w->page.flags >> KPF_SWAPCACHE & 1;
	struct page_look look;

	if (!source_live(&w->source) || !w->page.has_flags ||
	    !page_look(w->page.pfn, &look))
		return false;
	anon = look.mapping == PAGE_MAPPING_ANON || look.mapping == PAGE_MAPPING_KSM;
	if (look.mapcount < 0 && (look.order || w->page.mapcount < 0))
		return false;
	w->page.head = look.pfn;
	w->page.order = look.order;
	w->page.migratetype = look.migratetype;
	f->counted = true;
	f->refs = look.refcount;
	f->order = look.order;
	f->mappings = look.mapcount >= 0 ? look.mapcount : w->page.mapcount;
	f->pincount = look.order ? look.pincount : 0;
	f->swap = anon && swap ? 1LL << look.order : 0;
	f->cache = look.mapping == PAGE_MAPPING_FILE ?
		   cache_refs(w, look.order) : 0;
	f->private = !anon && w->page.flags >> KPF_PRIVATE & 1;
	w->page.counted = WHO_LOOK;
	return true;
}

static void look(struct who *w)
{
	if (!by_module(w))
		by_look(w);
	account_make(&w->account, &w->page.facts);
}

void who_count(struct who *w)
{
	look(w);
	if (w->account.state == ACCOUNT_UNKNOWN && w->page.counted)
		look(w);
	if (!w->account.batch || !source_live(&w->source) || !drain_lru())
		return;
	w->page.facts.drained = true;
	look(w);
}
