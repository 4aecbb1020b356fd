// SPDX-License-Identifier: GPL-2.0
/* The pages of a pin: as they were, as they are held, as they stand now. */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include "kselftest_harness.h"
#include "abi_layout.h"
#include "lib/child.h"
#include "lib/device.h"
#include "lib/memory.h"
#include "lib/vmstat.h"

#define AREA_PAGES	4
#define PIN_BIAS	1024	/* GUP_PIN_COUNTING_BIAS */

FIXTURE(pages)
{
	int dev;
	int fd;
	uint64_t page;
	char *area;
	struct pinprobe_page before[AREA_PAGES];
	struct pinprobe_page held[AREA_PAGES];
	struct pinprobe_page now[AREA_PAGES];
	int64_t acquired;
};

FIXTURE_SETUP(pages)
{
	ASSERT_EQ(0, memory_stay());
	self->page = page_size();
	self->acquired = vmstat_held();
	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	self->area = memory_touched(AREA_PAGES * self->page);
	ASSERT_NE(NULL, self->area);
	memory_settle();
	ASSERT_EQ(AREA_PAGES, device_resolve(self->dev, 0, self->area,
					     AREA_PAGES * self->page, 0,
					     self->before, AREA_PAGES, NULL));
	self->fd = device_pin(self->dev, self->area, AREA_PAGES * self->page,
			      PINPROBE_CALL_PIN_FAST,
			      PINPROBE_PIN_WRITE | PINPROBE_PIN_SNAPSHOT, NULL);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(pages)
{
	close(self->fd);
	EXPECT_EQ(0, vmstat_wait_held(self->acquired, 0));
	close(self->dev);
}

static int get(struct _test_data_pages *self, uint32_t when,
	       struct pinprobe_page *recs)
{
	memset(recs, 0xaa, AREA_PAGES * sizeof(*recs));
	return pin_pages(self->fd, when, 0, 0, recs, AREA_PAGES, NULL);
}

static void expect_held(struct __test_metadata *_metadata,
			struct _test_data_pages *self)
{
	ASSERT_EQ(AREA_PAGES, get(self, PINPROBE_WHEN_HELD, self->held));
	for (int i = 0; i < AREA_PAGES; i++) {
		EXPECT_EQ(PINPROBE_STATE_PRESENT, self->held[i].state);
		EXPECT_EQ(self->before[i].addr, self->held[i].addr);
		EXPECT_EQ(self->before[i].pfn, self->held[i].pfn);
		EXPECT_EQ(1, self->held[i].pins);
		EXPECT_EQ(PIN_BIAS + self->held[i].refs_expected,
			  self->held[i].refs);
		EXPECT_FALSE(self->held[i].flags & PINPROBE_PAGE_WRITE);
		EXPECT_FALSE(self->held[i].flags & PINPROBE_PAGE_RACY);
	}
}

TEST_F(pages, undisturbed)
{
	struct pinprobe_page recs[AREA_PAGES];

	expect_held(_metadata, self);
	ASSERT_EQ(AREA_PAGES, get(self, PINPROBE_WHEN_BEFORE, recs));
	for (int i = 0; i < AREA_PAGES; i++)
		EXPECT_EQ(0, memcmp(&self->before[i], &recs[i], sizeof(*recs)));
	ASSERT_EQ(AREA_PAGES, get(self, PINPROBE_WHEN_NOW, self->now));
	for (int i = 0; i < AREA_PAGES; i++) {
		/* A look at a mapping knows whether it is writable. */
		EXPECT_TRUE(self->now[i].flags & PINPROBE_PAGE_WRITE);
		self->now[i].flags &= ~PINPROBE_PAGE_WRITE;
		EXPECT_EQ(0, memcmp(&self->now[i], &self->held[i], sizeof(*recs)));
	}
}

TEST_F(pages, unmapped)
{
	ASSERT_EQ(0, munmap(self->area, AREA_PAGES * self->page));
	expect_held(_metadata, self);
	for (int i = 0; i < AREA_PAGES; i++) {
		EXPECT_EQ(0, self->held[i].mapcount);
		EXPECT_EQ(0, self->held[i].refs_expected);
	}
	ASSERT_EQ(AREA_PAGES, get(self, PINPROBE_WHEN_NOW, self->now));
	for (int i = 0; i < AREA_PAGES; i++) {
		EXPECT_EQ(PINPROBE_STATE_UNMAPPED, self->now[i].state);
		EXPECT_EQ(self->before[i].addr, self->now[i].addr);
	}
}

TEST_F(pages, dropped)
{
	ASSERT_EQ(0, madvise(self->area, 2 * self->page, MADV_DONTNEED));
	self->area[0] = 2;
	expect_held(_metadata, self);
	ASSERT_EQ(AREA_PAGES, get(self, PINPROBE_WHEN_NOW, self->now));
	EXPECT_EQ(PINPROBE_STATE_PRESENT, self->now[0].state);
	EXPECT_NE(self->held[0].pfn, self->now[0].pfn);
	EXPECT_EQ(0, self->now[0].pins);
	EXPECT_EQ(PINPROBE_STATE_ABSENT, self->now[1].state);
	EXPECT_EQ(self->held[2].pfn, self->now[2].pfn);
}

TEST_F(pages, moved_in_the_address_space)
{
	char *to = memory_map(AREA_PAGES * self->page);
	struct pinprobe_page rec;

	ASSERT_NE(NULL, to);
	ASSERT_EQ(to, mremap(self->area, AREA_PAGES * self->page,
			     AREA_PAGES * self->page,
			     MREMAP_MAYMOVE | MREMAP_FIXED, to));
	expect_held(_metadata, self);
	ASSERT_EQ(AREA_PAGES, get(self, PINPROBE_WHEN_NOW, self->now));
	EXPECT_EQ(PINPROBE_STATE_UNMAPPED, self->now[0].state);
	ASSERT_EQ(0, device_resolve_one(self->dev, to, &rec));
	EXPECT_EQ(self->held[0].pfn, rec.pfn);
}

static int end(int sock, void *arg)
{
	int value;

	return child_hear(sock, &value, NULL) == -EPIPE ? 0 : 1;
}

/* A plain reference, unlike a pin, does not keep a write from copying. */
TEST_F(pages, copied_on_write)
{
	char *area = memory_touched(self->page);
	struct pinprobe_page held, now;
	struct child child;
	int fd;

	ASSERT_NE(NULL, area);
	fd = device_pin(self->dev, area, self->page, PINPROBE_CALL_GET_FAST, 0,
			NULL);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, child_start(&child, end, NULL));
	*area = 2;
	ASSERT_EQ(1, pin_pages(fd, PINPROBE_WHEN_HELD, 0, 0, &held, 1, NULL));
	ASSERT_EQ(1, pin_pages(fd, PINPROBE_WHEN_NOW, 0, 0, &now, 1, NULL));
	EXPECT_NE(held.pfn, now.pfn);
	EXPECT_EQ(PINPROBE_STATE_PRESENT, now.state);
	EXPECT_EQ(0, child_end(&child));
	close(fd);
}

TEST_F(pages, no_snapshot)
{
	struct pinprobe_page rec;
	int fd;

	fd = device_pin(self->dev, self->area, self->page,
			PINPROBE_CALL_PIN_FAST, 0, NULL);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-ENODATA, pin_pages(fd, PINPROBE_WHEN_BEFORE, 0, 0, &rec, 1,
				      NULL));
	EXPECT_EQ(1, pin_pages(fd, PINPROBE_WHEN_HELD, 0, 0, &rec, 1, NULL));
	close(fd);
}

TEST_F(pages, index)
{
	static const uint64_t bad[] = {
		AREA_PAGES, AREA_PAGES + 1, 512, 1ULL << 32, 1ULL << 52,
		1ULL << 63, ULLONG_MAX,
	};
	uint64_t next;

	expect_held(_metadata, self);
	for (uint32_t when = 0; when <= PINPROBE_WHEN_NOW; when++) {
		for (int i = 0; i < AREA_PAGES; i++) {
			EXPECT_EQ(AREA_PAGES - i,
				  pin_pages(self->fd, when, i, 0, self->now,
					    AREA_PAGES, &next));
			EXPECT_EQ(AREA_PAGES, next);
			EXPECT_EQ(self->held[i].pfn, self->now[0].pfn);
		}
		for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
			EXPECT_EQ(-EINVAL, pin_pages(self->fd, when, bad[i], 0,
						     self->now, AREA_PAGES,
						     NULL));
	}
}

TEST_F(pages, unknown_when)
{
	for (uint32_t when = PINPROBE_WHEN_NOW + 1; when; when *= 2)
		EXPECT_EQ(-EINVAL, pin_pages(self->fd, when, 0, 0, self->now,
					     AREA_PAGES, NULL));
	EXPECT_EQ(-EINVAL, pin_pages(self->fd, UINT_MAX, 0, 0, self->now,
				     AREA_PAGES, NULL));
}

TEST_F(pages, runs)
{
	uint64_t sum = 0;
	int nr;

	nr = pin_pages(self->fd, PINPROBE_WHEN_HELD, 0, PINPROBE_PAGES_RUNS,
		       self->held, AREA_PAGES, NULL);
	ASSERT_LE(1, nr);
	for (int i = 0; i < nr; i++) {
		for (uint64_t k = 0; k < self->held[i].nr_pages; k++)
			EXPECT_EQ(self->before[sum + k].pfn,
				  self->held[i].pfn + k);
		sum += self->held[i].nr_pages;
	}
	EXPECT_EQ(AREA_PAGES, sum);
	ASSERT_EQ(0, munmap(self->area, AREA_PAGES * self->page));
	EXPECT_EQ(1, pin_pages(self->fd, PINPROBE_WHEN_NOW, 0,
			       PINPROBE_PAGES_RUNS, self->now, AREA_PAGES, NULL));
	EXPECT_EQ(AREA_PAGES, self->now[0].nr_pages);
}

TEST_HARNESS_MAIN
