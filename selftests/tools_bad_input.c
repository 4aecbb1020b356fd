// SPDX-License-Identifier: GPL-2.0
/*
 * pinprobe explain, audit and who where something is missing: they say what, and
 * what can be told all the same.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "kselftest_harness.h"
#include "lib/kernel.h"
#include "lib/explained.h"
#include "lib/memory.h"
#include "lib/privilege.h"
#include "lib/rxe.h"
#include "lib/tool.h"

#define BTF	"/sys/kernel/btf/vmlinux"

/* Each test is a process of its own, and may give up what it likes. */
FIXTURE(bad)
{
	struct tool tool;
	char victim[512], pid[16], addr[24];
};

FIXTURE_SETUP(bad)
{
	if (access(BTF, R_OK))
		SKIP(return, "no-btf");
	beside(self->victim, sizeof(self->victim), "explain_victim");
	snprintf(self->pid, sizeof(self->pid), "%d", getpid());
	snprintf(self->addr, sizeof(self->addr), "%lx",
		 (unsigned long)memory_touched(page_size()));
}

FIXTURE_TEARDOWN(bad)
{
	tool_free(&self->tool);
}

#define RUN(...) do {							\
	tool_free(&self->tool);						\
	ASSERT_EQ(0, TOOL_RUN(&self->tool, ##__VA_ARGS__));		\
} while (0)

/* On either output. */
static void says(struct __test_metadata *_metadata, const struct tool *tool,
		 const char *words)
{
	EXPECT_TRUE(strstr(tool->err, words) || strstr(tool->out, words))
		TH_LOG("\"%s\" is not in: %s%s", words, tool->err, tool->out);
}

#define SAYS(words) says(_metadata, &self->tool, words)

#define CANNOT(code_wanted, words) do {					\
	EXPECT_EQ(code_wanted, self->tool.code);			\
	SAYS(words);							\
} while (0)

/* For good: execve() as root would give it back. */
static int lose(int cap)
{
	return prctl(PR_CAPBSET_DROP, cap) ? -errno : privilege_drop(cap);
}

TEST_F(bad, an_ordinary_user)
{
	ASSERT_EQ(0, privilege_become_nobody());
	RUN("explain", "--", "true");
	CANNOT(4, "this process lacks CAP_BPF and CAP_PERFMON");
	SAYS("pinprobe doctor");
	RUN("audit", "--", "true");
	CANNOT(4, "this process lacks CAP_BPF and CAP_PERFMON");
	SAYS("pinprobe who");
	/* His own page, whose frame is not told to him. */
	RUN("who", self->pid, self->addr);
	CANNOT(4, "pagemap: not allowed, it needs root");
	RUN("doctor", "--json");
	EXPECT_NE(NULL, self->tool.json);
	EXPECT_NE(4, self->tool.code);
}

TEST_F(bad, one_capability_is_missing)
{
	ASSERT_EQ(0, lose(CAP_SYS_ADMIN));
	ASSERT_EQ(0, lose(CAP_PERFMON));
	RUN("explain", "--", "true");
	CANNOT(4, "this process lacks CAP_PERFMON:");
}

/* Kernels without fentry, as arm64 before v6.4. */
static bool probes_alone(void)
{
#ifdef __aarch64__
	return !kernel_at_least(6, 4);
#else
	return false;
#endif
}

static bool paranoid(const char *level)
{
	int fd = open("/proc/sys/kernel/perf_event_paranoid", O_WRONLY | O_CLOEXEC);
	bool good = fd >= 0 && write(fd, level, strlen(level)) > 0;

	close(fd);
	return good;
}

/* What it can do with what it asks for, and without root. */
TEST_F_TIMEOUT(bad, without_addresses_of_the_kernel, 120)
{
	struct rxe rxe;

	if (rxe_open(&rxe))
		SKIP(return, "no-rxe");
	rxe_close(&rxe);
	umount2("/sys/kernel/debug/tracing", MNT_DETACH);
	umount2("/sys/kernel/tracing", MNT_DETACH);
	umount2("/sys/kernel/debug", MNT_DETACH);
	ASSERT_EQ(0, lose(CAP_SYS_ADMIN));
	ASSERT_EQ(0, lose(CAP_SYSLOG));
	if (probes_alone()) {
		ASSERT_TRUE(paranoid("3"));
		RUN("explain", "--", self->victim, "readonly");
		CANNOT(4, "the sysctl kernel.perf_event_paranoid is above 2");
		SAYS("without BPF there is still");
		ASSERT_TRUE(paranoid("2"));
	}
	RUN("explain", "--", self->victim, "readonly");
	CANNOT(1, "page frames and pageblocks are not seen");
	SAYS("without CAP_SYS_ADMIN the BTF of modules is not shown");
	SAYS("without CAP_SYSLOG addresses of the kernel are not shown");
	SAYS("PERM");
	SAYS("system call EFAULT");
	SAYS("pin EFAULT");
}

TEST_F(bad, no_btf)
{
	ASSERT_EQ(0, unshare(CLONE_NEWNS));
	ASSERT_EQ(0, mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	ASSERT_EQ(0, mount("/dev/null", BTF, NULL, MS_BIND, NULL));
	RUN("explain", "--system");
	CANNOT(4, "the kernel has no BTF");
	SAYS("CONFIG_DEBUG_INFO_BTF");
	SAYS("without BPF there is still");
	RUN("map", "--json");
	EXPECT_EQ(0, self->tool.code);
	EXPECT_NE(NULL, self->tool.json);
	RUN("who", "--json", self->pid, self->addr);
	EXPECT_NE(NULL, self->tool.json) TH_LOG("%s", self->tool.err);
	EXPECT_LT(0, strtoull(tool_string(self->tool.json, "page/pfn"), NULL, 16))
		TH_LOG("%s", self->tool.out);
}

TEST_F(bad, no_such_process)
{
	RUN("explain", "-p", "4194303");
	CANNOT(4, "there is no process 4194303");
	RUN("who", "4194303", "1000");
	CANNOT(4, "there is no process 4194303");
}

/* The next process of this PID namespace gets the number behind @last. */
static bool number_after(int last)
{
	int fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
	bool good = fd >= 0 && dprintf(fd, "%d", last) > 0;

	close(fd);
	return good;
}

/* By the number that it has in its container, and by which it is none here. */
TEST_F(bad, number_of_another_namespace)
{
	int ready[2];
	char c;

	ASSERT_EQ(0, pipe(ready));
	ASSERT_EQ(0, unshare(CLONE_NEWPID));
	if (!fork()) {
		if (!number_after(30000))
			_exit(1);
		if (!fork()) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			c = write(ready[1], "", 1);
			pause();
		}
		pause();
	}
	close(ready[1]);
	ASSERT_EQ(1, read(ready[0], &c, 1));
	/* This process's own namespace is still the first one. */
	RUN("who", "30001", "1000");
	CANNOT(4, "is 30001 in its own PID namespace");
}

TEST_F(bad, in_a_namespace_of_processes)
{
	ASSERT_EQ(0, unshare(CLONE_NEWPID));
	RUN("explain", "--", "true");
	CANNOT(4, "run it on the host");
	ASSERT_EQ(NULL, strstr(self->tool.out, "followed"));
}

TEST_F_TIMEOUT(bad, no_such_command, 60)
{
	RUN("explain", "--", "/no/such/command");
	CANNOT(4, "/no/such/command: No such file or directory");
}

TEST_HARNESS_MAIN
