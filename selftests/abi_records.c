// SPDX-License-Identifier: GPL-2.0
/* The arrays that RESOLVE and PIN_PAGES write page records to. */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include "kselftest_harness.h"
#include "abi_layout.h"
#include "lib/device.h"
#include "lib/memory.h"

#define AREA_PAGES	4
#define RECORD		sizeof(struct pinprobe_page)
#define UNTOUCHED	0xaaaaaaaaaaaaaaaaULL

FIXTURE(records)
{
	int dev;
	int pin;
	uint64_t page;
	char *area;
	uint32_t filled;
	uint64_t next;		/* in pages from the start */
};

FIXTURE_VARIANT(records)
{
	bool on_pin;
	uint32_t runs;
};

FIXTURE_VARIANT_ADD(records, resolve)
{
	.on_pin = false,
};

FIXTURE_VARIANT_ADD(records, resolve_runs)
{
	.on_pin = false,
	.runs = PINPROBE_RESOLVE_RUNS,
};

FIXTURE_VARIANT_ADD(records, pin_pages)
{
	.on_pin = true,
};

FIXTURE_VARIANT_ADD(records, pin_pages_runs)
{
	.on_pin = true,
	.runs = PINPROBE_PAGES_RUNS,
};

/*
 * Each second page is shared with a file: no two neighbours are
 * alike, so that there are four records with runs and without.
 */
FIXTURE_SETUP(records)
{
	int file;

	self->page = page_size();
	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	self->area = memory_touched(AREA_PAGES * self->page);
	ASSERT_NE(NULL, self->area);
	file = memfd_create("records", MFD_CLOEXEC);
	ASSERT_LE(0, file);
	ASSERT_EQ(0, ftruncate(file, AREA_PAGES * self->page));
	for (int i = 1; i < AREA_PAGES; i += 2) {
		char *at = self->area + i * self->page;

		ASSERT_EQ(at, mmap(at, self->page, PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_FIXED, file, i * self->page));
		*at = 1;
	}
	close(file);
	self->pin = device_pin(self->dev, self->area, AREA_PAGES * self->page,
			       PINPROBE_CALL_PIN_FAST, PINPROBE_PIN_WRITE, NULL);
	ASSERT_LE(0, self->pin);
}

FIXTURE_TEARDOWN(records)
{
	close(self->pin);
	close(self->dev);
}

/* 0 or -errno. Reports pages @from to the end of the area. */
static int get(struct _test_data_records *self,
	       const struct _fixture_variant_records *variant, int from,
	       const void *records, uint32_t nr_records, uint32_t record_size)
{
	struct pinprobe_resolve resolve = {
		.size = sizeof(resolve),
		.flags = variant->runs,
		.addr = (uintptr_t)self->area + from * self->page,
		.len = (AREA_PAGES - from) * self->page,
		.records = (uintptr_t)records,
		.nr_records = nr_records,
		.record_size = record_size,
		.filled = (uint32_t)UNTOUCHED,
		.next = UNTOUCHED,
	};
	struct pinprobe_pin_pages pages = {
		.size = sizeof(pages),
		.flags = variant->runs,
		.index = from,
		.records = (uintptr_t)records,
		.nr_records = nr_records,
		.record_size = record_size,
		.when = PINPROBE_WHEN_HELD,
		.filled = (uint32_t)UNTOUCHED,
		.next = UNTOUCHED,
	};
	int ret;

	if (variant->on_pin)
		ret = ioctl(self->pin, PINPROBE_IOC_PIN_PAGES, &pages);
	else
		ret = ioctl(self->dev, PINPROBE_IOC_RESOLVE, &resolve);
	ret = ret ? -errno : 0;
	self->filled = variant->on_pin ? pages.filled : resolve.filled;
	self->next = variant->on_pin ? pages.next : resolve.next;
	if (!ret && !variant->on_pin)
		self->next = (self->next - (uintptr_t)self->area) / self->page;
	return ret;
}

static bool all_bytes(const void *p, int value, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (((const unsigned char *)p)[i] != value)
			return false;
	return true;
}

static void expect_failure(struct __test_metadata *_metadata,
			   struct _test_data_records *self, int error, int seen)
{
	EXPECT_EQ(-error, seen);
	EXPECT_EQ((uint32_t)UNTOUCHED, self->filled);
	EXPECT_EQ(UNTOUCHED, self->next);
}

static void expect_page(struct __test_metadata *_metadata,
			struct _test_data_records *self, int nr,
			const struct pinprobe_page *rec)
{
	EXPECT_EQ((uintptr_t)self->area + nr * self->page, rec->addr);
	EXPECT_EQ(1, rec->nr_pages);
	EXPECT_EQ(PINPROBE_STATE_PRESENT, rec->state);
	EXPECT_NE(0, rec->pfn);
	EXPECT_EQ(0, rec->reserved);
	EXPECT_LE(1, rec->pins);
}

TEST_F(records, all)
{
	struct pinprobe_page *recs = memory_before_hole(AREA_PAGES * RECORD);

	ASSERT_NE(NULL, recs);
	memset(recs, 0xaa, AREA_PAGES * RECORD);
	ASSERT_EQ(0, get(self, variant, 0, recs, AREA_PAGES, RECORD));
	EXPECT_EQ(AREA_PAGES, self->filled);
	EXPECT_EQ(AREA_PAGES, self->next);
	for (int i = 0; i < AREA_PAGES; i++)
		expect_page(_metadata, self, i, &recs[i]);
}

/* No more is written than there are records for. */
TEST_F(records, more_room_than_pages)
{
	struct pinprobe_page recs[AREA_PAGES + 2];
	struct pinprobe_page *few;
	char before[2 * RECORD];

	memset(recs, 0xaa, sizeof(recs));
	memset(before, 0xaa, sizeof(before));
	ASSERT_EQ(0, get(self, variant, 0, recs, AREA_PAGES + 2, RECORD));
	EXPECT_EQ(AREA_PAGES, self->filled);
	EXPECT_EQ(0, memcmp(before, &recs[AREA_PAGES], sizeof(before)));

	few = memory_before_hole(AREA_PAGES * RECORD);
	ASSERT_NE(NULL, few);
	EXPECT_EQ(0, get(self, variant, 0, few, UINT_MAX, RECORD));
	EXPECT_EQ(AREA_PAGES, self->filled);
	expect_page(_metadata, self, AREA_PAGES - 1, &few[AREA_PAGES - 1]);
}

TEST_F(records, less_room_than_pages)
{
	for (int room = 1; room < AREA_PAGES; room++) {
		struct pinprobe_page *recs = memory_before_hole(room * RECORD);
		int from = 0;

		ASSERT_NE(NULL, recs);
		while (from < AREA_PAGES) {
			int left = AREA_PAGES - from;
			int want = left < room ? left : room;

			ASSERT_EQ(0, get(self, variant, from, recs, room, RECORD));
			ASSERT_EQ(want, self->filled);
			ASSERT_EQ(from + want, self->next);
			for (int i = 0; i < want; i++)
				expect_page(_metadata, self, from + i, &recs[i]);
			from = self->next;
		}
	}
}

TEST_F(records, no_room)
{
	struct pinprobe_page rec;

	expect_failure(_metadata, self, EINVAL,
		       get(self, variant, 0, &rec, 0, RECORD));
	expect_failure(_metadata, self, EINVAL,
		       get(self, variant, 0, NULL, 0, RECORD));
}

TEST_F(records, size_not_possible)
{
	static const uint32_t big[] = {
		4096 + 8, 65536, 0x7ffffff8, 0x80000000, UINT_MAX - 7, UINT_MAX,
	};
	struct pinprobe_page *recs = memory_map(2 * self->page);

	ASSERT_NE(NULL, recs);
	for (uint32_t size = 0; size < RECORD; size++)
		expect_failure(_metadata, self, EINVAL,
			       get(self, variant, 0, recs, 1, size));
	for (uint32_t more = 1; more < 8; more++)
		expect_failure(_metadata, self, EINVAL,
			       get(self, variant, 0, recs, 1, RECORD + more));
	for (size_t i = 0; i < ARRAY_SIZE(big); i++)
		expect_failure(_metadata, self, EINVAL,
			       get(self, variant, 0, recs, AREA_PAGES, big[i]));
}

/* What a newer caller's record has at its end reads as zero. */
TEST_F(records, longer_records)
{
	static const uint32_t sizes[] = { RECORD + 8, 2 * RECORD, 1000, 4096 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		char *recs = memory_before_hole(AREA_PAGES * sizes[i]);

		ASSERT_NE(NULL, recs);
		memset(recs, 0xaa, AREA_PAGES * sizes[i]);
		ASSERT_EQ(0, get(self, variant, 0, recs, AREA_PAGES, sizes[i]));
		ASSERT_EQ(AREA_PAGES, self->filled);
		for (int nr = 0; nr < AREA_PAGES; nr++) {
			char *rec = recs + nr * sizes[i];

			expect_page(_metadata, self, nr, (void *)rec);
			EXPECT_TRUE(all_bytes(rec + RECORD, 0,
					      sizes[i] - RECORD)) {
				TH_LOG("record of %u bytes", sizes[i]);
			}
		}
	}
}

TEST_F(records, any_alignment)
{
	char room[AREA_PAGES * RECORD + 8];
	struct pinprobe_page rec;

	for (int shift = 1; shift < 8; shift++) {
		ASSERT_EQ(0, get(self, variant, 0, room + shift, AREA_PAGES, RECORD));
		for (int i = 0; i < AREA_PAGES; i++) {
			memcpy(&rec, room + shift + i * RECORD, RECORD);
			expect_page(_metadata, self, i, &rec);
		}
	}
}

TEST_F(records, pointer_to_nothing)
{
	static const uintptr_t bad[] = {
		0, UNMAPPED_ADDR, NONCANONICAL_ADDR, KERNEL_ADDR,
		KERNEL_CODE_ADDR, -4096UL, -64UL, UINTPTR_MAX,
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		expect_failure(_metadata, self, EFAULT,
			       get(self, variant, 0, (void *)bad[i], AREA_PAGES,
				   RECORD));
}

TEST_F(records, crosses_into_hole)
{
	for (size_t there = 0; there < AREA_PAGES * RECORD; there += 8) {
		char *recs = memory_before_hole(there);

		ASSERT_NE(NULL, recs);
		expect_failure(_metadata, self, EFAULT,
			       get(self, variant, 0, recs, AREA_PAGES, RECORD));
	}
}

/* The zero tail of the last record is what does not fit. */
TEST_F(records, tail_crosses_into_hole)
{
	char *recs = memory_before_hole(2 * (RECORD + 8) - 1);

	ASSERT_NE(NULL, recs);
	expect_failure(_metadata, self, EFAULT,
		       get(self, variant, 2, recs, 2, RECORD + 8));
}

TEST_F(records, not_writable)
{
	char *recs = memory_touched(self->page);

	ASSERT_NE(NULL, recs);
	memset(recs, 0xaa, self->page);
	ASSERT_EQ(0, mprotect(recs, self->page, PROT_READ));
	expect_failure(_metadata, self, EFAULT,
		       get(self, variant, 0, recs, AREA_PAGES, RECORD));
	EXPECT_TRUE(all_bytes(recs, 0xaa, self->page));
}

/* Writing the answer changes the very pages that are asked about. */
TEST_F(records, into_the_range_itself)
{
	struct pinprobe_page *recs = memory_map(2 * self->page);
	uint64_t next = 0;
	int ret;

	ASSERT_NE(NULL, recs);
	ret = device_resolve(self->dev, 0, recs, 2 * self->page, 0, recs, 8,
			     &next);
	ASSERT_EQ(2, ret);
	EXPECT_EQ((uintptr_t)recs + 2 * self->page, next);
	EXPECT_EQ((uintptr_t)recs, recs[0].addr);
	EXPECT_EQ(PINPROBE_STATE_ABSENT, recs[0].state);
	ret = device_resolve(self->dev, 0, recs, 2 * self->page, 0, recs, 8,
			     NULL);
	ASSERT_EQ(2, ret);
	EXPECT_EQ(PINPROBE_STATE_PRESENT, recs[0].state);
	EXPECT_EQ(PINPROBE_STATE_ABSENT, recs[1].state);
}

TEST_HARNESS_MAIN
