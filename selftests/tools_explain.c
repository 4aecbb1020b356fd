// SPDX-License-Identifier: GPL-2.0
/*
 * pinprobe explain and audit, as a user runs them, around programs that know
 * nothing of them: verdict, page and holder.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include "kselftest_harness.h"
#include "lib/explained.h"
#include "lib/kernel.h"
#include "lib/promise.h"
#include "lib/rxe.h"
#include "lib/verdict.h"
#include "lib/vmstat.h"

FIXTURE(explain)
{
	struct explained seen;
	char victim[512], counts[512], contracts[512];
};

FIXTURE_SETUP(explain)
{
	const char *cannot = rxe_cannot_be_followed();

	if (cannot)
		SKIP(return, "%s", cannot);
	beside(self->victim, sizeof(self->victim), "explain_victim");
	beside(self->counts, sizeof(self->counts), "explain_counts");
	beside(self->contracts, sizeof(self->contracts), "contracts");
}

FIXTURE_TEARDOWN(explain)
{
	explained_free(&self->seen);
}

/* Runs it around victims, which have to see what their scenarios want. */
#define EXPLAIN(script) do {						\
	int tries = 3;							\
									\
	do {								\
		explained_free(&self->seen);				\
		ASSERT_EQ(0, EXPLAINED_RUN(&self->seen, "sh", "-c", script)); \
	} while (explained_missed(&self->seen) && --tries);		\
	ASSERT_EQ(NULL, strstr(self->seen.tool.err, "not seen"))		\
		TH_LOG("%s", self->seen.tool.err);			\
	ASSERT_EQ(NULL, strstr(self->seen.tool.err, "exit code"))	\
		TH_LOG("%s", self->seen.tool.err);			\
	ASSERT_NE(NULL, self->seen.summary)				\
		TH_LOG("%s", self->seen.tool.err);			\
	EXPECT_EQ(NULL, tool_at(self->seen.summary, "summary/losses"));	\
} while (0)

/* A page of CMA or ZONE_MOVABLE, as the guest's profile has it. */
static bool lies_there(json_object *call)
{
	if (promise_made("movable"))
		return !strcmp(tool_string(call, "pages/0/zone"), "Movable");
	return !strcmp(tool_string(call, "pages/0/migratetype"), "CMA");
}

static void check_pipe(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("REFS", tool_string(call, "verdict"));
	EXPECT_STREQ("ENOMEM", tool_string(call, "errno"));
	EXPECT_STREQ("ENOMEM", explained_errno(call, "system call"));
	EXPECT_STREQ("ENOMEM", explained_errno(call, "ib_umem_get"));
	EXPECT_STREQ("ENOMEM", explained_errno(call, "pin"));
	EXPECT_STREQ("permanent", tool_string(call, "lasting"));
	EXPECT_STREQ("host anon", tool_string(call, "call/class"));
	EXPECT_EQ(65536, tool_number(call, "call/length"));
	EXPECT_EQ(1, json_object_get_boolean(tool_at(call, "call/longterm")));
	/* How many exactly is what the victim said. */
	EXPECT_GE(15, tool_number(call, "migrations/moved"));
	EXPECT_EQ(1, tool_number(call, "migrations/last_failed"));
	EXPECT_STREQ("longterm_pin", tool_string(call, "migrations/reason"));
	EXPECT_TRUE(lies_there(call));
	/* The one in the pipe: the sixth. */
	EXPECT_EQ(5 * 4096, strtoull(tool_string(call, "pages/0/address"), NULL, 16) -
		  strtoull(tool_string(call, "call/address"), NULL, 16));
	EXPECT_EQ(0, tool_number(call, "hidden_cma_kb"));
	EXPECT_EQ(1, tool_number(call, "pages/0/extra_refs"));
	EXPECT_EQ(0, json_object_get_boolean(tool_at(call, "pages/0/pinned")));
	EXPECT_STREQ("reference", tool_string(call, "holders/0/kind"));
	EXPECT_NE(NULL, strstr(tool_string(call, "holders/0/caller"), "vmsplice"))
		TH_LOG("%s", tool_string(call, "holders/0/caller"));
	EXPECT_EQ(tool_number(call, "process/pid"),
		  tool_number(call, "holders/0/pid"));
}

/* CMA that no area accounts for: how much, and what it comes from. */
static void check_hidden(struct __test_metadata *_metadata, json_object *call)
{
	int64_t area_kb = meminfo_kb("CmaTotal");

	EXPECT_STREQ("REFS", tool_string(call, "verdict"));
	EXPECT_STREQ("CMA", tool_string(call, "pages/0/migratetype"));
	EXPECT_LT(0, area_kb);
	EXPECT_EQ(area_kb, tool_number(call, "hidden_cma_kb"));
	EXPECT_NE(NULL, strstr(tool_string(call, "remedies/0"), "kho=off"))
		TH_LOG("%s", tool_string(call, "remedies/0"));
}

/* Nobody was there any more when it was looked at again. */
static void check_brief(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("REFS", tool_string(call, "verdict"));
	EXPECT_STREQ("ENOMEM", tool_string(call, "errno"));
	EXPECT_STREQ("transient", tool_string(call, "lasting"))
		TH_LOG("%s", json_object_to_json_string(call));
	EXPECT_EQ(1, json_object_get_boolean(tool_at(call, "pages/0/gone")));
	EXPECT_NE(NULL, strstr(tool_string(call, "remedies/0"), "try again"))
		TH_LOG("%s", tool_string(call, "remedies/0"));
}

static void check_another_process(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("REFS", tool_string(call, "verdict"));
	EXPECT_TRUE(lies_there(call));
	EXPECT_STREQ("hoarder", tool_string(call, "holders/0/comm"));
	EXPECT_NE(tool_number(call, "process/pid"),
		  tool_number(call, "holders/0/pid"));
	EXPECT_LT(0, tool_number(call, "holders/0/age_ns"));
}

static void check_memlock(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("LOCK", tool_string(call, "verdict"));
	EXPECT_STREQ("ENOMEM", tool_string(call, "errno"));
	EXPECT_EQ(32, tool_number(call, "memlock/limit_kb"));
	EXPECT_EQ(0, tool_number(call, "memlock/pinned_kb"));
	EXPECT_STREQ("no such layer", explained_errno(call, "pin"));
	EXPECT_EQ(0, tool_number(call, "migrations/calls"));
}

static void check_readonly(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("PERM", tool_string(call, "verdict"));
	EXPECT_STREQ("EFAULT", tool_string(call, "errno"));
}

static void check_access(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("NOT-MEMORY", tool_string(call, "verdict"));
	EXPECT_STREQ("EINVAL", tool_string(call, "errno"));
}

static void check_address(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("NOT-MEMORY", tool_string(call, "verdict"));
	EXPECT_STREQ("EFAULT", tool_string(call, "errno"));
}

/* Once while it hangs, and once when it was killed; 6.1 has no such loop. */
static void check_endless(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("SPIN", tool_string(call, "verdict"));
	EXPECT_EQ(1, json_object_get_boolean(tool_at(call, "hanging")));
	EXPECT_NE(NULL, strstr(tool_string(call, "text"), "unshare loop"))
		TH_LOG("%s", tool_string(call, "text"));
}

static void check_behind(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("DEV", tool_string(call, "verdict"));
	EXPECT_STREQ("EMFILE", tool_string(call, "errno"));
	EXPECT_NE(NULL, strstr(tool_string(call, "text"), "16 pages"))
		TH_LOG("%s", tool_string(call, "text"));
}

/* The process's own counter and limit, not those of whoever started it. */
static void check_twice(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("LOCK", tool_string(call, "verdict"));
	EXPECT_STREQ("ENOMEM", tool_string(call, "errno"));
	EXPECT_EQ(64, tool_number(call, "memlock/pinned_kb"));
	EXPECT_EQ(96, tool_number(call, "memlock/limit_kb"));
	EXPECT_EQ(0, json_object_get_boolean(tool_at(call, "memlock/exempt")));
	EXPECT_STREQ("no such layer", explained_errno(call, "pin"));
}

static void check_devices(struct __test_metadata *_metadata, json_object *call)
{
	check_twice(_metadata, call);
	EXPECT_STREQ("rxe1", tool_string(call, "call/device"));
}

/* No page was asked for: whatever memory does, it is innocent. */
static void check_dead(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("NOT-MEMORY", tool_string(call, "verdict"))
		TH_LOG("%s", json_object_to_json_string(call));
	EXPECT_STREQ("EIO", tool_string(call, "errno"));
	EXPECT_STREQ("no such layer", explained_errno(call, "pin"));
}

/* Both, each with its own error, though the second came while the first was in its call. */
static void check_crowded(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("EFAULT", tool_string(call, "errno"))
		TH_LOG("%s", json_object_to_json_string(call));
	EXPECT_STREQ("EFAULT", explained_errno(call, "pin"));
	EXPECT_EQ(8192, tool_number(call, "call/length"));
}

static void check_huge_flag(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("NOT-MEMORY", tool_string(call, "verdict"))
		TH_LOG("%s", json_object_to_json_string(call));
	EXPECT_STREQ("EOPNOTSUPP", tool_string(call, "errno"));
	EXPECT_STREQ("no such layer", explained_errno(call, "pin"));
}

static void check_device(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("PFNMAP", tool_string(call, "verdict"));
	EXPECT_STREQ("EFAULT", tool_string(call, "errno"));
	EXPECT_STREQ("device", tool_string(call, "call/class"));
}

/* Of several buffers the one that could not be had. */
static void check_buffers(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("NOT-MEMORY", tool_string(call, "verdict"));
	EXPECT_STREQ("EFAULT", tool_string(call, "errno"));
	EXPECT_STREQ("EFAULT", explained_errno(call, "io_uring"));
	EXPECT_EQ(8192, tool_number(call, "call/length"));
}

static void check_many(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("NOT-MEMORY", tool_string(call, "verdict"));
	EXPECT_STREQ("EFAULT", tool_string(call, "errno"));
}

static void check_racing(struct __test_metadata *_metadata, json_object *call)
{
	EXPECT_STREQ("REFS", tool_string(call, "verdict"));
	EXPECT_STREQ("ENOMEM", tool_string(call, "errno"));
	EXPECT_STREQ("transient", tool_string(call, "lasting"))
		TH_LOG("%s", json_object_to_json_string(call));
}

/* How often it is told follows from what the victims said. */
#define AS_SAID		(~(size_t)0)

struct victim {
	const char *name;
	void (*check)(struct __test_metadata *_metadata, json_object *call);
	size_t times;		/* that it is told */
	bool placed;		/* where there is unpinnable memory */
	const char *says;	/* for AS_SAID */
	bool counts;		/* it is one of explain_counts */
};

static const struct victim victims[] = {
	{ "pipe", check_pipe, 1, true },
	{ "hidden", check_hidden, 1, true },
	{ "brief", check_brief, 1, true },
	{ "another", check_another_process, 1, true },
	{ "memlock", check_memlock, 1 },
	{ "readonly", check_readonly, 1 },
	{ "access", check_access, 1 },
	{ "address", check_address, 1 },
	/* While it hangs, and when it has been killed. */
	{ "endless", check_endless, 2 },
	{ "behind", check_behind, 1 },
	{ "healthy", NULL, 0 },
	{ "twice", check_twice, 1, .counts = true },
	{ "devices", check_devices, 1, .counts = true },
	{ "dead", check_dead, 1, .counts = true },
	{ "crowded", check_crowded, 1, .counts = true },
	{ "hugeflag", check_huge_flag, AS_SAID, false, "refused", true },
	{ "device", check_device, AS_SAID, false, "bars", true },
	{ "buffers", check_buffers, 1, .counts = true },
	{ "racing", check_racing, AS_SAID, true, "raced", true },
	{ "many", check_many, AS_SAID, false, "failures", true },
};

#define VICTIMS	(sizeof(victims) / sizeof(*victims))

static bool can(const struct victim *victim)
{
	if (!strcmp(victim->name, "behind"))
		return !access("/dev/udmabuf", F_OK);
	if (!strcmp(victim->name, "hidden"))
		return promise_made("cma");
	/* What the second of them is on. */
	if (!strcmp(victim->name, "devices"))
		return !access("/m/dummy.ko", F_OK);
	/* Others wait for their users to close them. */
	if (!strcmp(victim->name, "dead"))
		return !access("/m/dummy.ko", F_OK) &&
		       !system("grep -q rxe_disassociate_ucontext /proc/kallsyms");
	return !victim->placed || promise_made("cma") || promise_made("movable");
}

static void check_victim(struct __test_metadata *_metadata,
			 struct explained *seen, const struct victim *victim)
{
	json_object *call;
	size_t times, wanted = victim->times;

	if (!can(victim))
		return;
	call = explained_of(seen, victim->name, &times);
	/* See Documentation/findings/thp-longterm-readonly-spin. */
	if (victim->check == check_endless && !kernel_at_least(6, 2) && !times)
		return;
	if (wanted == AS_SAID)
		wanted = explained_said(seen, victim->says);
	EXPECT_EQ(wanted, times) TH_LOG("%s", victim->name);
	if (call && victim->check)
		victim->check(_metadata, call);
}

/* The oracle of the contracts, which looks through the module, says the same. */
static void check_contracts(struct __test_metadata *_metadata,
			    struct explained *seen, const char *path)
{
	char line[512];
	size_t told, at = 0;
	json_object *call = explained_of(seen, "contracts", &told);
	size_t i = 0;
	FILE *f = fopen(path, "r");

	ASSERT_NE(NULL, f);
	while (i < seen->calls && seen->call[i] != call)
		i++;
	while (fgets(line, sizeof(line), f)) {
		char name[128], verdict[32], error[32];

		if (sscanf(line, "%127s measured %31s %31s", name, verdict,
			   error) != 3 || !strcmp(error, "ok"))
			continue;
		ASSERT_LT(at, told) TH_LOG("%s", line);
		call = seen->call[i + at++];
		EXPECT_STREQ(verdict, tool_string(call, "verdict"))
			TH_LOG("%s", name);
		EXPECT_STREQ(error, tool_string(call, "errno"))
			TH_LOG("%s", name);
	}
	fclose(f);
	EXPECT_LT(4, at);
	EXPECT_EQ(at, told);
}

#define OUTCOMES	"/tmp/outcomes"

/* All in one run, since hooking the kernel takes seconds in emulation. */
TEST_F_TIMEOUT(explain, victims, 280)
{
	struct explained *seen = &self->seen;
	char script[8192];
	json_object *call;
	char hole[32];
	size_t times, i;

	snprintf(script, sizeof(script),
		 "%s --outcomes --row 'rxe_mr*.write.anon*.none' >" OUTCOMES,
		 self->contracts);
	for (i = 0; i < VICTIMS; i++)
		if (can(victims + i))
			snprintf(script + strlen(script),
				 sizeof(script) - strlen(script), " && %s %s",
				 victims[i].counts ? self->counts : self->victim,
				 victims[i].name);
	EXPLAIN(script);
	EXPECT_EQ(1, seen->tool.code);
	EXPECT_EQ(seen->calls, tool_number(seen->summary, "summary/told"));
	for (i = 0; i < VICTIMS; i++)
		check_victim(_metadata, seen, victims + i);
	check_contracts(_metadata, seen, OUTCOMES);
	call = explained_of(seen, "pipe", &times);
	if (call)
		EXPECT_EQ(explained_said(seen, "moved"),
			  tool_number(call, "migrations/moved"));
	call = explained_of(seen, "congruent", &times);
	EXPECT_EQ(1, times);
	EXPECT_STREQ("EINVAL", tool_string(call, "errno"));
	call = explained_of(seen, "buffers", &times);
	ASSERT_NE(NULL, call);
	EXPECT_EQ(explained_said(seen, "iovec"),
		  strtoull(tool_string(call, "call/address"), NULL, 16));
	snprintf(hole, sizeof(hole), "at %#lx:",
		 (unsigned long)explained_said(seen, "iovec") + 4096);
	EXPECT_NE(NULL, strstr(tool_string(call, "text"), hole))
		TH_LOG("%s", tool_string(call, "text"));
}

/*
 * What was exercised, exactly; and nothing is told. What the process moves for
 * another purpose, compaction, is not what its registrations moved.
 */
TEST_F_TIMEOUT(explain, counts, 100)
{
	struct explained *seen = &self->seen;
	char script[600];

	snprintf(script, sizeof(script), "%s counted", self->counts);
	EXPLAIN(script);
	EXPECT_EQ(0, seen->tool.code);
	EXPECT_EQ(0, tool_number(seen->summary, "summary/told"));
	ASSERT_NE(0, explained_said(seen, "registrations"));
	EXPECT_EQ(explained_said(seen, "registrations"),
		  tool_number(seen->summary, "summary/calls"));
	EXPECT_EQ(explained_said(seen, "pages"),
		  tool_number(seen->summary, "summary/pages_pinned"));
	EXPECT_EQ(explained_said(seen, "moved"),
		  tool_number(seen->summary, "summary/pages_moved"));
	if (promise_made("cma") || promise_made("movable"))
		EXPECT_LT(0, explained_said(seen, "moved"));
	EXPECT_EQ(0, strncmp("memory is innocent",
			     tool_string(seen->summary, "summary/conclusion"), 18));
}

#define HELD_PAGES	16384

/*
 * audit around two that hold as much each, by the module, for longer than is allowed:
 * one without FOLL_LONGTERM, one with it.
 */
TEST_F_TIMEOUT(explain, audit, 200)
{
	struct tool *tool = &self->seen.tool;
	char script[1600];
	json_object *caller;
	int tries = 3;

	if (!promise_made("cma") && !promise_made("movable"))
		SKIP(return, "not-this-profile: no unpinnable memory");
	snprintf(script, sizeof(script),
		 "hold() { rm -f /tmp/lent$1; %s lend >/tmp/lent$1 & lender=$!; until read pid addr </tmp/lent$1; do sleep 0.1; done; pinprobe pin $pid $addr 64M --for 2 $1 >/dev/null; code=$?; kill $lender; return $code; }; hold --longterm & hold && wait $!",
		 self->victim);
	do {
		explained_free(&self->seen);
		ASSERT_EQ(0, TOOL_RUN(tool, "audit", "--json", "--", "sh", "-c", script));
		ASSERT_NE(NULL, tool->json) TH_LOG("%s", tool->err);
	} while (tool_number(tool->json, "runs_missed") > 0 && --tries);
	EXPECT_EQ(1, tool->code) TH_LOG("%s", tool->out);
	EXPECT_LE(2 * HELD_PAGES, tool_number(tool->json, "pages_taken"));
	EXPECT_EQ(NULL, tool_at(tool->json, "losses"));
	/* What the module's function is called is not the same in every build. */
	caller = tool_find(tool->json, "callers", "module", "pinprobe");
	ASSERT_NE(NULL, caller) TH_LOG("%s", tool->out);
	EXPECT_LE(1, tool_number(caller, "violations"));
	EXPECT_LE(1, tool_number(caller, "pages"));
	EXPECT_GE(HELD_PAGES, tool_number(caller, "pages"));
	EXPECT_LE(1000000000, tool_number(caller, "longest_ns"));
	EXPECT_STREQ("pinprobe", tool_string(caller, "comm"));
	/* Calls of the one that did not say so, and none of the other's. */
	EXPECT_EQ(HELD_PAGES / VERDICT_BATCH, tool_number(caller, "ended"))
		TH_LOG("%s", tool->out);
}

TEST_HARNESS_MAIN
