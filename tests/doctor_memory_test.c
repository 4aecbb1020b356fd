// SPDX-License-Identifier: GPL-2.0
/* Where memory lies: exact findings on trees of real hosts and guests. */
#include <stdlib.h>
#include <string.h>

#include "doctor_run.h"

#define SPIN	"note:thp-longterm-readonly-spin"
#define LOOP	"note:collect-loop"

TEST(doctor_healthy_host)
{
	tree_from("doctor/plain");
	CHECK_STRING(doctor_findings(""), SPIN);
	CHECK_NUMBER(doctor_code, 0);
	CHECK_STRING(doctor_value("missing"), "[ ]");
	CHECK_STRING(doctor_value("memory/page_kb"), "4");
	CHECK_STRING(doctor_value("memory/zones/2/pageblocks/Isolate"), "0");
	CHECK(!doctor_value("memory/cma_total_kb"));
	CHECK_STRING(doctor_value("memory/cma_hidden_kb"), "0");
}

/*
 * Two nodes, hugetlb_cma=2G, read in a guest of 7.3: in both of its zones Normal
 * more than half of what is free is CMA.
 */
static void numa(void)
{
	tree_from("doctor/plain");
	tree_add("proc/meminfo", "facts/numa/meminfo");
	tree_add("proc/zoneinfo", "facts/numa/zoneinfo");
	tree_add("proc/pagetypeinfo", "facts/numa/pagetypeinfo");
	tree_put("proc/cmdline",
		 "console=ttyS0 panic=-1 no_timer_check rdinit=/init hugetlb_cma=2G init_on_alloc=0 nokaslr\n");
	tree_put("proc/sys/kernel/osrelease", "7.3.4+deb13-amd64\n");
}

TEST(doctor_registered_cma)
{
	numa();
	CHECK_STRING(doctor_findings(""),
		     "warning:cma-first note:cma " SPIN " " LOOP);
	CHECK_NUMBER(doctor_code, 1);
	CHECK_STRING(doctor_part("cma-first", "verdict"), "REFS");
	CHECK(strstr(doctor_part("cma-first", "summary"),
		     "node 0 zone Normal"));
	CHECK(strstr(doctor_part("cma", "summary"),
		     "2048 MiB of CMA, by hugetlb_cma=2G"));
	CHECK_STRING(doctor_value("memory/cma_pageblocks_kb"), "2097152");
	CHECK_STRING(doctor_value("memory/cma_hidden_kb"), "0");
	/* Free 503948 pages, of them CMA 258175, the lowest watermark 7665. */
	CHECK_STRING(doctor_value("memory/zones/7/pinnable_free_kb"),
		     "952432");
	CHECK_STRING(doctor_value("memory/zones/7/unpinnable_kb"), "1048576");
}

TEST(doctor_names_of_areas)
{
	numa();
	tree_put("sys/kernel/mm/cma/hugetlb0/total_pages", "262144\n");
	tree_put("sys/kernel/mm/cma/hugetlb0/available_pages", "262000\n");
	tree_put("sys/kernel/mm/cma/hugetlb1/total_pages", "262144\n");
	doctor_findings("");
	CHECK(strstr(doctor_part("cma", "summary"),
		     "areas: hugetlb0, hugetlb1"));
	CHECK_STRING(doctor_value("memory/cma_areas/0/available_pages"),
		     "262000");
	CHECK(!doctor_value("memory/cma_areas/1/available_pages"));
}

/* A reserve that is less than half of what is free is hardly used. */
static void small(void)
{
	numa();
	tree_put("proc/cmdline", "cma=2G quiet\n");
	tree_replace("proc/zoneinfo", "pages free     498152",
		     "pages free     521248");
	tree_replace("proc/zoneinfo", "pages free     503948",
		     "pages free     603948");
}

TEST(doctor_cma_that_is_not_taken_first)
{
	small();
	CHECK_STRING(doctor_findings(""), "note:cma " SPIN " " LOOP);
	CHECK_NUMBER(doctor_code, 0);
	CHECK(strstr(doctor_part("cma", "summary"), "by cma=2G"));
	tree_replace("proc/zoneinfo", "pages free     521248",
		     "pages free     521247");
	CHECK_STRING(doctor_findings(""),
		     "warning:cma-first note:cma " SPIN " " LOOP);
}

/* One block fewer than registered: the area that spans it is not active. */
TEST(doctor_cma_that_is_not_there)
{
	small();
	tree_replace("proc/meminfo", "CmaTotal:        2097152",
		     "CmaTotal:        2099200");
	CHECK_STRING(doctor_findings(""),
		     "note:cma-inactive note:cma " SPIN " " LOOP);
	CHECK(strstr(doctor_part("cma-inactive", "summary"), "2 MiB"));
}

/* While a block is isolated it is not counted as CMA. */
TEST(doctor_isolated_cma)
{
	small();
	tree_replace("proc/pagetypeinfo", "512            0",
		     "511            1");
	CHECK_STRING(doctor_findings(""), "note:cma " SPIN " " LOOP);
}

/* A guest with kho=on and no other CMA; what follows "--" is added. */
static void hand_over(void)
{
	tree_from("doctor/kho");
	tree_replace("proc/cmdline", "kho_scratch=64M,256M,512M",
		     "kho_scratch=64M,256M,512M -- cma=1G");
}

#define FIRST	" warning:cma-first "

TEST(doctor_hidden_cma)
{
	hand_over();
	CHECK_STRING(doctor_findings(""),
		     "critical:hidden-cma" FIRST SPIN " " LOOP);
	CHECK_NUMBER(doctor_code, 3);
	CHECK_STRING(doctor_part("hidden-cma", "verdict"), "HIDDEN-CMA");
	CHECK_STRING(doctor_part("hidden-cma", "summary"),
		     "832 MiB of CMA belong to no registered area (source: kho=on, kho_scratch=64M,256M,512M)");
	CHECK(strstr(doctor_part("hidden-cma", "remedy"), "kho=off"));
	CHECK_STRING(doctor_value("memory/cma_hidden_kb"), "851968");
	/* What follows "--" is for init. */
	CHECK(!strstr(doctor_value("memory/sources"), "cma=1G"));
}

/* All of it in use: only pageblocks tell. */
TEST(doctor_hidden_cma_in_use)
{
	hand_over();
	tree_replace("proc/meminfo", "CmaFree:          831340",
		     "CmaFree:               0");
	CHECK_STRING(doctor_findings(""),
		     "critical:hidden-cma" FIRST SPIN " " LOOP);
}

/* Beside a registered area, so that CmaFree alone would not tell. */
TEST(doctor_hidden_cma_beside_another)
{
	hand_over();
	tree_replace("proc/meminfo", "CmaTotal:              0",
		     "CmaTotal:         831488");
	CHECK_STRING(doctor_findings(""),
		     "critical:hidden-cma" FIRST "note:cma " SPIN " " LOOP);
	CHECK_STRING(doctor_value("memory/cma_hidden_kb"), "20480");
}

/* Who may not read pageblocks has CmaFree above CmaTotal. */
TEST(doctor_hidden_cma_without_root)
{
	hand_over();
	tree_denied("proc/pagetypeinfo");
	CHECK_STRING(doctor_findings(""),
		     "critical:hidden-cma" FIRST "note:pagetypeinfo-unread " SPIN " " LOOP);
	CHECK_STRING(doctor_value("memory/cma_hidden_kb"), "831340");
	CHECK(strstr(doctor_part("hidden-cma", "fact"),
		     "/proc/pagetypeinfo not allowed"));
}

/* CmaFree may lag by 2 CPUs x 36 pages in each of the zones that have any. */
TEST(doctor_cma_free_that_lags)
{
	small();
	tree_replace("proc/meminfo", "CmaFree:         2075196",
		     "CmaFree:         2097352");
	CHECK_STRING(doctor_findings(""), "note:cma " SPIN " " LOOP);
	tree_denied("proc/pagetypeinfo");
	CHECK_STRING(doctor_findings(""),
		     "note:hidden-cma note:cma note:pagetypeinfo-unread " SPIN " " LOOP);
	CHECK(strstr(doctor_part("hidden-cma", "remedy"), "Run as root"));
	tree_replace("proc/meminfo", "CmaFree:         2097352",
		     "CmaFree:         2099352");
	CHECK_STRING(doctor_findings(""),
		     "critical:hidden-cma note:cma note:pagetypeinfo-unread " SPIN " " LOOP);
}

TEST(doctor_hidden_cma_of_the_configuration)
{
	hand_over();
	tree_put("proc/cmdline", "quiet\n");
	tree_put("boot/config-7.3.4-kho",
		 "# CONFIG_KEXEC_HANDOVER_DEBUGFS is not set\nCONFIG_KEXEC_HANDOVER_ENABLE_DEFAULT=y\n");
	doctor_findings("");
	CHECK(strstr(doctor_part("hidden-cma", "summary"),
		     "(source: CONFIG_KEXEC_HANDOVER_ENABLE_DEFAULT=y)"));
	tree_put("boot/config-7.3.4-kho",
		 "# CONFIG_KEXEC_HANDOVER_ENABLE_DEFAULT is not set\nCONFIG_KEXEC_HANDOVER_ENABLE_DEFAULT_X=y\nXCONFIG_KEXEC_HANDOVER_ENABLE_DEFAULT=y\n");
	doctor_findings("");
	CHECK(strstr(doctor_part("hidden-cma", "summary"),
		     "(source: not told by the command line)"));
}

TEST(doctor_unreadable_pagetypeinfo)
{
	tree_from("doctor/plain");
	tree_denied("proc/pagetypeinfo");
	CHECK_STRING(doctor_findings(""), "note:pagetypeinfo-unread " SPIN);
	CHECK_NUMBER(doctor_code, 0);
	CHECK_STRING(doctor_value("missing/0/path"), "/proc/pagetypeinfo");
	CHECK_STRING(doctor_value("missing/0/state"), "not allowed");
	CHECK(!doctor_value("missing/1"));
	CHECK(!doctor_value("memory/cma_pageblocks_kb"));
}

/* A zone of a guest of 6.12 with movablecore=, as the only one of node 1. */
static char *movable_zone(void)
{
	char *s = unit_read(text_format("%s/data/kpath-6.12-zoneinfo.txt",
					unit_tests), NULL);
	char *zone = strstr(s, "Node 0, zone  Movable");

	CHECK(zone);
	*strstr(zone, "Node 0, zone   Device") = '\0';
	return zone;
}

TEST(doctor_node_that_is_all_movable)
{
	char *zone = movable_zone();

	tree_from("doctor/plain");
	zone[strlen("Node ")] = '1';
	tree_append("proc/zoneinfo", zone);
	CHECK_STRING(doctor_findings(""),
		     "warning:node-unpinnable note:zone-movable " SPIN " " LOOP);
	CHECK_NUMBER(doctor_code, 1);
	CHECK_STRING(doctor_part("node-unpinnable", "verdict"), "TARGET");
	CHECK(strstr(doctor_part("node-unpinnable", "summary"), "node 1"));
	CHECK_STRING(doctor_value("memory/zones/5/pinnable_free_kb"), "0");
	CHECK_STRING(doctor_value("memory/zones/5/unpinnable_kb"), "498848");
}

/* No memory at all is nothing that could not be registered. */
TEST(doctor_node_without_memory)
{
	tree_from("doctor/plain");
	tree_append("proc/zoneinfo",
		    "Node 3, zone   Normal\n  pages free     0\n        min      0\n        managed  0\n");
	CHECK_STRING(doctor_findings(""), SPIN);
}

TEST(doctor_movable_zone)
{
	tree_from("doctor/plain");
	tree_append("proc/zoneinfo", movable_zone());
	tree_put("proc/cmdline", "movablecore=512M movable_node_x quiet\n");
	CHECK_STRING(doctor_findings(""), "note:zone-movable " SPIN " " LOOP);
	CHECK(strstr(doctor_part("zone-movable", "summary"),
		     "487 of 24592 MiB are ZONE_MOVABLE, by movablecore=512M"));
	CHECK_STRING(doctor_value("memory/sources"),
		     "[ \"movablecore=512M\" ]");
}

/* The guest itself: half of its memory and more. */
TEST(doctor_movable_for_the_most_part)
{
	tree_from("doctor/plain");
	tree_add("proc/zoneinfo", "kpath-6.12-zoneinfo.txt");
	tree_replace("proc/zoneinfo", "managed  124712", "managed  424712");
	tree_put("proc/sys/kernel/osrelease", "6.12.117+deb12-amd64\n");
	CHECK_STRING(doctor_findings(""),
		     "warning:zone-movable " SPIN " " LOOP);
	CHECK_NUMBER(doctor_code, 1);
}

TEST(doctor_hugetlb_in_movable)
{
	tree_from("doctor/plain");
	tree_append("proc/zoneinfo", movable_zone());
	tree_replace("proc/meminfo", "HugePages_Total:       0",
		     "HugePages_Total:      64");
	tree_put("proc/sys/kernel/osrelease", "6.1.0-50-amd64\n");
	CHECK_STRING(doctor_findings(""),
		     "warning:hugetlb-in-movable note:zone-movable " LOOP);
	tree_put("proc/sys/kernel/osrelease", "6.10.0\n");
	CHECK_STRING(doctor_findings(""), "note:zone-movable " SPIN " " LOOP);
}

/* Of what is free nearly all is CMA or ZONE_MOVABLE. */
TEST(doctor_pinnable_nearly_out)
{
	tree_from("doctor/plain");
	tree_put("proc/zoneinfo",
		 "Node 0, zone   Normal\n  pages free     60000\n        min      20000\n        managed  4000000\n        cma      0\n      nr_free_cma  0\n"
		 "Node 0, zone  Movable\n  pages free     1000000\n        min      100\n        managed  2000000\n        cma      0\n      nr_free_cma  0\n");
	tree_replace("proc/meminfo", "MemTotal:", "MemTotal: 24000000\nx:");
	CHECK_STRING(doctor_findings(""),
		     "warning:pinnable-nearly-out note:zone-movable " SPIN " " LOOP);
	/* Free less the watermark, below which only the kernel is served. */
	CHECK_STRING(doctor_value("memory/zones/0/pinnable_free_kb"), "160000");
	CHECK(strstr(doctor_part("pinnable-nearly-out", "summary"),
		     "4140 MiB are free, and 156 MiB of them"));
	tree_replace("proc/zoneinfo", "60000", "160000");
	CHECK_STRING(doctor_findings(""), "note:zone-movable " SPIN " " LOOP);
}

TEST(doctor_online_policy)
{
	tree_from("doctor/plain");
	tree_put("sys/devices/system/memory/auto_online_blocks",
		 "online_movable\n");
	CHECK_STRING(doctor_findings(""), "note:online-movable " SPIN);
}

TEST(doctor_device_tree)
{
	tree_from("doctor/plain");
	tree_put("proc/device-tree/reserved-memory/linux,cma/compatible",
		 "shared-dma-pool");
	tree_put("proc/device-tree/reserved-memory/linux,cma/reusable", "");
	tree_put("proc/device-tree/reserved-memory/fw/compatible",
		 "shared-dma-pool");
	CHECK_STRING(doctor_findings(""), SPIN);
	CHECK_STRING(doctor_value("memory/sources"),
		     "[ \"device tree node reserved-memory/linux,cma\" ]");
}

TEST(doctor_pages_of_64_kb)
{
	tree_from("doctor/plain");
	tree_put("proc/zoneinfo",
		 "Node 0, zone   Normal\n  pages free     6000\n        min      0\n        managed  16384\n");
	tree_replace("proc/meminfo", "MemTotal:", "MemTotal: 1048000\nx:");
	doctor_findings("");
	CHECK_STRING(doctor_value("memory/page_kb"), "64");
	CHECK_STRING(doctor_value("memory/zones/0/free_kb"), "384000");
}

/* Of a size that a host has; how long it takes is for make bench. */
TEST(doctor_of_one_tib)
{
	tree_from("doctor/plain");
	CHECK(!system(text_format("cd %s/tree/proc && for f in pagetypeinfo zoneinfo; do awk -v what=$f -f %s/data/doctor/tib.awk >$f; done",
				  unit_scratch, unit_tests)));
	tree_replace("proc/meminfo", "MemTotal:",
		     "CmaTotal:  33554432 kB\nCmaFree:   32000000 kB\nMemTotal: 1099000000\nx:");
	CHECK_STRING(doctor_findings(""), "note:cma " SPIN " " LOOP);
	CHECK_STRING(doctor_value("memory/cma_pageblocks_kb"), "33554432");
	CHECK_STRING(doctor_value("memory/zones/9/node"), "7");
	CHECK_STRING(doctor_value("memory/zones/9/pageblocks/Movable"), "60416");
	CHECK(!doctor_value("memory/zones/10"));
}
