// SPDX-License-Identifier: GPL-2.0
/* vm/facts.awk on the files of real guests, and on what others would say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "unit.h"

static struct facts facts;

static void on_line(char *line)
{
	static const char prefix[] = "@guest ";

	line[strcspn(line, "\n")] = '\0';
	if (!text_starts(line, prefix))
		unit_fail(__FILE__, __LINE__, "\"%s\" is no fact", line);
	facts_add(&facts, line + strlen(prefix));
}

/* files: names in the folder, blank-separated */
static void ask(const char *folder, const char *files)
{
	struct text command = { 0 };
	char line[512], *word, *path;
	FILE *f;

	text_puts(&command, "awk -f ");
	path = text_format("%s/facts.awk", unit_vm);
	text_quote(&command, path);
	while ((word = text_word(&files))) {
		path = text_format("%s/%s", folder, word);
		text_puts(&command, " ");
		text_quote(&command, path);
	}
	f = popen(command.s, "re");
	CHECK(f);
	while (fgets(line, sizeof(line), f))
		on_line(line);
	CHECK_NUMBER(pclose(f), 0);
}

#define FACT(key, want)	CHECK_STRING(facts_get(&facts, key), want)
#define FILES		"stat meminfo pagetypeinfo zoneinfo smaps dmesg"

TEST(facts_of_two_nodes)
{
	ask(text_format("%s/data/facts/numa", unit_tests), FILES);
	FACT("cpus", "2");
	FACT("nodes", "2");
	FACT("cma_total_kb", "2097152");
	FACT("cma_blocks", "1024");
	FACT("cma_hidden_blocks", "0");
	FACT("cma_blocks_node0_normal", "512");
	FACT("cma_blocks_node1_normal", "512");
	FACT("pageblock_kb", "2048");
	FACT("movable_pages", "0");
	FACT("movable_nodes", "0");
	FACT("iommus", "0");
	FACT("zones", "dma,dma32,normal");
	FACT("hugetlb_cma_kb", "2097152");
	FACT("hugetlb_cma_node0_kb", "1048576");
	FACT("hugetlb_cma_node1_kb", "1048576");
	CHECK(facts_get(&facts, "blocks_unmovable"));
	CHECK(!facts_get(&facts, "cma_blocks_node0_dma"));
}

static void put(const char *name, const char *s)
{
	unit_write(name, s, strlen(s));
}

static void put_page_size(const char *kb)
{
	put("smaps", text_format("Size: 132 kB\nKernelPageSize: %s kB\n", kb));
}

#define FREE_TABLE							\
	"Page block order: 9\nPages per block:  512\n\n"		\
	"Free pages count per migrate type at order       0      1\n"	\
	"Node    0, zone    DMA32, type    Unmovable      7      7\n"	\
	"Node    0, zone    DMA32, type          CMA      9      9\n\n"

#define ZONES								\
	"Node 0, zone    DMA32\n  pages free     1\n        managed  100\n" \
	"Node 0, zone   Normal\n        managed  0\n"			\
	"Node 0, zone  Movable\n        managed  131072\n"

/* Kexec HandOver's scratch: CMA pageblocks and free CMA, and no CMA. */
TEST(facts_of_hidden_cma)
{
	put("stat", "cpu  1 2\ncpu0 1 2\nintr 3\n");
	put("meminfo", "MemTotal:        3000000 kB\nCmaTotal:              0 kB\nCmaFree:          830432 kB\n");
	put("pagetypeinfo", FREE_TABLE
	    "Number of blocks type     Unmovable      Movable  Reclaimable   HighAtomic          CMA      Isolate\n"
	    "Node 0, zone    DMA32           10          900            3            1           32            0\n"
	    "Node 0, zone   Normal           20          100            4            0          384            2\n");
	put("zoneinfo", ZONES);
	put_page_size("4");
	ask(unit_scratch, "stat meminfo pagetypeinfo zoneinfo smaps");
	FACT("cpus", "1");
	FACT("nodes", "1");
	FACT("cma_total_kb", "0");
	FACT("cma_free_kb", "830432");
	FACT("cma_blocks", "416");
	FACT("cma_hidden_blocks", "416");
	FACT("cma_blocks_node0_dma32", "32");
	FACT("cma_blocks_node0_normal", "384");
	FACT("blocks_unmovable", "30");
	FACT("blocks_movable", "1000");
	FACT("blocks_reclaimable", "7");
	FACT("blocks_highatomic", "1");
	FACT("blocks_isolate", "2");
	FACT("zones", "dma32,movable");
	FACT("movable_pages", "131072");
	FACT("hugetlb_cma_kb", "0");
}

/* No CONFIG_CMA: the fourth column is ISOLATE, and nothing is a reserve of 0. */
TEST(facts_without_cma)
{
	put("meminfo", "MemTotal:        1000000 kB\n");
	put("pagetypeinfo", FREE_TABLE
	    "Number of blocks type     Unmovable      Movable  Reclaimable   HighAtomic      Isolate\n"
	    "Node 0, zone    DMA32           10          900            3            1           32\n");
	put_page_size("4");
	ask(unit_scratch, "meminfo pagetypeinfo smaps");
	FACT("cma_total_kb", "none");
	FACT("cma_blocks", "0");
	FACT("cma_hidden_blocks", "0");
	FACT("blocks_isolate", "32");
	CHECK(!facts_get(&facts, "blocks_cma"));
}

/* An area that does not fill its last pageblock hides nothing. */
TEST(facts_of_a_small_area)
{
	put("meminfo", "CmaTotal:           3072 kB\n");
	put("pagetypeinfo", FREE_TABLE
	    "Number of blocks type     Unmovable          CMA\n"
	    "Node 0, zone    DMA32           10            2\n");
	put_page_size("4");
	ask(unit_scratch, "meminfo pagetypeinfo smaps");
	FACT("cma_blocks", "2");
	FACT("cma_hidden_blocks", "0");
}

/* A zone without pages makes a node no less movable; one that has none is no node. */
TEST(facts_of_a_movable_node)
{
	put("zoneinfo", ZONES
	    "Node 1, zone   Normal\n        managed  0\n"
	    "Node 1, zone  Movable\n        managed  131072\n"
	    "Node 2, zone   Normal\n        managed  0\n");
	put_page_size("4");
	ask(unit_scratch, "zoneinfo smaps");
	FACT("nodes", "3");
	FACT("movable_pages", "262144");
	FACT("movable_nodes", "1");
}

TEST(facts_of_sysfs)
{
	char *folders = text_format("mkdir -p %s/cma/hugetlb1 %s/hugepages/hugepages-2048kB %s/virtio0 %s/virtio1",
				    unit_scratch, unit_scratch,
				    unit_scratch, unit_scratch);

	CHECK_NUMBER(system(folders), 0);
	put("cma/hugetlb1/total_pages", "262144\n");
	put("hugepages/hugepages-2048kB/nr_hugepages", "5\n");
	put("virtio0/device", "0x0003\n");
	put("virtio0/cap", "d2008c222f0606\n");
	put("virtio1/device", "0x001b\n");
	put_page_size("16");
	ask(unit_scratch, "smaps cma/hugetlb1/total_pages hugepages/hugepages-2048kB/nr_hugepages virtio0/device virtio1/device virtio0/cap");
	FACT("cma_area_hugetlb1_kb", "4194304");
	FACT("hugetlb_2048kb_pages", "5");
	FACT("pmem_devices", "1");
	FACT("iommus", "1");
}
