// SPDX-License-Identifier: GPL-2.0
/*
 * What the ABI promises of a page record whatever the page is: nothing said of
 * a page where there is none, reasons that agree with the rest of the record.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdint.h>
#include <sys/mman.h>
#include "kselftest_harness.h"
#include "abi_layout.h"
#include "lib/child.h"
#include "lib/device.h"
#include "lib/memory.h"
#include "lib/vmstat.h"

#define AREA_PAGES	64

FIXTURE(page)
{
	int dev;
	uint64_t page;
	char *area;
	struct pinprobe_page recs[AREA_PAGES];
};

FIXTURE_SETUP(page)
{
	ASSERT_EQ(0, memory_stay());
	self->page = page_size();
	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	self->area = memory_map(AREA_PAGES * self->page);
	ASSERT_NE(NULL, self->area);
}

FIXTURE_TEARDOWN(page)
{
	close(self->dev);
}

static int look(struct _test_data_page *self, const void *addr, int nr)
{
	memset(self->recs, 0xaa, sizeof(self->recs));
	return device_resolve(self->dev, 0, addr, nr * self->page, 0,
			      self->recs, AREA_PAGES, NULL);
}

/* Nothing is said of a page where there is none. */
static void expect_blank(struct __test_metadata *_metadata,
			 const struct pinprobe_page *rec, int state)
{
	EXPECT_EQ(state, rec->state) {
		TH_LOG("%s, not %s", state_name(rec->state), state_name(state));
	}
	EXPECT_EQ(0, rec->pfn);
	EXPECT_EQ(0, rec->flags);
	EXPECT_EQ(-1, rec->node);
	EXPECT_EQ(PINPROBE_ZONE_UNKNOWN, rec->zone);
	EXPECT_EQ(PINPROBE_MT_UNKNOWN, rec->migratetype);
	EXPECT_EQ(0, rec->order);
	EXPECT_EQ(0, rec->refs);
	EXPECT_EQ(0, rec->refs_expected);
	EXPECT_EQ(0, rec->mapcount);
	EXPECT_EQ(0, rec->pins);
	EXPECT_EQ(0, rec->unpinnable);
	EXPECT_EQ(0, rec->reserved);
}

static void touch(struct _test_data_page *self)
{
	for (int i = 0; i < AREA_PAGES; i++)
		self->area[i * self->page] = 1;
	memory_settle();
}

TEST_F(page, unpinnable_means_zone_or_pageblock)
{
	struct pinprobe_info info;

	touch(self);
	ASSERT_EQ(0, device_info(self->dev, &info));
	ASSERT_EQ(AREA_PAGES, look(self, self->area, AREA_PAGES));
	for (int i = 0; i < AREA_PAGES; i++) {
		struct pinprobe_page *rec = &self->recs[i];
		uint32_t why = 0;

		if (rec->migratetype == PINPROBE_MT_CMA)
			why |= PINPROBE_UNPINNABLE_CMA;
		if (rec->migratetype == PINPROBE_MT_ISOLATE ||
		    rec->flags & PINPROBE_PAGE_ISOLATED)
			why |= PINPROBE_UNPINNABLE_ISOLATE;
		if (rec->zone == PINPROBE_ZONE_MOVABLE)
			why |= PINPROBE_UNPINNABLE_MOVABLE;
		EXPECT_EQ(why & info.unpinnable, rec->unpinnable);
	}
}

/* A hole, a mapping that must not be read, and the end of a file, amid pages. */
TEST_F(page, fault_where_no_page_can_be_had)
{
	static const int states[] = {
		PINPROBE_STATE_PRESENT, PINPROBE_STATE_UNMAPPED,
		PINPROBE_STATE_NOREAD, PINPROBE_STATE_PRESENT,
		PINPROBE_STATE_ABSENT, PINPROBE_STATE_ABSENT,
		PINPROBE_STATE_PRESENT,
	};
	char *past = self->area + 3 * self->page;
	int file = memfd_create("short", MFD_CLOEXEC);

	ASSERT_LE(0, file);
	ASSERT_EQ(0, ftruncate(file, self->page));
	ASSERT_EQ(past, mmap(past, 3 * self->page, PROT_READ,
			     MAP_SHARED | MAP_FIXED, file, 0));
	ASSERT_EQ(0, munmap(self->area + self->page, self->page));
	ASSERT_EQ(0, mprotect(self->area + 2 * self->page, self->page,
			      PROT_NONE));
	ASSERT_EQ(ARRAY_SIZE(states),
		  device_resolve(self->dev, 0, self->area,
				 ARRAY_SIZE(states) * self->page,
				 PINPROBE_RESOLVE_FAULT, self->recs, AREA_PAGES,
				 NULL));
	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		EXPECT_EQ(states[i], self->recs[i].state) {
			TH_LOG("page %zu", i);
		}
		if (states[i] != PINPROBE_STATE_PRESENT)
			expect_blank(_metadata, &self->recs[i], states[i]);
	}
	close(file);
}

TEST_F(page, hole)
{
	ASSERT_EQ(0, munmap(self->area, 3 * self->page));
	ASSERT_EQ(4, look(self, self->area, 4));
	for (int i = 0; i < 3; i++)
		expect_blank(_metadata, &self->recs[i], PINPROBE_STATE_UNMAPPED);
	expect_blank(_metadata, &self->recs[3], PINPROBE_STATE_ABSENT);
	ASSERT_EQ(1, look(self, NULL, 1));
	expect_blank(_metadata, &self->recs[0], PINPROBE_STATE_UNMAPPED);
}

TEST_F(page, not_readable)
{
	touch(self);
	ASSERT_EQ(0, mprotect(self->area, self->page, PROT_NONE));
	ASSERT_EQ(0, mprotect(self->area + self->page, self->page, PROT_WRITE));
	ASSERT_EQ(2, look(self, self->area, 2));
	expect_blank(_metadata, &self->recs[0], PINPROBE_STATE_NOREAD);
}

/* The BIOS, which has PFNs but no pages of ours. */
static void *map_bios(size_t page)
{
	int mem = open("/dev/mem", O_RDONLY | O_CLOEXEC);
	void *bios = MAP_FAILED;

	if (mem >= 0) {
		bios = mmap(NULL, page, PROT_READ, MAP_SHARED, mem, 0xf0000);
		close(mem);
	}
	return bios;
}

/* Memory of a PCI device that no driver has claimed; it is not touched. */
static void *map_bar(size_t page)
{
	void *bar = MAP_FAILED;
	glob_t found = { 0 };
	size_t i;

	glob("/sys/bus/pci/devices/*/resource[0-5]", 0, NULL, &found);
	for (i = 0; bar == MAP_FAILED && i < found.gl_pathc; i++) {
		int fd = open(found.gl_pathv[i], O_RDWR | O_CLOEXEC);

		if (fd < 0)
			continue;
		bar = mmap(NULL, page, PROT_READ, MAP_SHARED, fd, 0);
		close(fd);
	}
	globfree(&found);
	return bar;
}

/* GUP refuses it too. */
TEST_F(page, special)
{
	struct pinprobe_outcome out;
	void *special = map_bios(self->page);

	if (special == MAP_FAILED)
		special = map_bar(self->page);
	ASSERT_NE(MAP_FAILED, special);
	ASSERT_EQ(1, look(self, special, 1));
	expect_blank(_metadata, &self->recs[0], PINPROBE_STATE_SPECIAL);
	EXPECT_EQ(-EFAULT, device_pin(self->dev, special, self->page,
				      PINPROBE_CALL_PIN_FAST, 0, &out));
	EXPECT_EQ(PINPROBE_STAGE_GUP, out.stage);
	EXPECT_EQ((uintptr_t)special, out.fail_addr);
}

static int wait_for_end(int sock, void *arg)
{
	int value;

	return child_hear(sock, &value, NULL) == -EPIPE ? 0 : 1;
}

TEST_F(page, shared_with_a_child)
{
	struct child child;

	touch(self);
	ASSERT_EQ(0, child_start(&child, wait_for_end, NULL));
	EXPECT_EQ(1, look(self, self->area, 1));
	EXPECT_EQ(2, self->recs[0].mapcount);
	EXPECT_EQ(2, self->recs[0].refs);
	EXPECT_EQ(2, self->recs[0].refs_expected);
	EXPECT_FALSE(self->recs[0].flags & PINPROBE_PAGE_WRITE);
	EXPECT_EQ(0, child_end(&child));
	EXPECT_EQ(1, look(self, self->area, 1));
	EXPECT_EQ(1, self->recs[0].refs);
}

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int ret = 0;

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

/* Two pages alike become one. Some kernels set KPF_KSM for any anonymous page. */
TEST_F(page, merged)
{
	int64_t end = now_ms() + 10000;

	if (write_text("/sys/kernel/mm/ksm/sleep_millisecs", "1") ||
	    write_text("/sys/kernel/mm/ksm/pages_to_scan", "1000") ||
	    write_text("/sys/kernel/mm/ksm/run", "1"))
		SKIP(return, "not-this-kernel: no KSM");
	memset(self->area, 0x77, 3 * self->page);
	memset(self->area + 2 * self->page, 0x78, self->page);
	ASSERT_EQ(0, madvise(self->area, 3 * self->page, MADV_MERGEABLE));
	do {
		usleep(10000);
		ASSERT_EQ(3, look(self, self->area, 3));
	} while (self->recs[0].pfn != self->recs[1].pfn && now_ms() < end);
	EXPECT_EQ(self->recs[0].pfn, self->recs[1].pfn);
	EXPECT_NE(self->recs[0].pfn, self->recs[2].pfn);
	for (int i = 0; i < 2; i++) {
		EXPECT_TRUE(self->recs[i].flags & PINPROBE_PAGE_KSM);
		EXPECT_TRUE(self->recs[i].flags & PINPROBE_PAGE_ANON);
		EXPECT_FALSE(self->recs[i].flags & PINPROBE_PAGE_WRITE);
		EXPECT_EQ(2, self->recs[i].mapcount);
	}
	EXPECT_FALSE(self->recs[2].flags & PINPROBE_PAGE_KSM);
	write_text("/sys/kernel/mm/ksm/run", "2");
	write_text("/sys/kernel/mm/ksm/run", "0");
}

TEST_F(page, longest_run)
{
	uint64_t next, pages = 1ULL << 30;

	ASSERT_EQ(1, device_resolve(self->dev, 0, (void *)(1UL << 40),
				    pages * self->page, PINPROBE_RESOLVE_RUNS,
				    self->recs, 1, &next));
	expect_blank(_metadata, &self->recs[0], PINPROBE_STATE_UNMAPPED);
	EXPECT_EQ(pages, self->recs[0].nr_pages);
	EXPECT_EQ((1UL << 40) + pages * self->page, next);
}

TEST_HARNESS_MAIN
