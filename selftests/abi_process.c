// SPDX-License-Identifier: GPL-2.0
/* RESOLVE and the remote PIN calls on other processes, living and dying. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include "kselftest_harness.h"
#include "abi_layout.h"
#include "lib/child.h"
#include "lib/device.h"
#include "lib/memory.h"
#include "lib/oracle.h"
#include "lib/vmstat.h"

#define AREA_PAGES	4
#define BIG_PAGES	2048
#define TURNS		12

FIXTURE(process)
{
	int dev;
	uint64_t page;
	char *area;		/* not shared: the child gets pages of its own */
	struct child child;
	struct pinprobe_page recs[AREA_PAGES];
	int64_t held;
};

static int touch_and_wait(int sock, void *arg)
{
	struct _test_data_process *self = arg;
	int value;

	for (int i = 0; i < AREA_PAGES; i++)
		self->area[i * self->page] = 2;
	if (child_say(sock, 0, -1))
		return 1;
	return child_hear(sock, &value, NULL) == -EPIPE ? 0 : 1;
}

FIXTURE_SETUP(process)
{
	int value;

	self->page = page_size();
	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	self->area = memory_touched(AREA_PAGES * self->page);
	ASSERT_NE(NULL, self->area);
	self->held = vmstat_held();
	ASSERT_LE(0, self->held);
	ASSERT_EQ(0, child_start(&self->child, touch_and_wait, self));
	ASSERT_EQ(0, child_hear(self->child.sock, &value, NULL));
}

FIXTURE_TEARDOWN(process)
{
	kill(self->child.pid, SIGKILL);
	waitpid(self->child.pid, NULL, 0);
	EXPECT_EQ(0, vmstat_wait_held(self->held, 2000));
	EXPECT_EQ(0, status_kb(0, "VmPin"));
	close(self->dev);
}

/* The pin fd or -errno. */
static int pin_remote(int dev, pid_t pid, const void *addr, uint64_t len,
		      uint32_t call, struct pinprobe_outcome *out)
{
	struct pinprobe_pin args = {
		.size = sizeof(args),
		.flags = PINPROBE_PIN_WRITE,
		.addr = (uintptr_t)addr,
		.len = len,
		.call = call,
		.pid = pid,
	};
	int ret = ioctl(dev, PINPROBE_IOC_PIN, &args) ? -errno : args.fd;

	if (out)
		*out = args.outcome;
	return ret;
}

static int resolve(struct _test_data_process *self, pid_t pid)
{
	return device_resolve(self->dev, pid, self->area,
			      AREA_PAGES * self->page, 0, self->recs, AREA_PAGES,
			      NULL);
}

TEST_F(process, resolved)
{
	struct pinprobe_page own;
	struct oracle oracle;

	ASSERT_EQ(0, oracle_open(&oracle, self->child.pid));
	ASSERT_EQ(AREA_PAGES, resolve(self, self->child.pid));
	ASSERT_EQ(0, device_resolve_one(self->dev, self->area, &own));
	EXPECT_NE(own.pfn, self->recs[0].pfn);
	for (int i = 0; i < AREA_PAGES; i++) {
		EXPECT_EQ((uintptr_t)self->area + i * self->page,
			  self->recs[i].addr);
		EXPECT_EQ(oracle_pfn(&oracle, self->area + i * self->page),
			  self->recs[i].pfn);
	}
	oracle_close(&oracle);
}

/* Who calls pays, not whose pages they are. */
TEST_F(process, pinned)
{
	struct pinprobe_page held;
	int fd;

	fd = pin_remote(self->dev, self->child.pid, self->area,
			AREA_PAGES * self->page, PINPROBE_CALL_PIN_REMOTE, NULL);
	ASSERT_LE(0, fd);
	EXPECT_EQ(self->held + AREA_PAGES, vmstat_held());
	EXPECT_EQ(AREA_PAGES * self->page / 1024, status_kb(0, "VmPin"));
	EXPECT_EQ(0, status_kb(self->child.pid, "VmPin"));
	ASSERT_EQ(AREA_PAGES, resolve(self, self->child.pid));
	EXPECT_EQ(1, self->recs[0].pins);
	ASSERT_EQ(1, pin_pages(fd, PINPROBE_WHEN_HELD, 0, 0, &held, 1, NULL));
	EXPECT_EQ(self->recs[0].pfn, held.pfn);
	close(fd);
}

TEST_F(process, pin_outlives_it)
{
	struct pinprobe_page rec;
	int fd;

	fd = pin_remote(self->dev, self->child.pid, self->area, self->page,
			PINPROBE_CALL_PIN_REMOTE, NULL);
	ASSERT_LE(0, fd);
	ASSERT_EQ(1, pin_pages(fd, PINPROBE_WHEN_NOW, 0, 0, &rec, 1, NULL));
	EXPECT_EQ(-SIGKILL, child_kill(&self->child));
	EXPECT_EQ(self->held + 1, vmstat_held());
	EXPECT_EQ(-ESRCH, pin_pages(fd, PINPROBE_WHEN_NOW, 0, 0, &rec, 1, NULL));
	ASSERT_EQ(1, pin_pages(fd, PINPROBE_WHEN_HELD, 0, 0, &rec, 1, NULL));
	EXPECT_EQ(0, rec.mapcount);
	EXPECT_EQ(1, rec.pins);
	close(fd);
}

static void expect_no_process(struct __test_metadata *_metadata,
			      struct _test_data_process *self, pid_t pid)
{
	static const uint32_t calls[] = { PINPROBE_CALL_GET_REMOTE,
					  PINPROBE_CALL_PIN_REMOTE };
	struct pinprobe_outcome out;

	EXPECT_EQ(-ESRCH, resolve(self, pid));
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		EXPECT_EQ(-ESRCH, pin_remote(self->dev, pid, self->area,
					     self->page, calls[i], &out));
		EXPECT_EQ(ESRCH, out.error);
		EXPECT_EQ(PINPROBE_STAGE_ARGUMENT, out.stage);
	}
}

/* Dead, not yet waited for; then waited for. */
TEST_F(process, zombie_and_gone)
{
	siginfo_t info;

	ASSERT_EQ(0, kill(self->child.pid, SIGKILL));
	ASSERT_EQ(0, waitid(P_PID, self->child.pid, &info, WEXITED | WNOWAIT));
	expect_no_process(_metadata, self, self->child.pid);
	EXPECT_EQ(-SIGKILL, child_wait(&self->child));
	expect_no_process(_metadata, self, self->child.pid);
}

static int touch_big_and_wait(int sock, void *arg)
{
	char *area = arg;
	int value;

	for (int i = 0; i < BIG_PAGES; i++)
		area[i * page_size()] = 2;
	if (child_say(sock, 0, -1))
		return 1;
	return child_hear(sock, &value, NULL) == -EPIPE ? 0 : 1;
}

/*
 * Killed at the moment it is looked at, and while its pages are taken: either
 * it was still there or it was not, nothing in between.
 */
TEST_F(process, dies_meanwhile)
{
	size_t len = BIG_PAGES * self->page;
	char *area = memory_map(len);
	struct pinprobe_page *recs = memory_touched(BIG_PAGES * sizeof(*recs));
	struct pinprobe_outcome out;
	struct child child;
	int value, ret;

	ASSERT_NE(NULL, area);
	ASSERT_NE(NULL, recs);
	for (int turn = 0; turn < TURNS; turn++) {
		ASSERT_EQ(0, child_start(&child, touch_big_and_wait, area));
		ASSERT_EQ(0, child_hear(child.sock, &value, NULL));
		kill(child.pid, SIGKILL);
		if (turn % 2) {
			ret = device_resolve(self->dev, child.pid, area, len, 0,
					     recs, BIG_PAGES, NULL);
			EXPECT_TRUE(ret == BIG_PAGES || ret == -ESRCH);
		} else {
			ret = pin_remote(self->dev, child.pid, area, len,
					 PINPROBE_CALL_PIN_REMOTE, &out);
			EXPECT_TRUE(ret >= 0 || ret == -ESRCH) {
				TH_LOG("ret %d, stage %s", ret,
				       stage_name(out.stage));
			}
		}
		EXPECT_EQ(-SIGKILL, child_end(&child));
		if (!(turn % 2) && ret >= 0) {
			EXPECT_EQ(self->held + BIG_PAGES, vmstat_held());
			close(ret);
		}
		EXPECT_EQ(self->held, vmstat_held());
	}
}

/* A thread of the process is as good a name for it. */
TEST_F(process, names_a_thread)
{
	pid_t tid = syscall(SYS_gettid);

	EXPECT_EQ(AREA_PAGES, resolve(self, tid));
}

/* Numbers mean what they mean to the caller. */
static int look_from_namespace(int sock, void *arg)
{
	struct _test_data_process *self = arg;
	char *mine = memory_touched(self->page);
	struct pinprobe_page own, one;

	if (!mine || getpid() != 1)
		return 2;
	if (device_resolve_one(self->dev, mine, &own))
		return 3;
	if (device_resolve(self->dev, 1, mine, self->page, 0, &one, 1, NULL) != 1)
		return 4;
	if (own.pfn != one.pfn)
		return 5;
	if (resolve(self, self->child.pid) != -ESRCH)
		return 6;
	return 0;
}

static int enter_namespace(int sock, void *arg)
{
	struct child inner;

	if (unshare(CLONE_NEWPID))
		return 1;
	if (child_start(&inner, look_from_namespace, arg))
		return 1;
	return child_wait(&inner);
}

TEST_F(process, pid_namespace)
{
	struct child outer;

	ASSERT_EQ(0, child_start(&outer, enter_namespace, self));
	EXPECT_EQ(0, child_wait(&outer));
	close(outer.sock);
}

TEST_HARNESS_MAIN
