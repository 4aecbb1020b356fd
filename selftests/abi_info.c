// SPDX-License-Identifier: GPL-2.0
/* INFO against what the kernel says of itself in /proc. */
#include <inttypes.h>
#include <stdint.h>
#include "kselftest_harness.h"
#include "abi_layout.h"
#include "lib/device.h"
#include "lib/kernel.h"
#include "lib/memory.h"
#include "lib/vmstat.h"

#define KNOWN_FEATURES (PINPROBE_FEATURE_CMA | PINPROBE_FEATURE_ISOLATE_BIT | \
			PINPROBE_FEATURE_MIGRATE_TRACE | PINPROBE_FEATURE_FAULTS | \
			PINPROBE_FEATURE_UNLOCKED_LONGTERM)
#define KNOWN_UNPINNABLE (PINPROBE_UNPINNABLE_CMA | PINPROBE_UNPINNABLE_ISOLATE | \
			  PINPROBE_UNPINNABLE_MOVABLE | \
			  PINPROBE_UNPINNABLE_COHERENT | \
			  PINPROBE_UNPINNABLE_FSDAX)

FIXTURE(info)
{
	struct pinprobe_info info;
};

FIXTURE_SETUP(info)
{
	int dev = device_open();

	ASSERT_LE(0, dev);
	ASSERT_EQ(0, device_info(dev, &self->info));
	close(dev);
}

FIXTURE_TEARDOWN(info)
{
}

/* 1 << number of each name that stands in the file after @before. */
static uint32_t names_in(const char *path, const char *before,
			 const char * const *names, size_t nr)
{
	char line[512], word[32];
	uint32_t found = 0;
	FILE *file;
	char *at;

	file = fopen(path, "re");
	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file)) {
		at = strstr(line, before);
		if (!at || sscanf(at + strlen(before), " %31[A-Za-z0-9]", word) != 1)
			continue;
		for (size_t i = 0; i < nr; i++)
			if (names[i] && !strcmp(word, names[i]))
				found |= 1U << i;
	}
	fclose(file);
	return found;
}

TEST_F(info, version)
{
	EXPECT_EQ(sizeof(self->info), self->info.size);
	EXPECT_EQ(0, self->info.flags);
	EXPECT_EQ(PINPROBE_ABI_VERSION, self->info.abi_version);
}

TEST_F(info, page_size)
{
	EXPECT_EQ(page_size(), self->info.page_size);
}

TEST_F(info, block_order)
{
	unsigned int order = 0;
	char line[512];
	FILE *file;

	file = fopen("/proc/pagetypeinfo", "re");
	ASSERT_NE(NULL, file);
	while (!order && fgets(line, sizeof(line), file))
		sscanf(line, "Page block order: %u", &order);
	fclose(file);
	EXPECT_NE(0, order);
	EXPECT_EQ(order, self->info.block_order);
}

TEST_F(info, migratetypes)
{
	static const char * const names[] = {
		[PINPROBE_MT_UNMOVABLE] = "Unmovable",
		[PINPROBE_MT_MOVABLE] = "Movable",
		[PINPROBE_MT_RECLAIMABLE] = "Reclaimable",
		[PINPROBE_MT_HIGHATOMIC] = "HighAtomic",
		[PINPROBE_MT_CMA] = "CMA",
		[PINPROBE_MT_ISOLATE] = "Isolate",
	};
	uint32_t types = names_in("/proc/pagetypeinfo", ", type", names,
				  ARRAY_SIZE(names));

	EXPECT_NE(0, types);
	EXPECT_EQ(types, self->info.migratetypes);
	EXPECT_EQ(!!(types & 1U << PINPROBE_MT_CMA),
		  !!(self->info.features & PINPROBE_FEATURE_CMA));
}

TEST_F(info, zones)
{
	static const char * const names[] = {
		[PINPROBE_ZONE_DMA] = "DMA",
		[PINPROBE_ZONE_DMA32] = "DMA32",
		[PINPROBE_ZONE_NORMAL] = "Normal",
		[PINPROBE_ZONE_HIGHMEM] = "HighMem",
		[PINPROBE_ZONE_MOVABLE] = "Movable",
		[PINPROBE_ZONE_DEVICE] = "Device",
	};
	uint32_t zones = names_in("/proc/zoneinfo", ", zone", names,
				  ARRAY_SIZE(names));

	EXPECT_NE(0, zones);
	EXPECT_EQ(zones, self->info.zones);
}

TEST_F(info, features)
{
	EXPECT_EQ(0, self->info.features & ~KNOWN_FEATURES);
	EXPECT_EQ(0, self->info.unpinnable & ~KNOWN_UNPINNABLE);
	/* d1e153fea2a8 ("mm/gup: migrate pinned pages out of movable zone"), v5.13 */
	if (kernel_at_least(5, 13))
		EXPECT_TRUE(self->info.unpinnable & PINPROBE_UNPINNABLE_MOVABLE);
	/* Without CMA the gate does not ask for the pageblock at all. */
	EXPECT_EQ(!!(self->info.features & PINPROBE_FEATURE_CMA),
		  !!(self->info.unpinnable & PINPROBE_UNPINNABLE_CMA));
	/*
	 * d64e2dbc33a1 ("mm/gup: simplify the external interface functions and
	 * consolidate invariants") and its series, v6.3
	 */
	if (kernel_at_least(6, 3))
		EXPECT_TRUE(self->info.features &
			    PINPROBE_FEATURE_UNLOCKED_LONGTERM);
}

/* A whole process must fit, and a machine has no more than its memory. */
TEST_F(info, max_pin_pages)
{
	uint64_t pages = meminfo_kb("MemTotal") * 1024 / page_size();

	EXPECT_LT(pages / 2, self->info.max_pin_pages);
	EXPECT_GE(2 * pages, self->info.max_pin_pages);
}

/* It is for everybody who has the descriptor, and costs nothing. */
TEST_F(info, same_every_time)
{
	struct pinprobe_info again;
	int dev = device_open();

	ASSERT_LE(0, dev);
	for (int i = 0; i < 100; i++) {
		ASSERT_EQ(0, device_info(dev, &again));
		again.max_pin_pages = self->info.max_pin_pages;
		EXPECT_EQ(0, memcmp(&again, &self->info, sizeof(again)));
	}
	close(dev);
}

TEST_HARNESS_MAIN
