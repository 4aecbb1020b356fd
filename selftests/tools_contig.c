// SPDX-License-Identifier: GPL-2.0
/* pinprobe explain on memory in one piece that cannot be had. */
#include "explain_blocker.h"

FIXTURE(contig)
{
	struct explained seen;
	char victim[512];
};

FIXTURE_SETUP(contig)
{
	beside(self->victim, sizeof(self->victim), "explain_blocker");
}

FIXTURE_TEARDOWN(contig)
{
	explained_free(&self->seen);
}

static void check_held(struct __test_metadata *_metadata, struct explained *seen,
		       json_object *call)
{
	EXPECT_STREQ("CONTIG", tool_string(call, "verdict"));
	EXPECT_EQ(NULL, strstr(tool_string(call, "text"), "not a pin problem"));
	EXPECT_STREQ("ENOMEM", explained_errno(call, "cma_alloc"));
	EXPECT_STREQ("hugetlb0", tool_string(call, "call/area"));
	EXPECT_EQ(262144, tool_number(call, "call/area_pages"));
	EXPECT_STREQ("contig_range", tool_string(call, "migrations/reason"));
	check_hoarder(_metadata, seen, call);
}

TEST_F_TIMEOUT(contig, area, 250)
{
	struct explained *seen = &self->seen;
	char script[2048];
	json_object *call;
	size_t times;

	snprintf(script, sizeof(script), "%1$s area_held && %1$s area_small",
		 self->victim);
	EXPLAIN_BLOCKER(script);
	call = explained_of(seen, "area_held", &times);
	ASSERT_EQ(1, times);
	check_held(_metadata, seen, call);
	call = explained_of(seen, "area_small", &times);
	ASSERT_EQ(1, times);
	EXPECT_STREQ("CONTIG", tool_string(call, "verdict"));
	EXPECT_NE(NULL, strstr(tool_string(call, "text"), "not a pin problem"))
		TH_LOG("%s", tool_string(call, "text"));
	EXPECT_NE(NULL, strstr(tool_string(call, "remedies/0"), "ask for less"))
		TH_LOG("%s", tool_string(call, "remedies/0"));
	EXPECT_EQ(NULL, tool_at(call, "pages/0"));
	EXPECT_EQ(NULL, tool_at(call, "holders/0"));
}

TEST_HARNESS_MAIN
