// SPDX-License-Identifier: GPL-2.0
/* pinprobe explain on memory that is to be taken away, and is held. */
#include <string.h>
#include "kselftest_harness.h"
#include "lib/explained.h"

FIXTURE(offline)
{
	struct explained seen;
	char victim[512];
};

FIXTURE_SETUP(offline)
{
	beside(self->victim, sizeof(self->victim), "explain_blocker");
}

FIXTURE_TEARDOWN(offline)
{
	explained_free(&self->seen);
}

/* So long the page was held before it was in anybody's way. */
#define HELD_MS		300

static void check_held(struct __test_metadata *_metadata, struct explained *seen,
		       json_object *call)
{
	EXPECT_STREQ("OFFLINE", tool_string(call, "verdict"));
	EXPECT_STREQ("permanent", tool_string(call, "lasting"));
	EXPECT_LT(0, tool_number(call, "migrations/failed"));
	EXPECT_STREQ("memory_hotplug", tool_string(call, "migrations/reason"));
	EXPECT_EQ(explained_said(seen, "frame"),
		  strtoull(tool_string(call, "pages/0/pfn"), NULL, 16));
	EXPECT_STREQ("Movable", tool_string(call, "pages/0/zone"));
	EXPECT_EQ(1, tool_number(call, "pages/0/extra_refs"));
	EXPECT_STREQ("hoarder", tool_string(call, "holders/0/comm"));
	EXPECT_NE(NULL, strstr(tool_string(call, "holders/0/caller"), "vmsplice"));
	EXPECT_EQ(explained_said(seen, "hoarder"),
		  tool_number(call, "holders/0/pid"));
	EXPECT_TRUE(explained_age(seen, call, HELD_MS))
		TH_LOG("%ld ns", (long)tool_number(call, "holders/0/age_ns"));
}

TEST_F_TIMEOUT(offline, block, 200)
{
	struct explained *seen = &self->seen;
	char script[2048];
	json_object *call;
	size_t times;

	snprintf(script, sizeof(script),
		 "%1$s block_held && %1$s block_free && %1$s block_kernel",
		 self->victim);
	ASSERT_EQ(0, EXPLAINED_RUN(seen, "sh", "-c", script));
	ASSERT_EQ(NULL, strstr(seen->tool.err, "exit code"))
		TH_LOG("%s", seen->tool.err);
	ASSERT_EQ(1, seen->tool.code);
	ASSERT_NE(0, explained_said(seen, "frame"));
	/* While it goes on, and when it was interrupted. */
	call = explained_of(seen, "block_held", &times);
	ASSERT_EQ(2, times);
	check_held(_metadata, seen, call);
	EXPECT_EQ(1, json_object_get_boolean(tool_at(call, "hanging")));
	call = explained_next(seen, call);
	check_held(_metadata, seen, call);
	EXPECT_STREQ("EINTR", tool_string(call, "errno"));
	/* The negative one, and the one that no holder is to blame for. */
	EXPECT_EQ(NULL, explained_of(seen, "block_free", &times));
	call = explained_of(seen, "block_kernel", &times);
	ASSERT_EQ(1, times);
	EXPECT_STREQ("OFFLINE", tool_string(call, "verdict"));
	EXPECT_NE(NULL, strstr(tool_string(call, "text"), "cannot be moved at all"))
		TH_LOG("%s", tool_string(call, "text"));
	EXPECT_EQ(NULL, tool_at(call, "holders/0"));
}

TEST_HARNESS_MAIN
