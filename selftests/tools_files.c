// SPDX-License-Identifier: GPL-2.0
/*
 * pinprobe explain on memory of files and of storage: what each layer said, and
 * that it is the errno that the program got.
 */
#include <string.h>
#include "kselftest_harness.h"
#include "lib/explained.h"
#include "lib/kernel.h"

FIXTURE(files)
{
	struct explained seen;
	char victim[512];
};

FIXTURE_SETUP(files)
{
	beside(self->victim, sizeof(self->victim), "explain_files");
}

FIXTURE_TEARDOWN(files)
{
	explained_free(&self->seen);
}

/* Names as in explain_files.c. */
struct expected {
	const char *name;
	const char *verdict;	/* NULL: it succeeds, and nothing is told */
	const char *error;
	const char *text;	/* in the sentence */
	const char *layers[3];	/* that failed with this errno */
	const char *absent;	/* layer that was not reached */
};

#define REGION_FAILED	{ "system call", "ib_umem_get", "pin" }
#define LIMIT_FAILED	{ "system call", "ib_umem_get" }
#define RULE		"since v6.5 (commit 8ac268436e6d)"

static const struct expected since_6_5[] = {
	{ "ext4", "FILE", "EFAULT", RULE, REGION_FAILED },
	{ "ext4_private" },
	{ "ext4_ring", "FILE", "EFAULT", RULE, { "system call", "io_uring", "pin" } },
	{ "fsdax", "DAX", "EOPNOTSUPP", "fsdax", REGION_FAILED },
	{ "fsdax_over", "LOCK", "ENOMEM", "64 kB", LIMIT_FAILED, "pin" },
	{ "devdax" },
	{ "devdax_over", "LOCK", "ENOMEM", "64 kB", LIMIT_FAILED, "pin" },
	{}
};

static const struct expected before[] = {
	{ "ext4" },
	{ "ext4_private" },
	{ "ext4_ring", "FILE", "EOPNOTSUPP", "before v6.5", { "system call", "io_uring" } },
	{ "fsdax", "DAX", "EOPNOTSUPP", "fsdax", REGION_FAILED },
	{ "fsdax_over", "LOCK", "ENOMEM", "64 kB", LIMIT_FAILED, "pin" },
	{ "devdax" },
	{ "devdax_over", "LOCK", "ENOMEM", "64 kB", LIMIT_FAILED, "pin" },
	{}
};

static void check(struct __test_metadata *_metadata, struct explained *seen,
		  const struct expected *e)
{
	int got = explained_said(seen, e->name);
	json_object *call;
	size_t times, i;

	call = explained_of(seen, e->name, &times);
	EXPECT_EQ(got != 0, times) TH_LOG("%s: %s", e->name, strerror(got));
	EXPECT_EQ(!e->verdict, !got) TH_LOG("%s: %s", e->name, strerror(got));
	if (!e->verdict || !call)
		return;
	EXPECT_STREQ(e->verdict, tool_string(call, "verdict"))
		TH_LOG("%s: %s", e->name, tool_string(call, "text"));
	EXPECT_NE(NULL, strstr(tool_string(call, "text"), e->text))
		TH_LOG("%s: %s", e->name, tool_string(call, "text"));
	EXPECT_STREQ(e->error, tool_string(call, "errno")) TH_LOG("%s", e->name);
	EXPECT_STREQ(strerrorname_np(got), tool_string(call, "errno"))
		TH_LOG("%s", e->name);
	for (i = 0; i < 3 && e->layers[i]; i++)
		EXPECT_STREQ(e->error, explained_errno(call, e->layers[i]))
			TH_LOG("%s: %s", e->name, e->layers[i]);
	if (e->absent)
		EXPECT_STREQ("no such layer", explained_errno(call, e->absent))
			TH_LOG("%s", e->name);
	if (!strcmp(e->name, "ext4_ring"))
		EXPECT_EQ(explained_said(seen, "iovec"),
			  strtoull(tool_string(call, "call/address"), NULL, 16));
}

TEST_F_TIMEOUT(files, table, 200)
{
	const struct expected *e = kernel_at_least(6, 5) ? since_6_5 : before;
	struct explained *seen = &self->seen;
	char script[4096] = "true";
	size_t i;

	for (i = 0; e[i].name; i++)
		snprintf(script + strlen(script), sizeof(script) - strlen(script),
			 " && %s %s", self->victim, e[i].name);
	ASSERT_EQ(0, EXPLAINED_RUN(seen, "sh", "-c", script));
	ASSERT_EQ(NULL, strstr(seen->tool.err, "exit code"))
		TH_LOG("%s", seen->tool.err);
	for (i = 0; e[i].name; i++)
		check(_metadata, seen, e + i);
}

TEST_HARNESS_MAIN
