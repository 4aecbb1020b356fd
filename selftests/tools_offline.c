// SPDX-License-Identifier: GPL-2.0
/* pinprobe explain on memory that is to be taken away, and is held. */
#include "explain_blocker.h"

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

static void check_held(struct __test_metadata *_metadata, struct explained *seen,
		       json_object *call)
{
	EXPECT_STREQ("OFFLINE", tool_string(call, "verdict"));
	EXPECT_LT(0, tool_number(call, "migrations/failed"));
	EXPECT_STREQ("memory_hotplug", tool_string(call, "migrations/reason"));
	EXPECT_STREQ("Movable", tool_string(call, "pages/0/zone"));
	check_hoarder(_metadata, seen, call);
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
	EXPLAIN_BLOCKER(script);
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
