// SPDX-License-Identifier: GPL-2.0
/*
 * pinprobe explain where a node is all ZONE_MOVABLE: no place to go and a reference
 * too many come apart, and so do a page that cannot be isolated and one that is held.
 */
#include <string.h>
#include "kselftest_harness.h"
#include "lib/explained.h"

#define SPINNER	"longterm_isolated_spin"

FIXTURE(shortage)
{
	struct explained seen;
	char victim[512], spinner[512];
};

FIXTURE_SETUP(shortage)
{
	beside(self->victim, sizeof(self->victim), "explain_shortage");
	beside(self->spinner, sizeof(self->spinner), SPINNER);
}

FIXTURE_TEARDOWN(shortage)
{
	explained_free(&self->seen);
}

/* The only page of a buffer, by its address and where it lies. */
static void check_spin(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("SPIN", tool_string(call, "verdict"));
	EXPECT_EQ(1, json_object_get_boolean(tool_at(call, "hanging")));
	EXPECT_STREQ(tool_string(call, "call/address"),
		     tool_string(call, "pages/0/address"));
	EXPECT_STREQ("Movable", tool_string(call, "pages/0/zone"));
	EXPECT_EQ(1, tool_number(call, "pages/0/node"));
	EXPECT_EQ(NULL, strstr(tool_string(call, "text"), "unshare loop"))
		TH_LOG("%s", tool_string(call, "text"));
}

TEST_F_TIMEOUT(shortage, pairs, 200)
{
	struct explained *seen = &self->seen;
	char script[2048];
	json_object *call;
	size_t times;

	/* Where the kernel has the defect, the reproducer fails. */
	snprintf(script, sizeof(script), "%1$s no_target && %1$s held && { %2$s; :; }",
		 self->victim, self->spinner);
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
	/* Names of processes have fifteen letters. */
	call = explained_of(seen, "longterm_isolat", &times);
	EXPECT_LE(1, times);
	if (call)
		check_spin(_metadata, call);
}

TEST_HARNESS_MAIN
