// SPDX-License-Identifier: GPL-2.0
/*
 * A pin ends with whoever holds it, however that ends, and a call that fails
 * leaves nothing: not once in many times.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include "kselftest_harness.h"
#include "lib/device.h"
#include "lib/effort.h"
#include "lib/memory.h"
#include "lib/vmstat.h"

/* Each way to end; a tenth on a slow kernel. */
#define TURNS		1000
#define FAILURES	10000
#define AREA_PAGES	4
#define TIMEOUT_S	240

/*
 * What the kernel may use more of afterwards, kB. It was next to nothing when
 * measured; an mm_struct lost in each of TURNS processes is 2080.
 */
#define SLAB_SLACK_KB	256
#define FREE_SLACK_KB	768

struct memory {
	int64_t slab;
	int64_t vmalloc;
	int64_t free;
};

FIXTURE(lifetime)
{
	int dev;
	uint64_t len;
	char *area;		/* shared with every child */
	int64_t held;
	struct memory before;
};

static struct memory memory_used(void)
{
	struct memory used = {
		.slab = meminfo_kb("SUnreclaim"),
		.vmalloc = meminfo_kb("VmallocUsed"),
		.free = meminfo_kb("MemFree"),
	};

	return used;
}

FIXTURE_SETUP(lifetime)
{
	ASSERT_EQ(0, memory_stay());
	self->len = AREA_PAGES * page_size();
	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	self->area = memory_shared(self->len);
	ASSERT_NE(NULL, self->area);
	self->held = vmstat_held();
	ASSERT_LE(0, self->held);
}

FIXTURE_TEARDOWN(lifetime)
{
	EXPECT_EQ(self->held, vmstat_held());
	EXPECT_EQ(0, status_kb(0, "VmPin"));
	close(self->dev);
}

static int take(struct _test_data_lifetime *self)
{
	return device_pin(self->dev, self->area, self->len,
			  PINPROBE_CALL_PIN_FAST, PINPROBE_PIN_WRITE, NULL);
}

/* As many pins were dropped as were taken, and @taken of them by this turn. */
static void expect_balance(struct __test_metadata *_metadata,
			   struct vmstat_pins *last, int64_t taken, int turn)
{
	struct vmstat_pins pins;

	ASSERT_EQ(0, vmstat_pins(&pins));
	ASSERT_EQ(pins.acquired - last->acquired,
		  pins.released - last->released) {
		TH_LOG("turn %d", turn);
	}
	ASSERT_LE(taken, pins.acquired - last->acquired);
	*last = pins;
}

/*
 * Freed memory comes back late (RCU, task work): that much time it has. Kernels
 * that look for mistakes keep what was freed, and tell leaks themselves.
 */
static void expect_no_leak(struct __test_metadata *_metadata,
			   const struct memory *before)
{
	int64_t end = now_ms() + 3000;
	struct memory after;

	if (effort_slow())
		return;
	for (;;) {
		after = memory_used();
		if ((after.slab - before->slab < SLAB_SLACK_KB &&
		     before->free - after.free < FREE_SLACK_KB) ||
		    now_ms() > end)
			break;
		usleep(50000);
	}
	EXPECT_GT(SLAB_SLACK_KB, after.slab - before->slab);
	EXPECT_GT(SLAB_SLACK_KB, after.vmalloc - before->vmalloc);
	EXPECT_GT(FREE_SLACK_KB, before->free - after.free);
}

/* One process that takes the pages and ends by @how, 0 for exit(). */
static void end_of_a_holder(struct __test_metadata *_metadata,
			    struct _test_data_lifetime *self, int how)
{
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		if (take(self) < 0)
			_exit(1);
		if (how)
			kill(getpid(), how);
		_exit(0);
	}
	ASSERT_LT(0, pid);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(how, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	ASSERT_FALSE(WIFEXITED(status) && WEXITSTATUS(status));
}

static void many_holders(struct __test_metadata *_metadata,
			 struct _test_data_lifetime *self, int how, int turns)
{
	struct vmstat_pins last;
	struct memory before;

	/* The first ones fill caches. */
	for (int turn = 0; turn < 50; turn++)
		end_of_a_holder(_metadata, self, how);
	before = memory_used();
	ASSERT_EQ(0, vmstat_pins(&last));
	for (int turn = 0; turn < turns; turn++) {
		end_of_a_holder(_metadata, self, how);
		expect_balance(_metadata, &last, AREA_PAGES, turn);
	}
	expect_no_leak(_metadata, &before);
}

TEST_F_TIMEOUT(lifetime, killed, TIMEOUT_S)
{
	many_holders(_metadata, self, SIGKILL, effort_turns(TURNS));
}

TEST_F_TIMEOUT(lifetime, exited, TIMEOUT_S)
{
	many_holders(_metadata, self, 0, effort_turns(TURNS));
}

TEST_F_TIMEOUT(lifetime, unmapped, TIMEOUT_S)
{
	struct vmstat_pins last;
	struct memory before = memory_used();
	int turns = effort_turns(TURNS), fd;

	ASSERT_EQ(0, vmstat_pins(&last));
	for (int turn = 0; turn < turns; turn++) {
		void *area = memory_touched(self->len);

		ASSERT_NE(NULL, area);
		fd = device_pin(self->dev, area, self->len,
				PINPROBE_CALL_PIN_FAST, PINPROBE_PIN_WRITE, NULL);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, munmap(area, self->len));
		/* Not with the mapping, but with the descriptor. */
		if (turn % 100 == 0)
			EXPECT_EQ(self->held + AREA_PAGES, vmstat_held());
		close(fd);
		expect_balance(_metadata, &last, AREA_PAGES, turn);
	}
	EXPECT_EQ(0, status_kb(0, "VmPin"));
	expect_no_leak(_metadata, &before);
}

/* Each way to fail, after something was already done or taken. */
static void fail(struct __test_metadata *_metadata,
		 struct _test_data_lifetime *self, void *hole, void *frozen,
		 int turn)
{
	static const uint32_t calls[] = {
		PINPROBE_CALL_PIN_FAST, PINPROBE_CALL_GET, PINPROBE_CALL_PIN,
		PINPROBE_CALL_GET_FAST, PINPROBE_CALL_PIN_REMOTE,
		PINPROBE_CALL_PIN_UNLOCKED,
	};
	struct pinprobe_outcome out;
	uint32_t flags = turn % 2 ? PINPROBE_PIN_SNAPSHOT : 0;
	uint32_t call = calls[turn / 4 % ARRAY_SIZE(calls)];

	switch (turn % 4) {
	case 0:
	case 1:	/* pages, then a hole */
		ASSERT_EQ(-EFAULT, device_pin(self->dev, hole, self->len, call,
					      flags, &out));
		ASSERT_EQ(AREA_PAGES - 1, out.nr_pinned);
		break;
	case 2:	/* done, but the answer cannot be written */
		ASSERT_EQ(-1, ioctl(self->dev, PINPROBE_IOC_PIN, frozen));
		ASSERT_EQ(EFAULT, errno);
		break;
	case 3:	/* records that do not fit where they should go */
		ASSERT_EQ(-EFAULT, device_resolve(self->dev, 0, self->area,
						  self->len, 0, frozen,
						  AREA_PAGES, NULL));
		break;
	}
}

/* A PIN of the area in memory that can be read but not written. */
static void *frozen_request(struct _test_data_lifetime *self)
{
	struct pinprobe_pin *pin = memory_touched(page_size());

	if (!pin)
		return NULL;
	*pin = (struct pinprobe_pin){
		.size = sizeof(*pin),
		.addr = (uintptr_t)self->area,
		.len = self->len,
		.call = PINPROBE_CALL_PIN_FAST,
	};
	return mprotect(pin, page_size(), PROT_READ) ? NULL : pin;
}

TEST_F_TIMEOUT(lifetime, failed, TIMEOUT_S)
{
	uint64_t page = page_size();
	char *hole = memory_touched(self->len);
	void *frozen = frozen_request(self);
	int turns = effort_turns(FAILURES);
	struct vmstat_pins last;
	struct memory before;

	ASSERT_NE(NULL, hole);
	ASSERT_NE(NULL, frozen);
	ASSERT_EQ(0, mprotect(hole + self->len - page, page, PROT_NONE));
	for (int turn = 0; turn < 200; turn++)
		fail(_metadata, self, hole, frozen, turn);
	before = memory_used();
	ASSERT_EQ(0, vmstat_pins(&last));
	for (int turn = 0; turn < turns; turn++) {
		fail(_metadata, self, hole, frozen, turn);
		if (turn % 100 == 0)
			expect_balance(_metadata, &last, 0, turn);
	}
	expect_balance(_metadata, &last, 0, turns);
	EXPECT_EQ(0, status_kb(0, "VmPin"));
	expect_no_leak(_metadata, &before);
}

/* Descriptors on top of each other: the page is free at the last one. */
TEST_F(lifetime, stacked)
{
	struct pinprobe_page rec;
	int fds[200];

	for (size_t i = 0; i < ARRAY_SIZE(fds); i++) {
		fds[i] = take(self);
		ASSERT_LE(0, fds[i]);
	}
	ASSERT_EQ(0, device_resolve_one(self->dev, self->area, &rec));
	EXPECT_EQ(ARRAY_SIZE(fds), rec.pins);
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		close(fds[(i * 7) % ARRAY_SIZE(fds)]);
	ASSERT_EQ(0, device_resolve_one(self->dev, self->area, &rec));
	EXPECT_EQ(0, rec.pins);
}

TEST_HARNESS_MAIN
