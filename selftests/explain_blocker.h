/* SPDX-License-Identifier: GPL-2.0 */
/* What explain has to say of who blocks memory, for the victims of explain_blocker. */
#ifndef SELFTESTS_EXPLAIN_BLOCKER_H
#define SELFTESTS_EXPLAIN_BLOCKER_H

#include <string.h>
#include "kselftest_harness.h"
#include "lib/explained.h"

/* So long the page was held before it was in anybody's way. */
#define HELD_MS		300

static inline void check_hoarder(struct __test_metadata *_metadata,
				 struct explained *seen, json_object *call)
{
	EXPECT_STREQ("permanent", tool_string(call, "lasting"));
	EXPECT_EQ(explained_said(seen, "frame"),
		  strtoull(tool_string(call, "pages/0/pfn"), NULL, 16));
	EXPECT_EQ(1, tool_number(call, "pages/0/extra_refs"));
	EXPECT_STREQ("hoarder", tool_string(call, "holders/0/comm"));
	EXPECT_NE(NULL, strstr(tool_string(call, "holders/0/caller"), "vmsplice"));
	EXPECT_EQ(explained_said(seen, "hoarder"),
		  tool_number(call, "holders/0/pid"));
	EXPECT_TRUE(explained_age(seen, call, HELD_MS))
		TH_LOG("%ld ns", (long)tool_number(call, "holders/0/age_ns"));
}

/* One session around some of its victims, of which something has to be told. */
#define EXPLAIN_BLOCKER(script) do {					\
	ASSERT_EQ(0, EXPLAINED_RUN(&self->seen, "sh", "-c", script));	\
	ASSERT_EQ(NULL, strstr(self->seen.tool.err, "exit code"))	\
		TH_LOG("%s", self->seen.tool.err);			\
	ASSERT_EQ(1, self->seen.tool.code);				\
	ASSERT_NE(0, explained_said(&self->seen, "frame"));		\
} while (0)

#endif /* SELFTESTS_EXPLAIN_BLOCKER_H */
