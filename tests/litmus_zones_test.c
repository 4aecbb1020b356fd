// SPDX-License-Identifier: GPL-2.0
/* Where pages may not stay, from what kernels print. */
#include "../tools/kmsg.c"
#include "../tools/litmus_zones.c"
#include "unit.h"

TEST(litmus_zones_of_a_movable_guest)
{
	struct litmus_zones zones = { 0 };
	char *text = unit_read(text_format("%s/data/kpath-6.12-zoneinfo.txt",
					   unit_tests), NULL);

	litmus_zones_movable(&zones, text);
	CHECK_NUMBER(zones.nr, 1);
	CHECK(!litmus_zones_has(&zones, 131071));
	CHECK(litmus_zones_has(&zones, 131072));
	CHECK(litmus_zones_has(&zones, 131072 + 131039));
	CHECK(!litmus_zones_has(&zones, 131072 + 131040));
}

TEST(litmus_zones_without_movable)
{
	struct litmus_zones zones = { 0 };
	char *text = unit_read(text_format("%s/data/facts/numa/zoneinfo",
					   unit_tests), NULL);

	litmus_zones_movable(&zones, text);
	CHECK_NUMBER(zones.nr, 0);
}

TEST(litmus_zones_of_a_boot_log)
{
	struct litmus_zones zones = { 0 };
	uint64_t page = sysconf(_SC_PAGESIZE), at = 0x5ea00000 / page;

	litmus_zones_cma_log(&zones,
			     "6,75,0,-;cma: Reserved 512 MiB at 0x000000005ea00000 on node -1\n");
	CHECK_NUMBER(zones.nr, 1);
	CHECK(!litmus_zones_has(&zones, at - 1));
	CHECK(litmus_zones_has(&zones, at));
	CHECK(litmus_zones_has(&zones, at + (512 << 20) / page - 1));
	CHECK(!litmus_zones_has(&zones, at + (512 << 20) / page));
	litmus_zones_cma_log(&zones,
			     "6,75,0,-;cma: Reserved 512 MiB at 0x000000001f400000\n");
	CHECK_NUMBER(zones.nr, 2);
	/* No address, no place. */
	litmus_zones_cma_log(&zones, "6,76,0,-;cma: Reserved 3072 MiB in 1 range\n");
	litmus_zones_cma_log(&zones, "4,77,0,-;cma: Failed to reserve 512 MiB\n");
	CHECK_NUMBER(zones.nr, 2);
}

TEST(litmus_zones_are_bounded)
{
	struct litmus_zones zones = { 0 };
	int i;

	for (i = 0; i < 100; i++)
		litmus_zones_cma_log(&zones, "cma: Reserved 2 MiB at 0x200000");
	CHECK_NUMBER(zones.nr, RANGES);
}
