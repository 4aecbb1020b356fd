// SPDX-License-Identifier: GPL-2.0
/*
 * pinprobe who, as a user runs it: of pages that somebody holds, who is named, by an
 * address and by a page frame. On a kernel without the module, and once with it.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "kselftest_harness.h"
#include "lib/device.h"
#include "lib/explained.h"

#define MODULE	"/m/pinprobe.ko"

/* A program that holds a page, and what it says of itself. */
struct holder {
	pid_t pid;
	char address[24], frame[24], number[16];
};

FIXTURE(who)
{
	struct tool tool;
	struct holder holder;
	char program[512];
};

FIXTURE_SETUP(who)
{
	beside(self->program, sizeof(self->program), "who_holder");
}

static void end(struct holder *holder)
{
	if (holder->pid <= 0)
		return;
	kill(holder->pid, SIGKILL);
	waitpid(holder->pid, NULL, 0);
	holder->pid = 0;
}

static void put_module_back(void)
{
	int fd = open(MODULE, O_RDONLY | O_CLOEXEC);

	if (access(PINPROBE_DEVICE, F_OK))
		syscall(SYS_finit_module, fd, "", 0);
	close(fd);
}

FIXTURE_TEARDOWN(who)
{
	end(&self->holder);
	tool_free(&self->tool);
	put_module_back();
}

/* False if it ended without holding anything. */
static bool start(struct _test_data_who *self, const char *how)
{
	struct holder *holder = &self->holder;
	char line[64] = "";
	int ends[2], got;

	end(holder);
	if (pipe2(ends, O_CLOEXEC))
		return false;
	holder->pid = fork();
	if (!holder->pid) {
		dup2(ends[1], STDOUT_FILENO);
		execl(self->program, self->program, how, NULL);
		_exit(127);
	}
	close(ends[1]);
	got = read(ends[0], line, sizeof(line) - 1);
	close(ends[0]);
	return got > 0 && sscanf(line, "%15s %23s %23s", holder->number,
				 holder->address, holder->frame) == 3;
}

/* The one of the holders that is of this kind and process. */
static json_object *named(struct _test_data_who *self, const char *kind)
{
	json_object *all = tool_at(self->tool.json, "holders"), *one;
	size_t i, nr = all ? json_object_array_length(all) : 0;

	for (i = 0; i < nr; i++) {
		one = json_object_array_get_idx(all, i);
		if (!strcmp(tool_string(one, "kind"), kind) &&
		    tool_number(one, "pid") == self->holder.pid)
			return one;
	}
	return NULL;
}

#define ASK(...) do {							\
	tool_free(&self->tool);						\
	ASSERT_EQ(0, TOOL_RUN(&self->tool, "who", "--json", ##__VA_ARGS__)); \
	ASSERT_NE(NULL, self->tool.json) TH_LOG("%s", self->tool.err);	\
	EXPECT_STREQ(self->holder.frame,				\
		     tool_string(self->tool.json, "page/pfn"));		\
} while (0)

#define EXPECT_HELD(kind_, certainty_) do {				\
	json_object *one = named(self, kind_);				\
									\
	EXPECT_EQ(1, self->tool.code) TH_LOG("%s", self->tool.out);	\
	EXPECT_STREQ("held", tool_string(self->tool.json, "state"));	\
	ASSERT_NE(NULL, one) TH_LOG("%s", self->tool.out);		\
	EXPECT_STREQ(certainty_, tool_string(one, "certainty"))		\
		TH_LOG("%s", self->tool.out);				\
} while (0)

/* No other than a mapping is said to hold it. */
static bool is_free(struct _test_data_who *self)
{
	return !self->tool.code &&
	       !strcmp(tool_string(self->tool.json, "state"), "free") &&
	       !tool_find(self->tool.json, "holders", "certainty", "likely") &&
	       named(self, "mapping");
}

TEST_F_TIMEOUT(who, without_the_module, 120)
{
	struct holder *holder = &self->holder;

	ASSERT_EQ(0, syscall(SYS_delete_module, "pinprobe", O_NONBLOCK));
	ASSERT_TRUE(start(self, "nobody"));
	ASK(holder->number, holder->address);
	EXPECT_TRUE(is_free(self)) TH_LOG("%s", self->tool.out);
	EXPECT_STREQ("bpf", tool_string(self->tool.json, "account/source"));
	ASK("--pfn", holder->frame);
	EXPECT_TRUE(is_free(self)) TH_LOG("%s", self->tool.out);

	ASSERT_TRUE(start(self, "pipe"));
	ASK(holder->number, holder->address);
	EXPECT_HELD("pipe", "likely");
	EXPECT_EQ(0, tool_number(self->tool.json, "account/pins"));
	EXPECT_EQ(1, tool_number(self->tool.json, "account/rest"));
	ASK("--pfn", holder->frame);
	EXPECT_HELD("pipe", "likely");

	ASSERT_TRUE(start(self, "ring"));
	ASK(holder->number, holder->address);
	EXPECT_HELD("ring", "certain");
	EXPECT_EQ(1, tool_number(self->tool.json, "account/pins"));
	EXPECT_STREQ(holder->address,
		     tool_string(named(self, "ring"), "start"));

	ASSERT_TRUE(start(self, "region"));
	ASK(holder->number, holder->address);
	EXPECT_HELD("region", "likely");
	ASK("--ask", "--pfn", holder->frame);
	EXPECT_HELD("region", "certain");
	EXPECT_STREQ(holder->address,
		     tool_string(named(self, "region"), "start"));

	ASSERT_TRUE(start(self, "copy"));
	ASK(holder->number, holder->address);
	EXPECT_HELD("i/o", "certain");
	EXPECT_NE(NULL, strstr(tool_string(named(self, "i/o"), "what"),
			       "process_vm_readv"));
	EXPECT_EQ(1, tool_number(self->tool.json, "account/pins"));
}

/*
 * What it says who has a pipe of its own, with something in it that nobody reads. To
 * be freed.
 */
static char *asked_with_a_pipe(const char *frame)
{
	const char *const words[] = { "who", "--json", "--all", "--pfn", frame, NULL };
	int out = tool_file("who"), ends[2];
	pid_t pid = fork();
	char *said;

	if (!pid) {
		if (!pipe(ends) && write(ends[1], "", 1) == 1)
			tool_become(words, out, -1);
		_exit(127);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
	said = tool_contents(out);
	close(out);
	return said;
}

/* The same words from another source. */
TEST_F_TIMEOUT(who, with_the_module, 60)
{
	struct holder *holder = &self->holder;
	char *said;

	ASSERT_TRUE(start(self, "nobody"));
	ASK(holder->number, holder->address);
	EXPECT_TRUE(is_free(self)) TH_LOG("%s", self->tool.out);
	EXPECT_STREQ("module", tool_string(self->tool.json, "account/source"));
	ASSERT_TRUE(start(self, "pipe"));
	ASK(holder->number, holder->address);
	EXPECT_HELD("pipe", "likely");
	EXPECT_STREQ("module", tool_string(self->tool.json, "account/source"));
	EXPECT_EQ(1, tool_number(self->tool.json, "account/rest"));
	said = asked_with_a_pipe(holder->frame);
	ASSERT_NE(NULL, said);
	EXPECT_NE(NULL, strstr(said, "\"comm\":\"pipe\"")) TH_LOG("%s", said);
	EXPECT_EQ(NULL, strstr(said, "\"comm\":\"pinprobe\"")) TH_LOG("%s", said);
	free(said);
}

TEST_HARNESS_MAIN
