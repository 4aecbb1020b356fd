// SPDX-License-Identifier: GPL-2.0
/*
 * pinprobe explain on pages that were taken before it was started: nobody was seen
 * taking them, and who has them is found in /proc all the same.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include "kselftest_harness.h"
#include "lib/child.h"
#include "lib/device.h"
#include "lib/memory.h"
#include "lib/promise.h"
#include "lib/rxe.h"
#include "lib/tool_live.h"

#define MIB	(1UL << 20)
#define AREA	(256 * MIB)
#define PIECES	(AREA / MIB)
#define PAGES	16
#define HELD	5	/* of the pages of a piece, the one that is held */

FIXTURE(before)
{
	struct child child[2];
	struct tool_live live;
	struct tool tool;
	struct json_object *call[2];
};

FIXTURE_SETUP(before)
{
	const char *cannot = rxe_cannot_be_followed();

	if (cannot)
		SKIP(return, "%s", cannot);
	if (!promise_made("cma") && !promise_made("movable"))
		SKIP(return, "not-this-profile: no unpinnable memory");
}

FIXTURE_TEARDOWN(before)
{
	json_object_put(self->call[0]);
	json_object_put(self->call[1]);
	tool_free(&self->tool);
}

/* For as long as the kernel is being hooked, which in emulation takes its time. */
static int hear(int sock, int *value)
{
	int tries, ret = -ETIMEDOUT;

	for (tries = 0; tries < 12 && ret == -ETIMEDOUT; tries++)
		ret = child_hear(sock, value, NULL);
	return ret;
}

/* Not every page of it lies where it must leave: until one does. */
static int registers(char *p, int error)
{
	struct rxe rxe;
	size_t at;

	if (rxe_open(&rxe))
		return 1;
	for (at = 0; at < AREA; at += MIB) {
		struct ibv_mr *mr = ibv_reg_mr(rxe.pd, p + at, PAGES * page_size(),
					       IBV_ACCESS_LOCAL_WRITE);

		if (!mr && errno == error)
			return 0;
		if (!mr || ibv_dereg_mr(mr))
			return 2;
	}
	return 3;
}

/* One page of each piece, all of them in one pipe. */
static bool fill(int pipe_end, char *p)
{
	size_t at;

	if (fcntl(pipe_end, F_SETPIPE_SZ, PIECES * page_size()) < 0)
		return false;
	for (at = 0; at < AREA; at += MIB) {
		struct iovec iov = { p + at + HELD * page_size(), page_size() };

		if (vmsplice(pipe_end, &iov, 1, 0) != (ssize_t)page_size())
			return false;
	}
	return true;
}

/* The pipe, and then a registration, and then it stays for as long as it is asked to. */
static int piper(int sock, void *arg)
{
	char *p = memory_touched(AREA);
	int ends[2], value, code;

	prctl(PR_SET_NAME, "piper");
	if (!p || pipe(ends) || !fill(ends[1], p) ||
	    child_say(sock, ends[0], -1) || hear(sock, &value))
		return 10;
	code = registers(p, ENOMEM);
	child_say(sock, code, -1);
	return hear(sock, &value) ? 11 : code;
}

/* The same with pins of the module, which say where they are. */
static int pinner(int sock, void *arg)
{
	char *p = memory_touched(AREA);
	int dev = device_open(), value, code;
	size_t at;

	prctl(PR_SET_NAME, "pinner");
	for (at = 0; p && dev >= 0 && at < AREA; at += MIB)
		if (device_pin(dev, p + at + HELD * page_size(), page_size(),
			       PINPROBE_CALL_PIN_FAST, 0, NULL) < 0)
			return 12;
	if (!p || dev < 0 || child_say(sock, dev, -1) ||
	    hear(sock, &value))
		return 10;
	code = registers(p, ENOMEM);
	child_say(sock, code, -1);
	return hear(sock, &value) ? 11 : code;
}

static const char *comm_of(json_object *call)
{
	return tool_string(call, "process/comm");
}

/* One object a line; of calls, one of each child. */
static void take_calls(struct _test_data_before *self)
{
	char *line, *next = self->tool.out;

	while ((line = strsep(&next, "\n"))) {
		json_object *j = *line ? json_tokener_parse(line) : NULL;

		if (!strcmp(comm_of(j), "piper") && !self->call[0])
			self->call[0] = j;
		else if (!strcmp(comm_of(j), "pinner") && !self->call[1])
			self->call[1] = j;
		else
			json_object_put(j);
	}
}

static void check(struct __test_metadata *_metadata, json_object *call,
		  const char *kind, const char *certainty, int fd)
{
	char words[64];

	EXPECT_STREQ("REFS", tool_string(call, "verdict"));
	EXPECT_STREQ("ENOMEM", tool_string(call, "errno"));
	EXPECT_EQ(NULL, tool_at(call, "holders/1"))
		TH_LOG("%s", tool_string(call, "holders/1/what"));
	EXPECT_EQ(tool_number(call, "process/pid"),
		  tool_number(call, "holders/0/pid"));
	EXPECT_STREQ(comm_of(call), tool_string(call, "holders/0/comm"));
	EXPECT_STREQ(kind, tool_string(call, "holders/0/kind"));
	EXPECT_STREQ(certainty, tool_string(call, "holders/0/certainty"));
	EXPECT_EQ(0, json_object_get_boolean(tool_at(call, "holders/0/seen")));
	EXPECT_EQ(NULL, tool_at(call, "holders/0/age_ns"));
	EXPECT_NE(NULL, strstr(tool_string(call, "holders/0/what"), "not watched"));
	snprintf(words, sizeof(words), "descriptor %d,", fd);
	EXPECT_TRUE(!fd || strstr(tool_string(call, "holders/0/what"), words))
		TH_LOG("%s", tool_string(call, "holders/0/what"));
}

TEST_F_TIMEOUT(before, taken_before_it_was_started, 200)
{
	int fd[2] = {}, code[2] = { -1, -1 }, i;
	char pids[32];

	ASSERT_EQ(0, child_start(&self->child[0], piper, NULL));
	ASSERT_EQ(0, child_start(&self->child[1], pinner, NULL));
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, hear(self->child[i].sock, &fd[i]));
	snprintf(pids, sizeof(pids), "%d,%d", self->child[0].pid,
		 self->child[1].pid);
	ASSERT_EQ(0, tool_live_start(&self->live, "following",
				     (const char *const[]) { "explain", "--json",
							     "-p", pids, NULL }));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, child_say(self->child[i].sock, 0, -1));
		EXPECT_EQ(0, hear(self->child[i].sock, &code[i]));
		EXPECT_EQ(0, code[i]);
	}
	/* It is told while they still have the pages. */
	usleep(1500000);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(0, child_say(self->child[i].sock, 0, -1));
		EXPECT_EQ(0, child_end(&self->child[i]));
	}
	ASSERT_EQ(0, tool_live_end(&self->live, &self->tool));
	EXPECT_EQ(1, self->tool.code) TH_LOG("%s", self->tool.err);
	take_calls(self);
	ASSERT_NE(NULL, self->call[0]) TH_LOG("%s", self->tool.out);
	ASSERT_NE(NULL, self->call[1]) TH_LOG("%s", self->tool.out);
	check(_metadata, self->call[0], "pipe", "likely", fd[0]);
	check(_metadata, self->call[1], "pin", "certain", 0);
}

TEST_HARNESS_MAIN
