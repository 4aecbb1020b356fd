// SPDX-License-Identifier: GPL-2.0
/*
 * pinprobe explain where a node is all ZONE_MOVABLE: no place to go and a reference
 * too many come apart.
 */
#include <string.h>
#include "kselftest_harness.h"
#include "lib/explained.h"

FIXTURE(shortage)
{
	struct explained seen;
	char victim[512];
};

FIXTURE_SETUP(shortage)
{
	beside(self->victim, sizeof(self->victim), "explain_shortage");
}

FIXTURE_TEARDOWN(shortage)
{
	explained_free(&self->seen);
}

TEST_F_TIMEOUT(shortage, pairs, 200)
{
	struct explained *seen = &self->seen;
	char script[2048];
	json_object *call;
	size_t times;

	snprintf(script, sizeof(script), "%1$s no_target && %1$s held",
		 self->victim);
	ASSERT_EQ(0, EXPLAINED_RUN(seen, "sh", "-c", script));
	ASSERT_EQ(NULL, strstr(seen->tool.err, "exit code"))
		TH_LOG("%s", seen->tool.err);
	call = explained_of(seen, "no_target", &times);
	ASSERT_EQ(1, times);
	EXPECT_STREQ("TARGET", tool_string(call, "verdict"))
		TH_LOG("%s", tool_string(call, "text"));
	EXPECT_STREQ("ENOMEM", tool_string(call, "errno"));
	EXPECT_EQ(0, tool_number(call, "pages/0/extra_refs"));
	EXPECT_EQ(NULL, tool_at(call, "holders/0"));
	call = explained_of(seen, "held", &times);
	ASSERT_EQ(1, times);
	EXPECT_STREQ("REFS", tool_string(call, "verdict"));
	EXPECT_STREQ("ENOMEM", tool_string(call, "errno"));
	EXPECT_EQ(explained_said(seen, "frame"),
		  strtoull(tool_string(call, "pages/0/pfn"), NULL, 16));
	EXPECT_STREQ("held", tool_string(call, "holders/0/comm"));
}

TEST_HARNESS_MAIN
