// SPDX-License-Identifier: GPL-2.0
/* What pinprobe explain writes down of calls that are not everyday ones. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/udmabuf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "kselftest_harness.h"
#include "lib/child.h"
#include "lib/memory.h"
#include "lib/rxe.h"
#include "lib/tool_live.h"

#define PAGES		4
#define NO_UDMABUF	20	/* what the child says of itself */
#define NO_32BIT	1

FIXTURE(record)
{
	struct child child;
	struct tool_live live;
	struct tool tool;
};

FIXTURE_SETUP(record)
{
	const char *cannot = rxe_cannot_be_followed();

	if (cannot)
		SKIP(return, "%s", cannot);
}

FIXTURE_TEARDOWN(record)
{
	tool_free(&self->tool);
}

/* A dma-buf of udmabuf's, mapped, which nobody can pin. -errno of the region. */
static int exported(void)
{
	size_t len = PAGES * page_size();
	struct udmabuf_create create = { .size = len };
	int dev = open("/dev/udmabuf", O_RDWR | O_CLOEXEC), fd;
	int memfd = memfd_create("exported", MFD_ALLOW_SEALING);
	struct ibv_mr *mr;
	struct rxe rxe;
	void *at;

	if (dev < 0)
		return NO_UDMABUF;
	create.memfd = memfd;
	if (ftruncate(memfd, len) || fcntl(memfd, F_ADD_SEALS, F_SEAL_SHRINK) ||
	    rxe_open(&rxe))
		return 1;
	fd = ioctl(dev, UDMABUF_CREATE, &create);
	at = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return 2;
	mr = ibv_reg_mr(rxe.pd, at, len, IBV_ACCESS_LOCAL_WRITE);
	return mr ? 3 : -errno;
}

/* One that pins what lies above its address space, which ends in EFAULT. */
static int narrow(void)
{
	char path[512], self[400] = "";
	int status;
	pid_t pid;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 1;
	snprintf(path, sizeof(path), "%s/compat32_caller", dirname(self));
	pid = fork();
	if (!pid) {
		execl(path, path, NULL);
		_exit(errno == ENOEXEC || errno == ENOENT ? 77 : 78);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == 77 ? NO_32BIT : status;
}

static int victims(int sock, void *arg)
{
	int value;

	prctl(PR_SET_NAME, "exported");
	/* While the kernel is being hooked, which in emulation takes its time. */
	while (child_hear(sock, &value, NULL) == -ETIMEDOUT)
		;
	child_say(sock, exported(), -1);
	child_say(sock, narrow(), -1);
	return 0;
}

static json_object *told(struct tool *tool, const char *name)
{
	char *copy = strdup(tool->out), *next = copy, *line;
	json_object *found = NULL;

	while (!found && (line = strsep(&next, "\n"))) {
		json_object *j = *line ? json_tokener_parse(line) : NULL;

		if (!strcmp(tool_string(j, "process/comm"), name))
			found = j;
		else
			json_object_put(j);
	}
	free(copy);
	return found;
}

static const char *errno_of(json_object *call, const char *layer)
{
	return tool_string(tool_find(call, "layers", "layer", layer), "errno");
}

TEST_F_TIMEOUT(record, of_a_dmabuf_and_of_a_32_bit_program, 200)
{
	int region, caller;
	char pid[16];
	json_object *call;

	ASSERT_EQ(0, child_start(&self->child, victims, NULL));
	snprintf(pid, sizeof(pid), "%d", self->child.pid);
	ASSERT_EQ(0, tool_live_start(&self->live, "following",
				     (const char *const[]) { "explain", "--json",
							     "-p", pid, NULL }));
	ASSERT_EQ(0, child_say(self->child.sock, 0, -1));
	ASSERT_EQ(0, child_hear(self->child.sock, &region, NULL));
	ASSERT_EQ(0, child_hear(self->child.sock, &caller, NULL));
	EXPECT_EQ(0, child_end(&self->child));
	ASSERT_EQ(0, tool_live_end(&self->live, &self->tool));
	if (region != NO_UDMABUF) {
		EXPECT_EQ(-EFAULT, region);
		call = told(&self->tool, "exported");
		ASSERT_NE(NULL, call) TH_LOG("%s", self->tool.out);
		EXPECT_STREQ("dma-buf", tool_string(call, "call/class"));
		EXPECT_STREQ("udmabuf", tool_string(call, "call/exporter"));
		EXPECT_STREQ("PFNMAP", tool_string(call, "verdict"));
		json_object_put(call);
	}
	if (caller == NO_32BIT)
		SKIP(return, "no-32bit: the kernel does not know the format");
	EXPECT_EQ(0, caller);
	/* Told though the program ended at once, and with its system call. */
	call = told(&self->tool, "compat32_caller");
	ASSERT_NE(NULL, call) TH_LOG("%s", self->tool.out);
	EXPECT_STREQ("EFAULT", errno_of(call, "system call"));
	EXPECT_STREQ("EFAULT", errno_of(call, "pin"));
	EXPECT_STREQ("NOT-MEMORY", tool_string(call, "verdict"));
	EXPECT_EQ(NULL, tool_at(call, "call/exporter"));
	json_object_put(call);
}

TEST_HARNESS_MAIN
