// SPDX-License-Identifier: GPL-2.0
/* What the page is, from /proc. */
#include <errno.h>
#include <inttypes.h>
#include <linux/kernel-page-flags.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../selftests/lib/oracle.h"
#include "litmus.h"
#include "who.h"

#define MAX_ORDER	18	/* a gigantic page of 1 GiB */

#define PAGEMAP_SWAPPED	(1ULL << 62)

static bool flag(const struct who_page *page, int bit)
{
	return page->flags >> bit & 1;
}

/* One word of a file of words; false, and a sentence, if it cannot be read. */
static bool word(struct who *w, const char *path, uint64_t index, uint64_t *value)
{
	int fd = source_open(&w->source, "%s", path);
	ssize_t got;

	if (fd < 0) {
		text_printf(&w->missing, "%s: %s\n", path,
			    fd == -EACCES ? "not allowed, it needs root" :
			    fd == -ENOENT ? "absent" : strerror(-fd));
		return false;
	}
	got = pread(fd, value, sizeof(*value), index * sizeof(*value));
	close(fd);
	return got == sizeof(*value);
}

static int find_frame(struct who *w)
{
	uint64_t size = sysconf(_SC_PAGESIZE);
	struct who_page *page = &w->page;
	char path[64];

	page->pfn = w->pfn;
	if (!w->range.pid)
		return 0;
	if (!source_exists(&w->source, "/proc/%d", w->range.pid))
		return -ESRCH;
	snprintf(path, sizeof(path), "/proc/%d/pagemap", w->range.pid);
	page->mapped_at = word(w, path, w->range.addr / size, &page->entry);
	if (!(page->entry & ORACLE_PAGE_PRESENT))
		return 0;
	page->pfn = page->entry & ORACLE_PAGE_PFN;
	if (!page->pfn)
		text_puts(&w->missing, "the page frame: pagemap tells it to who has CAP_SYS_ADMIN in the initial user namespace\n");
	return 0;
}

/* How many pages from a PFN on, at most @nr, are tails. */
static uint64_t tails(int fd, uint64_t pfn, uint64_t nr)
{
	uint64_t flags[512], done = 0;
	ssize_t got, i;

	while (done < nr) {
		got = nr - done < ARRAY_SIZE(flags) ? nr - done : ARRAY_SIZE(flags);
		got = pread(fd, flags, got * sizeof(*flags),
			    (pfn + done) * sizeof(*flags));
		for (i = 0; i < got / (ssize_t)sizeof(*flags); i++)
			if (!(flags[i] >> KPF_COMPOUND_TAIL & 1))
				return done + i;
		if (i == 0)
			break;
		done += i;
	}
	return done;
}

static bool is_tail(int fd, uint64_t pfn)
{
	return tails(fd, pfn, 1);
}

/*
 * A folio is its head and the tails behind it, and lies at a multiple of its size:
 * the head of a tail is at the first such place below that is none.
 */
static uint64_t head_of(int fd, uint64_t pfn)
{
	unsigned int order;
	uint64_t head = pfn;

	for (order = 1; order <= MAX_ORDER && is_tail(fd, head); order++)
		head = pfn & -(1ULL << order);
	return head;
}

static void find_folio(struct who *w)
{
	struct who_page *page = &w->page;
	uint64_t pages;
	int fd;

	page->head = page->pfn;
	if (!flag(page, KPF_COMPOUND_HEAD) && !flag(page, KPF_COMPOUND_TAIL))
		return;
	fd = source_open(&w->source, "/proc/kpageflags");
	if (fd < 0)
		return;
	page->head = head_of(fd, page->pfn);
	pages = 1 + tails(fd, page->head + 1, (1ULL << MAX_ORDER) - 1);
	close(fd);
	while (1ULL << page->order < pages)
		page->order++;
}

/*
 * Node and zone, by spans. Those of ZONE_MOVABLE and of the others may overlap in
 * a way that leaves it open.
 */
void who_zone(struct who_page *page, const char *zoneinfo)
{
	uint64_t spanned = 0, start;
	char name[32] = "";
	int node = -1, hits = 0;

	for (; zoneinfo && *zoneinfo; zoneinfo = strchr(zoneinfo, '\n')) {
		zoneinfo += *zoneinfo == '\n';
		if (sscanf(zoneinfo, "Node %d, zone %31s", &node, name) == 2)
			spanned = 0;
		else if (sscanf(zoneinfo, " start_pfn: %" SCNu64, &start) == 1 &&
			 page->pfn >= start && page->pfn - start < spanned && !hits++) {
			page->node = node;
			page->zone = text_dup(name);
		}
		sscanf(zoneinfo, " spanned %" SCNu64, &spanned);
	}
	if (hits > 1) {
		free(page->zone);
		page->zone = NULL;
		page->node = -1;
	}
}

static void find_zone(struct who *w)
{
	struct text zoneinfo = { 0 };

	if (source_read(&w->source, &zoneinfo, "/proc/zoneinfo") == SOURCE_OK)
		who_zone(&w->page, zoneinfo.s);
	text_free(&zoneinfo);
}

/* No area in the log or in debugfs does not say that there is none. */
static void find_cma(struct who *w)
{
	struct litmus_zones cma;
	struct text meminfo = { 0 };
	const char *total;

	w->page.cma = -1;
	source_read(&w->source, &meminfo, "/proc/meminfo");
	total = strstr(meminfo.s, "\nCmaTotal:");
	if (!total || !strtoull(total + strlen("\nCmaTotal:"), NULL, 10)) {
		w->page.cma = 0;
	} else if (source_live(&w->source)) {
		litmus_zones_cma(&cma);
		if (cma.nr)
			w->page.cma = litmus_zones_has(&cma, w->page.pfn);
	}
	text_free(&meminfo);
}

/* What the account needs and flags tell. */
static void take_flags(struct who_page *page)
{
	struct account_facts *f = &page->facts;

	f->order = page->order;
	f->lru = flag(page, KPF_LRU);
	f->never_lru = flag(page, KPF_HUGE);
	f->zero = flag(page, KPF_ZERO_PAGE);
	f->user = flag(page, KPF_ANON) || flag(page, KPF_LRU) ||
		  flag(page, KPF_MMAP) || flag(page, KPF_SWAPBACKED);
}

int who_page(struct who *w)
{
	struct who_page *page = &w->page;
	uint64_t count;

	page->mapcount = -1;
	page->node = -1;
	page->cma = -1;
	page->migratetype = PINPROBE_MT_UNKNOWN;
	if (find_frame(w))
		return -ESRCH;
	if (page->entry & PAGEMAP_SWAPPED && page->mapped_at)
		return 0;
	if (!page->pfn)
		return 0;
	page->has_flags = word(w, "/proc/kpageflags", page->pfn, &page->flags);
	if (word(w, "/proc/kpagecount", page->pfn, &count))
		page->mapcount = count;
	if (page->has_flags)
		find_folio(w);
	take_flags(page);
	find_zone(w);
	find_cma(w);
	return 0;
}
