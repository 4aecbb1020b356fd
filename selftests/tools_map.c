// SPDX-License-Identifier: GPL-2.0
/* pinprobe map against what the guest says of its memory, and of a page. */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <strings.h>
#include <sys/mman.h>
#include "kselftest_harness.h"
#include "lib/buffer.h"
#include "lib/device.h"
#include "lib/memory.h"
#include "lib/privilege.h"
#include "lib/promise.h"
#include "lib/tool.h"
#include "lib/zones.h"

/* Enough to push every page touched earlier out of the CPU's LRU batch. */
#define LRU_BATCH	64

FIXTURE(map)
{
	int dev;
	char pid[16];
	struct tool tool;
};

FIXTURE_SETUP(map)
{
	cpu_set_t cpu;

	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	snprintf(self->pid, sizeof(self->pid), "%d", getpid());
	/* Pages wait in a batch of the CPU that touched them. */
	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(cpu), &cpu));
}

static void settle(void)
{
	munmap(memory_touched(LRU_BATCH * page_size()),
	       LRU_BATCH * page_size());
}

FIXTURE_TEARDOWN(map)
{
	tool_free(&self->tool);
	close(self->dev);
}

#define RUN(...) do {							\
	tool_free(&self->tool);						\
	ASSERT_EQ(0, TOOL_RUN(&self->tool, "map", "--json", ##__VA_ARGS__));	\
	ASSERT_EQ(0, self->tool.code) TH_LOG("%s", self->tool.err);	\
	ASSERT_NE(NULL, self->tool.json);				\
} while (0)

/* The entry with this page, or NULL. */
static json_object *block_of(json_object *json, uint64_t pfn)
{
	uint64_t size = tool_number(json, "block_pages"), start;
	json_object *one;
	char path[32];
	int i;

	for (i = 0;; i++) {
		snprintf(path, sizeof(path), "blocks/%d", i);
		one = tool_at(json, path);
		if (!one)
			return NULL;
		start = strtoull(tool_string(one, "pfn"), NULL, 16);
		if (pfn >= start && pfn < start + tool_number(one, "blocks") * size)
			return one;
	}
}

/* The sum of what @key says, over entries that @migratetype, if any, is of. */
static int64_t sum_of(json_object *json, const char *key, const char *migratetype)
{
	int64_t sum = 0;
	json_object *one;
	char path[32];
	int i;

	for (i = 0;; i++) {
		snprintf(path, sizeof(path), "blocks/%d", i);
		one = tool_at(json, path);
		if (!one)
			return sum;
		if (!migratetype ||
		    !strcmp(tool_string(one, "migratetype"), migratetype))
			sum += tool_number(one, "blocks") *
			       (key ? tool_number(one, key) : 1);
	}
}

/*
 * "Number of blocks type  Unmovable  Movable ...", and a line of counts a zone.
 * How many columns there are; @names in lower case.
 */
static int count_types(const char *const *names, int64_t *counted, size_t nr)
{
	FILE *file = fopen("/proc/pagetypeinfo", "re");
	int column[16], columns = -1, used, i;
	char line[512], word[32], *at;
	size_t name;

	while (file && fgets(line, sizeof(line), file)) {
		at = strstr(line, "Unmovable");
		if (!strncmp(line, "Number of blocks type", 21) && at) {
			for (columns = 0; columns < 16 &&
			     sscanf(at, "%31s%n", word, &used) == 1; at += used) {
				column[columns] = -1;
				for (name = 0; name < nr; name++)
					if (!strcasecmp(word, names[name]))
						column[columns] = name;
				columns++;
			}
			continue;
		}
		if (columns < 0 || sscanf(line, "Node %*d, zone %31s%n", word, &used) != 1)
			continue;
		at = line + used;
		for (i = 0; i < columns; i++, at += used) {
			long long n;

			if (sscanf(at, "%lld%n", &n, &used) != 1)
				break;
			if (column[i] >= 0)
				counted[column[i]] += n;
		}
	}
	if (file)
		fclose(file);
	return columns;
}

TEST_F(map, block_is_the_modules)
{
	struct pinprobe_info info;

	ASSERT_EQ(0, device_info(self->dev, &info));
	RUN();
	EXPECT_EQ(1 << info.block_order, tool_number(self->tool.json, "block_pages"));
	EXPECT_STREQ("the module", tool_string(self->tool.json, "block_from"));
	EXPECT_EQ(NULL, tool_at(self->tool.json, "sum/process_pages"));
}

/* Where memory is to be found, by /proc/iomem: whole pages of each range. */
TEST_F(map, all_memory_is_there)
{
	FILE *file = fopen("/proc/iomem", "re");
	uint64_t first, last, pages = 0;
	char line[128];

	ASSERT_NE(NULL, file);
	while (fgets(line, sizeof(line), file))
		if (*line != ' ' && strstr(line, " : System RAM") &&
		    sscanf(line, "%" SCNx64 "-%" SCNx64, &first, &last) == 2)
			pages += (last + 1) / page_size() -
				 (first + page_size() - 1) / page_size();
	fclose(file);
	EXPECT_LT(0, pages);
	RUN();
	EXPECT_EQ(pages, sum_of(self->tool.json, "ram_pages", NULL));
}

/* As many as the kernel counts; the boot log says where they lie. */
TEST_F(map, cma_blocks_are_those_of_the_area)
{
	if (!promise_profile("cma"))
		SKIP(return, "not-this-profile: the boot log has no such area");
	RUN();
	EXPECT_EQ(zones_cma_pages() / tool_number(self->tool.json, "block_pages"),
		  sum_of(self->tool.json, NULL, "cma"));
	EXPECT_NE(NULL, tool_at(self->tool.json, "cma_areas/0"));
}

/* All blocks are of the kinds that the kernel counts, without any module. */
TEST_F(map, types_are_as_many_as_the_kernel_counts)
{
	static const char *const names[] = {
		"unmovable", "movable", "reclaimable", "highatomic", "cma", "isolate",
	};
	int64_t counted[ARRAY_SIZE(names)] = {}, told = 0;
	unsigned int i;

	if (access("/sys/kernel/btf/vmlinux", R_OK))
		SKIP(return, "no-btf");
	RUN();
	ASSERT_LT(0, count_types(names, counted, ARRAY_SIZE(names)));
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		int64_t seen = sum_of(self->tool.json, NULL, names[i]);

		told += seen;
		/* Some change their kind between the two, and some have no memory. */
		EXPECT_LE(counted[i] - 16, seen) TH_LOG("%s", names[i]);
		EXPECT_GE(counted[i] + 16, seen) TH_LOG("%s", names[i]);
	}
	EXPECT_EQ(sum_of(self->tool.json, NULL, NULL), told);
}

static int64_t number_in(const struct tool *tool, uint64_t pfn, const char *key)
{
	return tool_number(block_of(tool->json, pfn), key);
}

/* Each touched page once, and no page that is not there. */
TEST_F(map, pages_of_a_process)
{
	int64_t before;

	RUN(self->pid);
	before = tool_number(self->tool.json, "sum/process_pages");
	ASSERT_LT(0, before);
	ASSERT_NE(NULL, memory_touched(2048 * page_size()));
	ASSERT_NE(NULL, memory_map(2048 * page_size()));
	RUN(self->pid);
	/* And a few of the heap, for what the command said. */
	EXPECT_LE(before + 2048 - 64, tool_number(self->tool.json, "sum/process_pages"));
	EXPECT_GT(before + 2048 + 512,
		  tool_number(self->tool.json, "sum/process_pages"));
	EXPECT_EQ(tool_number(self->tool.json, "sum/process_pages"),
		  sum_of(self->tool.json, "process_pages", NULL));
}

/* What "map" counts as stuck in the page's block: before, while it is held, and after. */
static bool count_stuck(struct __test_metadata *_metadata,
			struct _test_data_map *self, const struct buffer *buffer,
			int64_t stuck[3])
{
	struct pinprobe_page page;
	int fd;

	settle();
	ASSERT_EQ(0, device_resolve_one(self->dev, buffer->addr, &page));
	RUN(self->pid);
	stuck[0] = number_in(&self->tool, page.pfn, "stuck");
	fd = device_pin(self->dev, buffer->addr, buffer->len,
			PINPROBE_CALL_PIN_FAST, PINPROBE_PIN_WRITE, NULL);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, device_resolve_one(self->dev, buffer->addr, &page));
	RUN(self->pid);
	stuck[1] = number_in(&self->tool, page.pfn, "stuck");
	EXPECT_LE(1, number_in(&self->tool, page.pfn, "held"));
	EXPECT_STREQ(migratetype_name(page.migratetype),
		     tool_string(block_of(self->tool.json, page.pfn), "migratetype"));
	EXPECT_STREQ(zone_name(page.zone),
		     tool_string(block_of(self->tool.json, page.pfn), "zone"));
	EXPECT_EQ(page.node, number_in(&self->tool, page.pfn, "node"));
	close(fd);
	RUN(self->pid);
	stuck[2] = number_in(&self->tool, page.pfn, "stuck");
	return stuck[0] == stuck[2];
}

/* A page that is held where it has to move: in its block, and while it is. */
TEST_F(map, stuck_page_is_in_its_block)
{
	struct look look = { .dev = self->dev };
	struct buffer buffer;
	int64_t stuck[3];
	int err, turn;

	err = buffer_find(&buffer, &look, BACKING_ANON, BUFFER_UNPINNABLE);
	if (err == -ENODATA && promise_unpinnable() == ~0U)
		SKIP(return, "not-this-profile: no unpinnable memory");
	ASSERT_EQ(0, err);
	/* Others that are held for a moment may lie in the block, and be gone then. */
	for (turn = 0; turn < 5; turn++)
		if (count_stuck(_metadata, self, &buffer, stuck))
			break;
	EXPECT_EQ(stuck[0] + 1, stuck[1]);
	EXPECT_EQ(stuck[0], stuck[2]);
	buffer_free(&buffer);
}

TEST_F(map, picture)
{
	ASSERT_EQ(0, TOOL_RUN(&self->tool, "map", self->pid));
	EXPECT_EQ(0, self->tool.code);
	EXPECT_EQ(self->tool.out, strstr(self->tool.out, "<?xml "));
	EXPECT_NE(NULL, strstr(self->tool.out, "</svg>\n"));
	EXPECT_NE(NULL, strstr(self->tool.out, "class=\"process\""));
	EXPECT_EQ(NULL, strstr(self->tool.out, "is not seen"));
}

/* Who may not look is told so, and gets no picture that leaves it out. */
TEST_F(map, as_nobody)
{
	ASSERT_EQ(0, privilege_become_nobody());
	ASSERT_EQ(0, TOOL_RUN(&self->tool, "map", self->pid));
	EXPECT_EQ(4, self->tool.code);
	EXPECT_STREQ("", self->tool.out);
	EXPECT_NE(NULL, strstr(self->tool.err, "root only"));
	RUN();
	EXPECT_LT(0, tool_number(self->tool.json, "sum/blocks"));
}

TEST_F(map, no_such_process)
{
	ASSERT_EQ(0, TOOL_RUN(&self->tool, "map", "4000000"));
	EXPECT_EQ(4, self->tool.code);
	EXPECT_NE(NULL, strstr(self->tool.err, "there is no process 4000000"));
}

TEST_HARNESS_MAIN
