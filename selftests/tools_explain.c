// SPDX-License-Identifier: GPL-2.0
/*
 * pinprobe explain and audit, as a user runs them, around programs that know
 * nothing of them: verdict, page and holder.
 */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kselftest_harness.h"
#include "lib/kernel.h"
#include "lib/promise.h"
#include "lib/rxe.h"
#include "lib/tool.h"

#define CALLS	64

FIXTURE(explain)
{
	struct tool tool;
	char victim[512], contracts[512];
	struct json_object *call[CALLS];	/* what was told, in order */
	size_t calls;
	struct json_object *summary;
};

static void beside(char *path, size_t size, const char *name)
{
	char self[400] = "";

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) > 0)
		snprintf(path, size, "%s/%s", dirname(self), name);
}

FIXTURE_SETUP(explain)
{
	struct rxe rxe;

	if (rxe_open(&rxe))
		SKIP(return, "no-rxe");
	rxe_close(&rxe);
	beside(self->victim, sizeof(self->victim), "explain_victim");
	beside(self->contracts, sizeof(self->contracts), "contracts");
}

static void forget(struct _test_data_explain *self)
{
	while (self->calls)
		json_object_put(self->call[--self->calls]);
	json_object_put(self->summary);
	self->summary = NULL;
	tool_free(&self->tool);
	memset(&self->tool, 0, sizeof(self->tool));
}

FIXTURE_TEARDOWN(explain)
{
	forget(self);
}

/* One object a line; what the victim says is none. */
static void take_lines(struct _test_data_explain *self)
{
	char *line = self->tool.out, *next;

	for (; line && *line; line = next) {
		json_object *j, *unused;

		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		else
			next = line + strlen(line);
		j = *line == '{' ? json_tokener_parse(line) : NULL;
		if (j && json_object_object_get_ex(j, "summary", &unused))
			self->summary = j;
		else if (j && json_object_object_get_ex(j, "verdict", &unused) &&
			 self->calls < CALLS)
			self->call[self->calls++] = j;
		else
			json_object_put(j);
	}
}

/* Runs it around the victim, which has to see what its scenario wants. */
#define EXPLAIN(...) do {						\
	ASSERT_EQ(0, TOOL_RUN(&self->tool, "explain", "--json", "--hang", "1", \
			      "--", ##__VA_ARGS__));			\
	take_lines(self);						\
	ASSERT_EQ(NULL, strstr(self->tool.err, "not seen"))		\
		TH_LOG("%s", self->tool.err);				\
	ASSERT_EQ(NULL, strstr(self->tool.err, "exit code"))		\
		TH_LOG("%s", self->tool.err);				\
	ASSERT_NE(NULL, self->summary) TH_LOG("%s", self->tool.err);	\
	EXPECT_EQ(NULL, tool_at(self->summary, "summary/losses"));	\
} while (0)

static const char *errno_of(json_object *call, const char *layer)
{
	json_object *l = tool_find(call, "layers", "layer", layer);

	return l ? tool_string(l, "errno") : "no such layer";
}

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
	EXPECT_STREQ("ENOMEM", errno_of(call, "system call"));
	EXPECT_STREQ("ENOMEM", errno_of(call, "ib_umem_get"));
	EXPECT_STREQ("ENOMEM", errno_of(call, "pin"));
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
	EXPECT_STREQ("no such layer", errno_of(call, "pin"));
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

/* What was told of a victim, and how often. */
static json_object *told(struct _test_data_explain *self, const char *name,
			 size_t *times)
{
	json_object *found = NULL;
	size_t i;

	*times = 0;
	for (i = 0; i < self->calls; i++) {
		if (strcmp(tool_string(self->call[i], "process/comm"), name))
			continue;
		if (!found)
			found = self->call[i];
		++*times;
	}
	return found;
}

struct victim {
	const char *name;
	void (*check)(struct __test_metadata *_metadata, json_object *call);
	size_t times;		/* that it is told */
	bool placed;		/* where there is unpinnable memory */
};

static bool can(const struct victim *victim)
{
	if (!strcmp(victim->name, "behind"))
		return !access("/dev/udmabuf", F_OK);
	return !victim->placed || promise_made("cma") || promise_made("movable");
}

/* All in one run, since hooking the kernel takes seconds in emulation. */
TEST_F_TIMEOUT(explain, victims, 250)
{
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
	};
	char script[4096] = "true";
	size_t i, times;

	for (i = 0; i < sizeof(victims) / sizeof(*victims); i++)
		if (can(victims + i))
			snprintf(script + strlen(script),
				 sizeof(script) - strlen(script),
				 " && %s %s", self->victim, victims[i].name);
	EXPLAIN("sh", "-c", script);
	EXPECT_EQ(1, self->tool.code);
	EXPECT_LE(9 - 3, tool_number(self->summary, "summary/calls"));
	EXPECT_LE(16, tool_number(self->summary, "summary/pages_taken"));
	for (i = 0; i < sizeof(victims) / sizeof(*victims); i++) {
		json_object *call = told(self, victims[i].name, &times);

		if (!can(victims + i))
			continue;
		/* See Documentation/findings/thp-longterm-readonly-spin. */
		if (victims[i].check == check_endless && !kernel_at_least(6, 2) &&
		    !times)
			continue;
		EXPECT_EQ(victims[i].times, times) TH_LOG("%s", victims[i].name);
		if (call && victims[i].check)
			victims[i].check(_metadata, call);
	}
}

/* The oracle of the contracts, which looks through the module, says the same. */
TEST_F_TIMEOUT(explain, agrees_with_the_contracts, 250)
{
	char line[512], command[2048];
	size_t at = 0;
	FILE *f;

	snprintf(command, sizeof(command),
		 "%s --outcomes --row 'rxe_mr*.write.anon*.none' >/tmp/outcomes",
		 self->contracts);
	EXPLAIN("sh", "-c", command);
	f = fopen("/tmp/outcomes", "r");
	ASSERT_NE(NULL, f);
	while (fgets(line, sizeof(line), f)) {
		char name[128], verdict[32], error[32];

		if (sscanf(line, "%127s measured %31s %31s", name, verdict,
			   error) != 3 || !strcmp(error, "ok"))
			continue;
		ASSERT_LT(at, self->calls) TH_LOG("%s", line);
		EXPECT_STREQ(verdict, tool_string(self->call[at], "verdict"))
			TH_LOG("%s", name);
		EXPECT_STREQ(error, tool_string(self->call[at], "errno"))
			TH_LOG("%s", name);
		at++;
	}
	fclose(f);
	EXPECT_LT(4, at);
	EXPECT_EQ(at, self->calls);
}

/*
 * audit around a pin of 64 MiB that lasts three seconds, by the module: @option is
 * pinprobe pin's.
 */
#define AUDIT(option) do {						\
	char command[1600];						\
									\
	forget(self);							\
	snprintf(command, sizeof(command),				\
		 "rm -f /tmp/lent; %s lend >/tmp/lent & until read pid addr </tmp/lent; do sleep 0.1; done; pinprobe pin $pid $addr 64M --for 3 %s >/dev/null; code=$?; kill %%1; exit $code", \
		 self->victim, option);					\
	ASSERT_EQ(0, TOOL_RUN(&self->tool, "audit", "--json", "--", "sh", \
			      "-c", command));				\
	ASSERT_NE(NULL, self->tool.json) TH_LOG("%s", self->tool.err);	\
	EXPECT_LE(16384, tool_number(self->tool.json, "pages_taken"));	\
	EXPECT_EQ(NULL, tool_at(self->tool.json, "losses"));		\
} while (0)

/* The same memory in the same place: held without FOLL_LONGTERM, and with it. */
TEST_F_TIMEOUT(explain, audit, 200)
{
	json_object *caller;

	if (!promise_made("cma") && !promise_made("movable"))
		SKIP(return, "not-this-profile: no unpinnable memory");
	AUDIT("");
	EXPECT_EQ(1, self->tool.code) TH_LOG("%s", self->tool.out);
	/* What the module's function is called is not the same in every build. */
	caller = tool_find(self->tool.json, "callers", "module", "pinprobe");
	ASSERT_NE(NULL, caller) TH_LOG("%s", self->tool.out);
	EXPECT_LE(1, tool_number(caller, "violations"));
	EXPECT_LE(1, tool_number(caller, "pages"));
	EXPECT_GE(16384, tool_number(caller, "pages"));
	EXPECT_LE(1000000000, tool_number(caller, "longest_ns"));
	EXPECT_STREQ("pinprobe", tool_string(caller, "comm"));
	AUDIT("--longterm");
	EXPECT_EQ(0, self->tool.code) TH_LOG("%s", self->tool.out);
	EXPECT_EQ(0, tool_number(self->tool.json, "violations"));
	/* It is about pins without FOLL_LONGTERM alone, ended ones too. */
	EXPECT_EQ(NULL, tool_find(self->tool.json, "callers", "module",
				  "pinprobe"));
}

TEST_HARNESS_MAIN
