// SPDX-License-Identifier: GPL-2.0
/*
 * pinprobe explain where a node is all ZONE_MOVABLE: no place to go and a reference
 * too many come apart, and so do a loop and a wait.
 */
#include <string.h>
#include "kselftest_harness.h"
#include "lib/explained.h"

FIXTURE(shortage)
{
	struct explained seen;
	char victim[512], hang[512];
};

FIXTURE_SETUP(shortage)
{
	beside(self->victim, sizeof(self->victim), "explain_shortage");
	beside(self->hang, sizeof(self->hang), "explain_hang");
}

FIXTURE_TEARDOWN(shortage)
{
	explained_free(&self->seen);
}

static void check_no_target(struct __test_metadata *_metadata,
			    struct explained *seen)
{
	size_t times;
	json_object *call = explained_of(seen, "no_target", &times);

	ASSERT_EQ(1, times);
	EXPECT_STREQ("TARGET", tool_string(call, "verdict"))
		TH_LOG("%s", tool_string(call, "text"));
	EXPECT_STREQ("ENOMEM", tool_string(call, "errno"));
	EXPECT_EQ(0, tool_number(call, "pages/0/extra_refs"));
	EXPECT_EQ(NULL, tool_at(call, "holders/0"));
}

static void check_held(struct __test_metadata *_metadata, struct explained *seen)
{
	size_t times;
	json_object *call = explained_of(seen, "held", &times);

	ASSERT_EQ(1, times);
	EXPECT_STREQ("REFS", tool_string(call, "verdict"));
	EXPECT_STREQ("ENOMEM", tool_string(call, "errno"));
	EXPECT_EQ(explained_said(seen, "frame"),
		  strtoull(tool_string(call, "pages/0/pfn"), NULL, 16));
	EXPECT_STREQ("held", tool_string(call, "holders/0/comm"))
		TH_LOG("%s", json_object_to_json_string(call));
}

static void check_hanging(struct __test_metadata *_metadata, json_object *call,
			  uint64_t frame)
{
	ASSERT_NE(0, frame);
	EXPECT_EQ(1, json_object_get_boolean(tool_at(call, "hanging")));
	EXPECT_EQ(frame, strtoull(tool_string(call, "pages/0/pfn"), NULL, 16));
	EXPECT_STREQ("Movable", tool_string(call, "pages/0/zone"));
	EXPECT_EQ(1, tool_number(call, "pages/0/node"));
}

/* While it goes round, and when it was killed. */
static void check_isolated(struct __test_metadata *_metadata,
			   struct explained *seen)
{
	size_t times;
	json_object *call = explained_of(seen, "isolated", &times);

	ASSERT_EQ(2, times);
	check_hanging(_metadata, call, explained_said(seen, "isolated"));
	EXPECT_STREQ("SPIN", tool_string(call, "verdict"));
	EXPECT_NE(NULL, strstr(tool_string(call, "text"), "collect loop: 1 folio"))
		TH_LOG("%s", tool_string(call, "text"));
	call = explained_next(seen, call);
	ASSERT_NE(NULL, call);
	EXPECT_STREQ("SPIN", tool_string(call, "verdict"))
		TH_LOG("%s", tool_string(call, "text"));
	EXPECT_STREQ("EINTR", tool_string(call, "errno"));
	EXPECT_EQ(explained_said(seen, "isolated"),
		  strtoull(tool_string(call, "pages/0/pfn"), NULL, 16));
}

/* While it sleeps; it succeeds as soon as the disk answers. */
static void check_written(struct __test_metadata *_metadata,
			  struct explained *seen)
{
	size_t times;
	json_object *call = explained_of(seen, "written", &times);

	ASSERT_EQ(1, times);
	check_hanging(_metadata, call, explained_said(seen, "written"));
	EXPECT_STREQ("WAIT", tool_string(call, "verdict"));
	EXPECT_STREQ("transient", tool_string(call, "lasting"));
	EXPECT_NE(NULL, strstr(tool_string(call, "text"), "1 page that had to move is written back"))
		TH_LOG("%s", tool_string(call, "text"));
}

TEST_F_TIMEOUT(shortage, pairs, 200)
{
	struct explained *seen = &self->seen;
	char script[3072];

	snprintf(script, sizeof(script),
		 "%1$s no_target && %1$s held && %2$s isolated && %2$s written",
		 self->victim, self->hang);
	ASSERT_EQ(0, EXPLAINED_RUN(seen, "sh", "-c", script));
	ASSERT_EQ(NULL, strstr(seen->tool.err, "exit code"))
		TH_LOG("%s", seen->tool.err);
	check_no_target(_metadata, seen);
	check_held(_metadata, seen);
	check_isolated(_metadata, seen);
	check_written(_metadata, seen);
}

TEST_HARNESS_MAIN
