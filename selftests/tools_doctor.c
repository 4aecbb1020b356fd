// SPDX-License-Identifier: GPL-2.0
/* pinprobe doctor, as a user runs it, against the guest that it describes. */
#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include "kselftest_harness.h"
#include "lib/memory.h"
#include "lib/privilege.h"
#include "lib/promise.h"
#include "lib/rxe.h"
#include "lib/tool.h"
#include "lib/zones.h"

#define MIB	(1UL << 20)

FIXTURE(doctor)
{
	struct tool tool;
};

FIXTURE_SETUP(doctor)
{
}

FIXTURE_TEARDOWN(doctor)
{
	tool_free(&self->tool);
}

/* It ends with 0, 1 or 3 where it could tell, and its JSON is whole. */
#define EXAMINE(...) do {						\
	tool_free(&self->tool);						\
	ASSERT_EQ(0, TOOL_RUN(&self->tool, "doctor", "--json", ##__VA_ARGS__));	\
	ASSERT_NE(NULL, self->tool.json) TH_LOG("exit %d: %s",		\
		self->tool.code, self->tool.err);			\
} while (0)

static json_object *finding(const struct tool *tool, const char *id)
{
	return tool_find(tool->json, "findings", "id", id);
}

static const char *severity(const struct tool *tool, const char *id)
{
	return tool_string(finding(tool, id), "severity");
}

/* kB, or -1 without such a line. */
static int64_t meminfo_kb(const char *key)
{
	FILE *file = fopen("/proc/meminfo", "re");
	int64_t kb = -1, value;
	char line[128], name[64];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%63[^:]: %" SCNd64, name, &value) == 2 &&
		    !strcmp(name, key))
			kb = value;
	if (file)
		fclose(file);
	return kb;
}

TEST_F(doctor, host_is_this_one)
{
	struct utsname name;

	ASSERT_EQ(0, uname(&name));
	EXAMINE();
	EXPECT_STREQ(name.release, tool_string(self->tool.json, "kernel"));
	EXPECT_STREQ(name.machine, tool_string(self->tool.json, "machine"));
	EXPECT_EQ(page_size() >> 10,
		  tool_number(self->tool.json, "memory/page_kb"));
	EXPECT_EQ(meminfo_kb("MemTotal"),
		  tool_number(self->tool.json, "memory/total_kb"));
}

/* Without CONFIG_CMA there is no such line, and no such number. */
TEST_F(doctor, cma_total_is_meminfos)
{
	int64_t total = meminfo_kb("CmaTotal");

	EXAMINE();
	EXPECT_EQ(total, tool_number(self->tool.json, "memory/cma_total_kb"));
	EXPECT_EQ(zones_cma_pages() * (int64_t)page_size() >> 10,
		  tool_number(self->tool.json, "memory/cma_pageblocks_kb"));
	EXPECT_EQ(total > 0, !!finding(&self->tool, "cma"));
}

TEST_F(doctor, zones_are_those_of_zoneinfo)
{
	FILE *file = fopen("/proc/zoneinfo", "re");
	char line[128], path[64], name[32];
	int64_t managed;
	int node, nr = 0;

	ASSERT_NE(NULL, file);
	EXAMINE();
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "Node %d, zone %31s", &node, name) == 2)
			nr++;
		if (sscanf(line, " managed %" SCNd64, &managed) != 1)
			continue;
		ASSERT_LT(0, nr);
		snprintf(path, sizeof(path), "memory/zones/%d", nr - 1);
		json_object *zone = tool_at(self->tool.json, path);

		EXPECT_EQ(node, tool_number(zone, "node"));
		EXPECT_STREQ(name, tool_string(zone, "zone"));
		EXPECT_EQ(managed * (int64_t)page_size() >> 10,
			  tool_number(zone, "managed_kb"));
	}
	fclose(file);
	EXPECT_LT(0, nr);
	snprintf(path, sizeof(path), "memory/zones/%d", nr);
	EXPECT_EQ(NULL, tool_at(self->tool.json, path));
}

/* What a profile makes of memory, and what must and must not be found then. */
static const struct {
	const char *profile;
	const char *must;
	const char *must_not;
} profiles[] = {
	{ "cma", "cma", "hidden-cma zone-movable node-unpinnable online-movable" },
	{ "movable", "zone-movable", "cma hidden-cma node-unpinnable" },
	{ "none", "", "cma cma-first hidden-cma zone-movable node-unpinnable" },
	{ "hugetlb-cma", "cma", "hidden-cma zone-movable node-unpinnable" },
	{ "hugetlb-cma-numa", "cma", "hidden-cma zone-movable node-unpinnable" },
	{ "kho", "hidden-cma", "cma zone-movable node-unpinnable" },
	{ "hotplug", "zone-movable", "cma hidden-cma node-unpinnable" },
	{ "movable-node", "zone-movable node-unpinnable", "cma hidden-cma" },
	{ "viommu", "cma", "hidden-cma zone-movable node-unpinnable" },
	{ "viommu-movable", "zone-movable", "cma hidden-cma node-unpinnable" },
	{ "dax", "", "cma cma-first hidden-cma zone-movable" },
	{ }
};

/* Calls fn for each word. */
static void each_word(const char *words, void (*fn)(void *ctx, const char *word),
		      void *ctx)
{
	char *copy = strdup(words), *next = copy, *word;

	while ((word = strsep(&next, " ")))
		if (*word)
			fn(ctx, word);
	free(copy);
}

struct wanted {
	const struct tool *tool;
	bool there;
	char wrong[256];
};

static void look_for(void *ctx, const char *id)
{
	struct wanted *wanted = ctx;

	if (!!finding(wanted->tool, id) != wanted->there)
		snprintf(wanted->wrong, sizeof(wanted->wrong), "%s is%s there",
			 id, wanted->there ? " not" : "");
}

TEST_F(doctor, findings_of_the_profile)
{
	struct wanted wanted = { .tool = &self->tool };
	int i = 0;

	while (profiles[i].profile && !promise_profile(profiles[i].profile))
		i++;
	if (!profiles[i].profile)
		SKIP(return, "not-this-profile: it promises nothing");
	EXAMINE();
	wanted.there = true;
	each_word(profiles[i].must, look_for, &wanted);
	wanted.there = false;
	each_word(profiles[i].must_not, look_for, &wanted);
	EXPECT_STREQ("", wanted.wrong) TH_LOG("%s", self->tool.out);
}

TEST_F(doctor, exit_code_is_that_of_the_worst)
{
	EXAMINE();
	EXPECT_EQ(tool_find(self->tool.json, "findings", "severity", "critical") ? 3 :
		  tool_find(self->tool.json, "findings", "severity", "warning") ? 1 : 0,
		  self->tool.code);
	if (promise_profile("kho"))
		EXPECT_EQ(3, self->tool.code);
}

/* This process's limit; children inherit it, and the command is one. */
static int limit(rlim_t bytes)
{
	const struct rlimit limit = { bytes, bytes };

	return setrlimit(RLIMIT_MEMLOCK, &limit) ? -errno : 0;
}

/* For good, for what it executes too. */
static int bound_by_limits(void)
{
	if (prctl(PR_CAPBSET_DROP, CAP_IPC_LOCK))
		return -errno;
	return privilege_drop(CAP_IPC_LOCK);
}

TEST_F(doctor, memlock_is_the_limit)
{
	ASSERT_EQ(0, limit(96 * MIB));
	EXAMINE();
	EXPECT_EQ(96 * MIB, tool_number(self->tool.json, "processes/0/memlock_bytes"));
	/* Who has CAP_IPC_LOCK has no limit. */
	EXPECT_STREQ("yes", tool_string(self->tool.json, "processes/0/cap_ipc_lock"));
	EXPECT_EQ(NULL, finding(&self->tool, "memlock-finite"));
	EXPECT_EQ(NULL, finding(&self->tool, "memlock-small"));
}

TEST_F(doctor, memlock_binds_without_the_capability)
{
	ASSERT_EQ(0, limit(RLIM_INFINITY));
	ASSERT_EQ(0, bound_by_limits());
	EXAMINE();
	EXPECT_STREQ("no", tool_string(self->tool.json, "processes/0/cap_ipc_lock"));
	EXPECT_STREQ("unlimited",
		     tool_string(self->tool.json, "processes/0/memlock_bytes"));
	EXPECT_EQ(NULL, finding(&self->tool, "memlock-finite"));
	ASSERT_EQ(0, limit(96 * MIB));
	EXAMINE();
	EXPECT_STREQ("note", severity(&self->tool, "memlock-finite"));
	ASSERT_EQ(0, limit(8 * MIB));
	EXAMINE();
	EXPECT_STREQ("warning", severity(&self->tool, "memlock-small"));
	EXPECT_NE(0, self->tool.code);
	EXPECT_STREQ("LOCK", tool_string(finding(&self->tool, "memlock-small"),
					 "verdict"));
}

/* Another process's use: pages of a region are VmPin, not VmLck. */
TEST_F(doctor, pinned_memory_of_a_process)
{
	size_t len = 64 * page_size();
	char *map = memory_touched(len), pid[16];
	struct ibv_mr *mr;
	struct rxe rxe;

	ASSERT_NE(NULL, map);
	ASSERT_EQ(0, rxe_open(&rxe));
	mr = ibv_reg_mr(rxe.pd, map, len, IBV_ACCESS_LOCAL_WRITE);
	ASSERT_NE(NULL, mr);
	snprintf(pid, sizeof(pid), "%d", getpid());
	EXAMINE("--pid", pid);
	EXPECT_EQ(getpid(), tool_number(self->tool.json, "processes/1/pid"));
	EXPECT_EQ(len >> 10, tool_number(self->tool.json, "processes/1/pinned_kb"));
	EXPECT_EQ(0, tool_number(self->tool.json, "processes/1/locked_kb"));
	EXPECT_EQ(0, ibv_dereg_mr(mr));
	EXAMINE("--pid", pid);
	EXPECT_EQ(0, tool_number(self->tool.json, "processes/1/pinned_kb"));
	rxe_close(&rxe);
}

static int64_t in_use(const struct tool *tool, const char *what)
{
	json_object *device = tool_find(tool->json, "rdma", "name", "rxe0");
	char path[64];

	snprintf(path, sizeof(path), "resources/%s/used", what);
	return tool_number(device, path);
}

TEST_F(doctor, rdma_device_and_its_use)
{
	char *map = memory_touched(page_size());
	struct ibv_device_attr attr;
	int64_t before, max;
	struct ibv_mr *mr;
	struct rxe rxe;

	ASSERT_NE(NULL, map);
	ASSERT_EQ(0, rxe_open(&rxe));
	EXAMINE();
	json_object *device = tool_find(self->tool.json, "rdma", "name", "rxe0");

	ASSERT_NE(NULL, device);
	EXPECT_STREQ("yes", tool_string(device, "uverbs"));
	EXPECT_EQ(NULL, finding(&self->tool, "no-uverbs"));
	ASSERT_EQ(0, ibv_query_device(rxe.context, &attr));
	/* The kernel tells it from v7.3 on. */
	max = tool_number(device, "resources/mr/max");
	if (max >= 0)
		EXPECT_EQ(attr.max_mr, max);
	before = in_use(&self->tool, "mr");
	EXPECT_LE(0, before);
	EXPECT_LE(1, in_use(&self->tool, "pd"));
	mr = ibv_reg_mr(rxe.pd, map, page_size(), IBV_ACCESS_LOCAL_WRITE);
	ASSERT_NE(NULL, mr);
	EXAMINE();
	EXPECT_EQ(before + 1, in_use(&self->tool, "mr"));
	EXPECT_EQ(0, ibv_dereg_mr(mr));
	rxe_close(&rxe);
}

/* What a user who is not root is told, and what is said not to have been seen. */
TEST_F(doctor, as_nobody)
{
	ASSERT_EQ(0, privilege_become_nobody());
	EXAMINE();
	EXPECT_EQ(meminfo_kb("CmaTotal"),
		  tool_number(self->tool.json, "memory/cma_total_kb"));
	EXPECT_LE(0, in_use(&self->tool, "mr"));
	EXPECT_EQ(-1, tool_number(self->tool.json, "memory/cma_pageblocks_kb"));
	EXPECT_STREQ("note", severity(&self->tool, "pagetypeinfo-unread"));
	EXPECT_STREQ("not allowed",
		     tool_string(tool_find(self->tool.json, "missing", "path",
					   "/proc/pagetypeinfo"), "state"));
}

TEST_F(doctor, metrics)
{
	int64_t total = meminfo_kb("CmaTotal");
	char line[96];

	ASSERT_EQ(0, TOOL_RUN(&self->tool, "doctor", "--prometheus"));
	snprintf(line, sizeof(line), "\npinprobe_cma_registered_bytes %" PRId64 "\n",
		 total < 0 ? 0 : total << 10);
	EXPECT_NE(NULL, strstr(self->tool.out, line)) TH_LOG("no %s", line);
}

TEST_F(doctor, page)
{
	ASSERT_EQ(0, TOOL_RUN(&self->tool, "doctor"));
	EXPECT_EQ(self->tool.out, strstr(self->tool.out, "pinprobe doctor: Linux "));
	EXPECT_EQ(NULL, strchr(self->tool.out, '\033'));
	EXPECT_STREQ("", self->tool.err);
}

TEST_HARNESS_MAIN
