// SPDX-License-Identifier: GPL-2.0
/* RESOLVE over ranges: holes, runs, little room, faults, other processes. */
#include <errno.h>
#include <sys/resource.h>
#include "kselftest_harness.h"
#include "lib/bar.h"
#include "lib/buffer.h"
#include "lib/child.h"
#include "lib/device.h"
#include "lib/memory.h"
#include "lib/oracle.h"
#include "lib/vmstat.h"

/*
 * A map with every kind of neighbour in it, in groups of this many pages:
 * touched, absent, PROT_NONE over touched, unmapped, read-only, zero page.
 */
#define GROUP		16
#define GROUPS		6
#define PAGES		(GROUP * GROUPS)
#define AT(group)	(self->map + (group) * GROUP * page_size())

enum { TOUCHED, ABSENT, NONE, UNMAPPED, READONLY, ZERO };

FIXTURE(range)
{
	int dev;
	char *map;
	struct pinprobe_page pages[PAGES];
	struct pinprobe_page more[PAGES];
};

FIXTURE_SETUP(range)
{
	size_t len = GROUP * page_size();

	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	self->map = memory_map(PAGES * page_size());
	ASSERT_NE(NULL, self->map);
	memset(AT(TOUCHED), 1, len);
	memset(AT(NONE), 1, len);
	memset(AT(READONLY), 1, len);
	memory_read(AT(ZERO), len);
	ASSERT_EQ(0, mprotect(AT(NONE), len, PROT_NONE));
	ASSERT_EQ(0, mprotect(AT(READONLY), len, PROT_READ));
	ASSERT_EQ(0, munmap(AT(UNMAPPED), len));
}

FIXTURE_TEARDOWN(range)
{
	close(self->dev);
}

#define RESOLVE(flags, pages, room, next)				\
	device_resolve(self->dev, 0, self->map, PAGES * page_size(),	\
		       flags, pages, room, next)

TEST_F(range, state_of_each_kind)
{
	static const uint8_t state[GROUPS] = {
		[TOUCHED] = PINPROBE_STATE_PRESENT,
		[ABSENT] = PINPROBE_STATE_ABSENT,
		[NONE] = PINPROBE_STATE_NOREAD,
		[UNMAPPED] = PINPROBE_STATE_UNMAPPED,
		[READONLY] = PINPROBE_STATE_PRESENT,
		[ZERO] = PINPROBE_STATE_PRESENT,
	};
	uint64_t next = 0;
	unsigned int i;

	ASSERT_EQ(PAGES, RESOLVE(0, self->pages, PAGES, &next));
	EXPECT_EQ((uintptr_t)AT(GROUPS), next);
	for (i = 0; i < PAGES; i++) {
		const struct pinprobe_page *page = &self->pages[i];

		EXPECT_EQ((uintptr_t)self->map + i * page_size(), page->addr);
		EXPECT_EQ(1, page->nr_pages);
		EXPECT_EQ(state[i / GROUP], page->state);
		EXPECT_EQ(i / GROUP == ZERO,
			  !!(page->flags & PINPROBE_PAGE_ZERO));
		EXPECT_EQ(i / GROUP == TOUCHED,
			  !!(page->flags & PINPROBE_PAGE_WRITE));
		if (state[i / GROUP] == PINPROBE_STATE_PRESENT) {
			EXPECT_NE(0, page->pfn);
			continue;
		}
		EXPECT_EQ(0, page->pfn);
		EXPECT_EQ(0, page->flags);
		EXPECT_EQ(0, page->refs);
		EXPECT_EQ(0, page->unpinnable);
		EXPECT_EQ(-1, page->node);
		EXPECT_EQ(PINPROBE_ZONE_UNKNOWN, page->zone);
		EXPECT_EQ(PINPROBE_MT_UNKNOWN, page->migratetype);
	}
}

/* Runs say the same as pages, in as few records as the rule allows. */
static void expect_runs(struct __test_metadata *_metadata,
			const struct pinprobe_page *runs, int nr_runs,
			const struct pinprobe_page *pages, size_t nr,
			bool joined)
{
	size_t at = 0, i;
	int run;

	for (run = 0; run < nr_runs; run++) {
		for (i = 0; i < runs[run].nr_pages; i++, at++) {
			struct pinprobe_page page = runs[run];

			ASSERT_LT(at, nr);
			page.nr_pages = 1;
			page.addr += i * page_size();
			if (page.state == PINPROBE_STATE_PRESENT)
				page.pfn += i;
			EXPECT_EQ(0, memcmp(&page, &pages[at], sizeof(page)))
				TH_LOG("page %zu, run %d", at, run);
		}
		if (joined && run + 1 < nr_runs) {
			struct pinprobe_page next = runs[run + 1];

			next.addr = runs[run].addr;
			next.nr_pages = runs[run].nr_pages;
			if (next.state == PINPROBE_STATE_PRESENT)
				next.pfn -= runs[run].nr_pages;
			EXPECT_NE(0, memcmp(&next, &runs[run], sizeof(next)))
				TH_LOG("runs %d and next are alike", run);
		}
	}
	EXPECT_EQ(nr, at);
}

TEST_F(range, runs_equal_pages)
{
	int runs;

	ASSERT_EQ(PAGES, RESOLVE(0, self->pages, PAGES, NULL));
	runs = RESOLVE(PINPROBE_RESOLVE_RUNS, self->more, PAGES, NULL);
	ASSERT_LT(0, runs);
	/* Each of the groups without pages is one run at most. */
	EXPECT_GE(PAGES - 3 * (GROUP - 1), runs);
	expect_runs(_metadata, self->more, runs, self->pages, PAGES, true);
}

/* One folio, mapped in two ways: no record may cover both. */
TEST_F(range, runs_end_where_flags_differ)
{
	size_t half = pmd_size() / 2;
	struct look look = { .dev = self->dev };
	struct buffer buffer;
	unsigned int i;

	ASSERT_EQ(0, buffer_find(&buffer, &look, BACKING_THP, BUFFER_ANY))
		TH_LOG("saw: %s", buffer.histogram);
	ASSERT_EQ(1, device_resolve(self->dev, 0, buffer.addr, buffer.len,
				    PINPROBE_RESOLVE_RUNS, self->pages, PAGES,
				    NULL));
	EXPECT_EQ(buffer.nr_pages, self->pages[0].nr_pages);
	ASSERT_EQ(0, mprotect(buffer.addr + half, half, PROT_READ));
	ASSERT_EQ(2, device_resolve(self->dev, 0, buffer.addr, buffer.len,
				    PINPROBE_RESOLVE_RUNS, self->pages, PAGES,
				    NULL));
	for (i = 0; i < 2; i++) {
		EXPECT_EQ((uintptr_t)buffer.addr + i * half,
			  self->pages[i].addr);
		EXPECT_EQ(buffer.nr_pages / 2, self->pages[i].nr_pages);
		EXPECT_EQ(!i, !!(self->pages[i].flags & PINPROBE_PAGE_WRITE));
	}
	EXPECT_EQ(self->pages[0].pfn + buffer.nr_pages / 2,
		  self->pages[1].pfn);
	buffer_free(&buffer);
}

TEST_F(range, little_room_resumes)
{
	unsigned int flags, room, got;

	ASSERT_EQ(PAGES, RESOLVE(0, self->pages, PAGES, NULL));
	for (flags = 0; flags <= PINPROBE_RESOLVE_RUNS;
	     flags += PINPROBE_RESOLVE_RUNS) {
		for (room = 1; room <= 7; room += 3) {
			char *end = AT(GROUPS), *at = self->map;

			for (got = 0; at < end;) {
				uint64_t next = 0;
				int nr = device_resolve(self->dev, 0, at,
							end - at, flags,
							self->more + got,
							room, &next);

				ASSERT_LT(0, nr);
				ASSERT_GE(room, nr);
				ASSERT_LT((uintptr_t)at, next);
				got += nr;
				at = (char *)next;
			}
			EXPECT_EQ(end, at);
			/* A run may be cut where the room ended. */
			expect_runs(_metadata, self->more, got, self->pages,
				    PAGES, false);
		}
	}
}

TEST_F(range, faults_nothing_in)
{
	size_t len = PAGES * page_size();
	struct rusage before, after;
	char *map = memory_map(len);
	struct oracle oracle;
	unsigned char core[PAGES];
	int64_t rss;
	unsigned int i;

	ASSERT_NE(NULL, map);
	ASSERT_EQ(0, oracle_open(&oracle, 0));
	/* Pages of our own that the fork left to be copied. */
	memset(self->pages, 1, sizeof(self->pages));
	memset(&after, 1, sizeof(after));
	memset(core, 1, sizeof(core));
	rss = status_kb(0, "VmRSS");
	ASSERT_EQ(0, getrusage(RUSAGE_SELF, &before));
	ASSERT_EQ(PAGES, device_resolve(self->dev, 0, map, len, 0, self->pages,
					PAGES, NULL));
	ASSERT_EQ(0, getrusage(RUSAGE_SELF, &after));
	EXPECT_EQ(before.ru_minflt, after.ru_minflt);
	EXPECT_EQ(rss, status_kb(0, "VmRSS"));
	ASSERT_EQ(0, mincore(map, len, core));
	for (i = 0; i < PAGES; i++) {
		EXPECT_EQ(0, oracle_pagemap(&oracle, map + i * page_size()) &
			     ORACLE_PAGE_PRESENT);
		EXPECT_EQ(0, core[i] & 1);
		EXPECT_EQ(PINPROBE_STATE_ABSENT, self->pages[i].state);
	}
	oracle_close(&oracle);
}

TEST_F(range, faults_in_when_asked)
{
	unsigned int i;

	ASSERT_EQ(PAGES, RESOLVE(PINPROBE_RESOLVE_FAULT, self->pages, PAGES,
				 NULL));
	for (i = 0; i < PAGES; i++) {
		unsigned int group = i / GROUP;
		const struct pinprobe_page *page = &self->pages[i];

		switch (group) {
		case NONE:
			EXPECT_EQ(PINPROBE_STATE_NOREAD, page->state);
			break;
		case UNMAPPED:
			EXPECT_EQ(PINPROBE_STATE_UNMAPPED, page->state);
			break;
		default:
			EXPECT_EQ(PINPROBE_STATE_PRESENT, page->state);
			/* Faulted in for reading: no memory was used up. */
			EXPECT_EQ(group == ABSENT || group == ZERO,
				  !!(page->flags & PINPROBE_PAGE_ZERO));
		}
	}
}

/* Every mapping that smaps calls VM_IO ("io") or VM_PFNMAP ("pf"). */
TEST_F(range, special_mapping)
{
	FILE *smaps = fopen("/proc/self/smaps", "re");
	unsigned long start = 0, from, to;
	unsigned int found = 0;
	int bar = bar_open(page_size());
	struct pinprobe_page page;
	char line[512];
	void *map;

	/* The vDSO's data is such a mapping on some kernels and architectures. */
	if (bar == -ENODEV)
		SKIP(return, "no-bar");
	ASSERT_LE(0, bar);
	map = mmap(NULL, page_size(), PROT_READ | PROT_WRITE, MAP_SHARED, bar, 0);
	ASSERT_NE(MAP_FAILED, map);
	ASSERT_NE(NULL, smaps);
	while (fgets(line, sizeof(line), smaps)) {
		if (sscanf(line, "%lx-%lx", &from, &to) == 2)
			start = from;
		if (strncmp(line, "VmFlags:", 8) ||
		    (!strstr(line, " io") && !strstr(line, " pf")))
			continue;
		found++;
		ASSERT_EQ(1, device_resolve(self->dev, 0, (void *)start,
					    page_size(), 0, &page, 1, NULL));
		EXPECT_EQ(PINPROBE_STATE_SPECIAL, page.state);
		EXPECT_EQ(0, page.pfn);
	}
	fclose(smaps);
	EXPECT_LT(0, found);
	munmap(map, page_size());
	close(bar);
}

struct shown {
	char *map;
	size_t len;
};

/* Gives the pages of the map another content, and with it other places. */
static int child_rewrites(int sock, void *arg)
{
	struct shown *shown = arg;
	int value;

	memset(shown->map, 2, shown->len);
	if (child_say(sock, 0, -1))
		return 1;
	return child_hear(sock, &value, NULL) == -EPIPE ? 0 : 1;
}

TEST_F(range, other_process)
{
	struct shown shown = { .len = GROUP * page_size() };
	struct oracle oracle;
	struct child child;
	int value;
	unsigned int i;

	shown.map = memory_touched(shown.len);
	ASSERT_NE(NULL, shown.map);
	ASSERT_EQ(0, child_start(&child, child_rewrites, &shown));
	ASSERT_EQ(0, child_hear(child.sock, &value, NULL));
	ASSERT_EQ(0, oracle_open(&oracle, child.pid));
	ASSERT_EQ(GROUP, device_resolve(self->dev, child.pid, shown.map,
					shown.len, 0, self->pages, GROUP,
					NULL));
	ASSERT_EQ(GROUP, device_resolve(self->dev, 0, shown.map, shown.len, 0,
					self->more, GROUP, NULL));
	for (i = 0; i < GROUP; i++) {
		EXPECT_EQ(oracle_pfn(&oracle, shown.map + i * page_size()),
			  self->pages[i].pfn);
		EXPECT_NE(self->more[i].pfn, self->pages[i].pfn);
	}
	oracle_close(&oracle);
	EXPECT_EQ(0, child_end(&child));
	EXPECT_EQ(-ESRCH, device_resolve(self->dev, child.pid, shown.map,
					 shown.len, 0, self->pages, GROUP,
					 NULL));
}

TEST_HARNESS_MAIN
