// SPDX-License-Identifier: GPL-2.0
/*
 * pinprobe where the kernel is locked down, which cannot be undone: nothing runs in
 * this guest afterwards.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>
#include "kselftest_harness.h"
#include "lib/explained.h"
#include "lib/memory.h"
#include "lib/rxe.h"
#include "lib/tool.h"

#define LOCKDOWN	"/sys/kernel/security/lockdown"

static bool lock(const char *mode)
{
	int fd = open(LOCKDOWN, O_WRONLY | O_CLOEXEC);
	bool good = fd >= 0 && write(fd, mode, strlen(mode)) > 0;

	close(fd);
	return good;
}

#define RUN(tool, ...) do {						\
	tool_free(tool);						\
	ASSERT_EQ(0, TOOL_RUN(tool, ##__VA_ARGS__));			\
} while (0)

FIXTURE(locked)
{
};

FIXTURE_SETUP(locked)
{
}

FIXTURE_TEARDOWN(locked)
{
}

TEST_F_TIMEOUT(locked, explain_and_who, 200)
{
	char victim[512], pid[16], addr[24];
	const char *cannot = rxe_cannot_be_followed();
	struct tool tool = {};

	if (cannot)
		SKIP(return, "%s", cannot);
	if (access(LOCKDOWN, W_OK))
		mount("securityfs", "/sys/kernel/security", "securityfs", 0, NULL);
	if (access(LOCKDOWN, W_OK))
		SKIP(return, "no-lockdown");
	beside(victim, sizeof(victim), "explain_victim");
	snprintf(pid, sizeof(pid), "%d", getpid());
	snprintf(addr, sizeof(addr), "%lx",
		 (unsigned long)memory_touched(page_size()));

	ASSERT_TRUE(lock("integrity"));
	RUN(&tool, "explain", "--", victim, "readonly");
	EXPECT_EQ(1, tool.code) TH_LOG("%s", tool.err);
	EXPECT_NE(NULL, strstr(tool.out, "PERM")) TH_LOG("%s", tool.out);

	ASSERT_TRUE(lock("confidentiality"));
	RUN(&tool, "explain", "--", victim, "readonly");
	EXPECT_EQ(4, tool.code);
	EXPECT_NE(NULL, strstr(tool.err, "the kernel is locked down"))
		TH_LOG("%s", tool.err);
	EXPECT_NE(NULL, strstr(tool.err, "pinprobe who")) TH_LOG("%s", tool.err);
	RUN(&tool, "who", "--json", pid, addr);
	EXPECT_NE(NULL, tool.json) TH_LOG("%s", tool.err);
	RUN(&tool, "doctor", "--json");
	EXPECT_NE(NULL, tool.json) TH_LOG("%s", tool.err);
	tool_free(&tool);
}

TEST_HARNESS_MAIN
