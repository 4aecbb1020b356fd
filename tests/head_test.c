// SPDX-License-Identifier: GPL-2.0
/* The line over a run's results: what memory the guest was seen to have. */
#include <string.h>

#include "unit.h"
#include "vmrun_cli.h"

/* The line, from "profile p" on. */
static const char *head(const char *facts)
{
	char *deny = text_format("%s/console-deny", unit_vm), *line;
	const char *words[WORDS_MAX] = {
		"--judge", unit_scratch, "--deny", deny, "--profile", "p",
		"--cpus", "1", "--ended", "by itself", NULL
	};
	char *log = text_format("@guest cpus=1\n%s@guest-end\n@done\n", facts);

	unit_write("console.log", "Linux version\n", 14);
	unit_write("channel.log", log, strlen(log));
	cli_finish(cli_start_words(words));
	line = strstr(cli_out, "profile p");
	CHECK(line);
	line[strcspn(line, "\n")] = '\0';
	return line;
}

TEST(head_of_cma)
{
	CHECK_STRING(head("@guest cma_total_kb=524288\n@guest cma_blocks=256\n"),
		     "profile p: CmaTotal 512 MiB, 256 CMA pageblocks");
	CHECK_STRING(head("@guest cma_total_kb=none\n@guest cma_blocks=0\n"),
		     "profile p");
}

TEST(head_of_two_nodes)
{
	CHECK_STRING(head("@guest nodes=3\n@guest cma_total_kb=3145728\n@guest cma_blocks=1536\n"
			  "@guest hugetlb_cma_kb=3145728\n@guest hugetlb_cma_node0_kb=1048576\n"
			  "@guest hugetlb_cma_node2_kb=2097152\n"),
		     "profile p: CmaTotal 3072 MiB, 1536 CMA pageblocks, of hugetlb_cma 1024 MiB on node 0, 2048 MiB on node 2");
}

TEST(head_of_hidden_cma)
{
	CHECK_STRING(head("@guest cma_total_kb=0\n@guest cma_free_kb=830432\n@guest cma_blocks=416\n"
			  "@guest cma_hidden_blocks=410\n"),
		     "profile p: CmaTotal 0 MiB, CmaFree 810 MiB, 416 CMA pageblocks, 410 of them in no CMA area");
}

TEST(head_of_movable)
{
	CHECK_STRING(head("@guest movable_pages=131072\n@guest onlined_movable_blocks=4\n"),
		     "profile p: ZONE_MOVABLE with 131072 pages, 4 blocks hot-added");
	CHECK_STRING(head("@guest cma_total_kb=65536\n@guest cma_blocks=32\n@guest movable_pages=5\n"
			  "@guest onlined_movable_blocks=0\n"),
		     "profile p: CmaTotal 64 MiB, 32 CMA pageblocks, ZONE_MOVABLE with 5 pages");
}
