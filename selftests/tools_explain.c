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

FIXTURE(explain)
{
	struct explained seen;
	char victim[512], counts[512], contracts[512];
};

FIXTURE_SETUP(explain)
{
	struct rxe rxe;

	if (access("/sys/kernel/btf/vmlinux", R_OK))
		SKIP(return, "no-btf");
	if (rxe_open(&rxe))
		SKIP(return, "no-rxe");
	rxe_close(&rxe);
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
	ASSERT_EQ(0, EXPLAINED_RUN(&self->seen, "sh", "-c", script));	\
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
	EXPECT_EQ(15, tool_number(call, "migrations/moved"));
	EXPECT_EQ(1, tool_number(call, "migrations/last_failed"));
	EXPECT_STREQ("longterm_pin", tool_string(call, "migrations/reason"));
	EXPECT_TRUE(lies_there(call));
	/* The one in the pipe: the sixth. */
	EXPECT_EQ(5 * 4096, strtoull(tool_string(call, "pages/0/address"), NULL, 16) -
		  strtoull(tool_string(call, "call/address"), NULL, 16));
	EXPECT_EQ(1, tool_number(call, "pages/0/extra_refs"));
	EXPECT_EQ(0, json_object_get_boolean(tool_at(call, "pages/0/pinned")));
	EXPECT_STREQ("reference", tool_string(call, "holders/0/kind"));
	EXPECT_NE(NULL, strstr(tool_string(call, "holders/0/caller"), "vmsplice"))
		TH_LOG("%s", tool_string(call, "holders/0/caller"));
	EXPECT_EQ(tool_number(call, "process/pid"),
		  tool_number(call, "holders/0/pid"));
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
	EXPECT_STREQ("transient", tool_string(call, "lasting"));
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

/* Whose pid and address, as words for pinprobe pin. */
static bool lender(const char *victim, char *where, size_t size)
{
	FILE *said;
	int ends[2];
	bool good;

	if (pipe(ends))
		return false;
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (dup2(ends[1], STDOUT_FILENO) >= 0)
			execl(victim, victim, "lend", NULL);
		_exit(127);
	}
	close(ends[1]);
	said = fdopen(ends[0], "r");
	good = said && fgets(where, size, said);
	if (said)
		fclose(said);
	where[strcspn(where, "\n")] = 0;
	return good;
}

/* audit around a pin of 64 MiB by the module: @option is pinprobe pin's. */
#define AUDIT(option) do {						\
	char command[200];						\
									\
	explained_free(&self->seen);							\
	snprintf(command, sizeof(command),				\
		 "pinprobe pin %s 64M " option " >/dev/null", where);	\
	ASSERT_EQ(0, TOOL_RUN(&self->seen.tool, "audit", "--json", "--", "sh", \
			      "-c", command));				\
	ASSERT_NE(NULL, self->seen.tool.json) TH_LOG("%s", self->seen.tool.err);	\
	EXPECT_LE(16384, tool_number(self->seen.tool.json, "pages_taken"));	\
	EXPECT_EQ(NULL, tool_at(self->seen.tool.json, "losses"));		\
} while (0)

/* The same memory in the same place: held without FOLL_LONGTERM, and with it. */
TEST_F_TIMEOUT(explain, audit, 200)
{
	json_object *caller;
	char where[64];

	if (!promise_made("cma") && !promise_made("movable"))
		SKIP(return, "not-this-profile: no unpinnable memory");
	ASSERT_TRUE(lender(self->victim, where, sizeof(where)));
	AUDIT("--for 3");
	EXPECT_EQ(1, self->seen.tool.code) TH_LOG("%s", self->seen.tool.out);
	/* What the module's function is called is not the same in every build. */
	caller = tool_find(self->seen.tool.json, "callers", "module", "pinprobe");
	ASSERT_NE(NULL, caller) TH_LOG("%s", self->seen.tool.out);
	EXPECT_LE(1, tool_number(caller, "violations"));
	EXPECT_LE(1, tool_number(caller, "pages"));
	EXPECT_GE(16384, tool_number(caller, "pages"));
	EXPECT_LE(1000000000, tool_number(caller, "longest_ns"));
	EXPECT_STREQ("pinprobe", tool_string(caller, "comm"));
	AUDIT("--for 1 --longterm");
	EXPECT_EQ(0, self->seen.tool.code) TH_LOG("%s", self->seen.tool.out);
	EXPECT_EQ(0, tool_number(self->seen.tool.json, "violations"));
	/* It is about pins without FOLL_LONGTERM alone, ended ones too. */
	EXPECT_EQ(NULL, tool_find(self->seen.tool.json, "callers", "module",
				  "pinprobe"));
}

TEST_HARNESS_MAIN
