// SPDX-License-Identifier: GPL-2.0
/* What PIN says it did, and what its descriptor says afterwards. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include "kselftest_harness.h"
#include "abi_layout.h"
#include "lib/child.h"
#include "lib/device.h"
#include "lib/kernel.h"
#include "lib/memory.h"
#include "lib/vmstat.h"

#define AREA_PAGES	6
#define BATCH_PAGES	512
#define PIN_BIAS	1024	/* GUP_PIN_COUNTING_BIAS */

FIXTURE(pin)
{
	int dev;
	uint64_t page;
	char *area;
	struct pinprobe_outcome out;
	struct pinprobe_page recs[AREA_PAGES];
	bool pins;
	int64_t held;
};

FIXTURE_VARIANT(pin)
{
	uint32_t call;
};

FIXTURE_VARIANT_ADD(pin, get)
{
	.call = PINPROBE_CALL_GET,
};

FIXTURE_VARIANT_ADD(pin, get_fast)
{
	.call = PINPROBE_CALL_GET_FAST,
};

FIXTURE_VARIANT_ADD(pin, get_unlocked)
{
	.call = PINPROBE_CALL_GET_UNLOCKED,
};

FIXTURE_VARIANT_ADD(pin, get_remote)
{
	.call = PINPROBE_CALL_GET_REMOTE,
};

FIXTURE_VARIANT_ADD(pin, pin)
{
	.call = PINPROBE_CALL_PIN,
};

FIXTURE_VARIANT_ADD(pin, pin_fast)
{
	.call = PINPROBE_CALL_PIN_FAST,
};

FIXTURE_VARIANT_ADD(pin, pin_unlocked)
{
	.call = PINPROBE_CALL_PIN_UNLOCKED,
};

FIXTURE_VARIANT_ADD(pin, pin_remote)
{
	.call = PINPROBE_CALL_PIN_REMOTE,
};

FIXTURE_SETUP(pin)
{
	ASSERT_EQ(0, memory_stay());
	self->page = page_size();
	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	self->area = memory_touched(AREA_PAGES * self->page);
	ASSERT_NE(NULL, self->area);
	memory_settle();
	self->pins = variant->call >= PINPROBE_CALL_PIN;
	self->held = vmstat_held();
	ASSERT_LE(0, self->held);
}

FIXTURE_TEARDOWN(pin)
{
	EXPECT_EQ(self->held, vmstat_held());
	EXPECT_EQ(0, status_kb(0, "VmPin"));
	close(self->dev);
}

static int take(struct _test_data_pin *self, const struct _fixture_variant_pin *variant,
		int nr, uint32_t flags)
{
	memset(&self->out, 0xaa, sizeof(self->out));
	return device_pin(self->dev, self->area, nr * self->page, variant->call,
			  flags, &self->out);
}

/* What each call holds is seen by the kernel's counters and on the pages. */
TEST_F(pin, holds)
{
	int fd = take(self, variant, AREA_PAGES, PINPROBE_PIN_WRITE);
	int more = self->pins ? PIN_BIAS : 1;

	ASSERT_LE(0, fd);
	EXPECT_EQ(self->held + (self->pins ? AREA_PAGES : 0), vmstat_held());
	EXPECT_EQ(AREA_PAGES * self->page / 1024, status_kb(0, "VmPin"));
	ASSERT_EQ(AREA_PAGES, device_resolve(self->dev, 0, self->area,
					     AREA_PAGES * self->page, 0,
					     self->recs, AREA_PAGES, NULL));
	for (int i = 0; i < AREA_PAGES; i++) {
		EXPECT_EQ(1 + more, self->recs[i].refs);
		EXPECT_EQ(1, self->recs[i].refs_expected);
		EXPECT_EQ(self->pins, self->recs[i].pins);
		EXPECT_EQ(self->pins, !!(self->recs[i].flags &
					 PINPROBE_PAGE_MAYBE_PINNED));
	}
	close(fd);
	ASSERT_EQ(AREA_PAGES, device_resolve(self->dev, 0, self->area,
					     AREA_PAGES * self->page, 0,
					     self->recs, AREA_PAGES, NULL));
	for (int i = 0; i < AREA_PAGES; i++)
		EXPECT_EQ(1, self->recs[i].refs);
}

TEST_F(pin, adds_up)
{
	int fds[3];

	for (int i = 0; i < 3; i++) {
		fds[i] = take(self, variant, 1, 0);
		ASSERT_LE(0, fds[i]);
	}
	/* A page that was used twice becomes active, by a per-CPU batch. */
	memory_settle();
	ASSERT_EQ(0, device_resolve_one(self->dev, self->area, self->recs));
	EXPECT_EQ(self->pins ? 1 + 3 * PIN_BIAS : 4, self->recs[0].refs);
	EXPECT_EQ(self->pins ? 3 : 0, self->recs[0].pins);
	for (int i = 0; i < 3; i++)
		close(fds[i]);
}

TEST_F(pin, outcome)
{
	struct pinprobe_info info;
	int fd = take(self, variant, AREA_PAGES, 0);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, device_info(self->dev, &info));
	EXPECT_EQ(0, self->out.error);
	EXPECT_EQ(PINPROBE_STAGE_DONE, self->out.stage);
	EXPECT_EQ(info.features & PINPROBE_FEATURE_MIGRATE_TRACE ?
		  PINPROBE_OUTCOME_MIGRATE : 0, self->out.flags);
	EXPECT_EQ(1, self->out.calls);
	EXPECT_EQ(AREA_PAGES, self->out.nr_pages);
	EXPECT_EQ(AREA_PAGES, self->out.nr_pinned);
	EXPECT_EQ(0, self->out.moved);
	EXPECT_EQ(AREA_PAGES, self->out.stayed);
	EXPECT_EQ(0, self->out.absent);
	EXPECT_EQ(0, self->out.failed);
	EXPECT_EQ(0, self->out.fail_addr);
	EXPECT_LT(0, self->out.duration_ns);
	EXPECT_EQ(0, self->out.migrate[PINPROBE_REASON_LONGTERM_PIN].calls);
	close(fd);
}

TEST_F(pin, batches)
{
	int nr = 2 * BATCH_PAGES + 1;
	char *area = memory_touched(nr * self->page);
	int fd;

	ASSERT_NE(NULL, area);
	fd = device_pin(self->dev, area, nr * self->page, variant->call,
			PINPROBE_PIN_SNAPSHOT, &self->out);
	ASSERT_LE(0, fd);
	EXPECT_EQ(3, self->out.calls);
	EXPECT_EQ(nr, self->out.nr_pinned);
	EXPECT_EQ(nr, self->out.stayed);
	close(fd);
}

/* Pages there before, and pages that the call faults in. */
TEST_F(pin, snapshot)
{
	int fd;

	ASSERT_EQ(0, madvise(self->area, 2 * self->page, MADV_DONTNEED));
	fd = take(self, variant, AREA_PAGES,
		  PINPROBE_PIN_SNAPSHOT | PINPROBE_PIN_WRITE);
	ASSERT_LE(0, fd);
	EXPECT_EQ(PINPROBE_OUTCOME_SNAPSHOT,
		  self->out.flags & PINPROBE_OUTCOME_SNAPSHOT);
	EXPECT_EQ(0, self->out.moved);
	EXPECT_EQ(2, self->out.absent);
	EXPECT_EQ(AREA_PAGES - 2, self->out.stayed);
	EXPECT_LE(2, self->out.faults);
	ASSERT_EQ(AREA_PAGES, pin_pages(fd, PINPROBE_WHEN_BEFORE, 0, 0,
					self->recs, AREA_PAGES, NULL));
	for (int i = 0; i < AREA_PAGES; i++) {
		EXPECT_EQ((uintptr_t)self->area + i * self->page,
			  self->recs[i].addr);
		EXPECT_EQ(i < 2 ? PINPROBE_STATE_ABSENT : PINPROBE_STATE_PRESENT,
			  self->recs[i].state);
		EXPECT_EQ(i < 2 ? 0 : 1, self->recs[i].refs);
		EXPECT_EQ(0, self->recs[i].pins);
	}
	close(fd);
}

TEST_F(pin, descriptor)
{
	struct pinprobe_pin_state state, later;
	int fd = take(self, variant, 2, PINPROBE_PIN_WRITE);

	ASSERT_LE(0, fd);
	EXPECT_EQ(FD_CLOEXEC, fcntl(fd, F_GETFD));
	ASSERT_EQ(0, pin_state(fd, &state));
	EXPECT_EQ((uintptr_t)self->area, state.addr);
	EXPECT_EQ(2 * self->page, state.len);
	EXPECT_EQ(variant->call, state.call);
	EXPECT_EQ(PINPROBE_PIN_WRITE, state.pin_flags);
	EXPECT_EQ(0, memcmp(&self->out, &state.outcome, sizeof(self->out)));
	usleep(2000);
	ASSERT_EQ(0, pin_state(fd, &later));
	EXPECT_LE(state.age_ns + 2000000, later.age_ns);
	EXPECT_GT(10 * 1000000000ULL, later.age_ns);
	close(fd);
}

/* Two good pages before the hole are let go of again. */
TEST_F(pin, hole)
{
	ASSERT_EQ(0, munmap(self->area + 2 * self->page, self->page));
	EXPECT_EQ(-EFAULT, take(self, variant, AREA_PAGES, 0));
	EXPECT_EQ(EFAULT, self->out.error);
	EXPECT_EQ(PINPROBE_STAGE_GUP, self->out.stage);
	EXPECT_EQ(AREA_PAGES, self->out.nr_pages);
	EXPECT_EQ(2, self->out.nr_pinned);
	EXPECT_LE(2, self->out.calls);
	EXPECT_EQ((uintptr_t)self->area + 2 * self->page, self->out.fail_addr);
	ASSERT_EQ(0, device_resolve_one(self->dev, self->area, self->recs));
	EXPECT_EQ(1, self->recs[0].refs);
}

TEST_F(pin, no_permission)
{
	ASSERT_EQ(0, mprotect(self->area, self->page, PROT_READ));
	EXPECT_EQ(-EFAULT, take(self, variant, AREA_PAGES, PINPROBE_PIN_WRITE));
	EXPECT_EQ(PINPROBE_STAGE_GUP, self->out.stage);
	EXPECT_EQ((uintptr_t)self->area, self->out.fail_addr);
	EXPECT_EQ(0, self->out.nr_pinned);
	ASSERT_EQ(0, mprotect(self->area, self->page, PROT_NONE));
	EXPECT_EQ(-EFAULT, take(self, variant, AREA_PAGES, 0));
}

/*
 * Reading faults the zero page in, which is not pinned: c8070b787519 ("mm: Don't pin
 * ZERO_PAGE in pin_user_pages()"), v6.5.
 */
TEST_F(pin, zero_page)
{
	int64_t held;
	int fd;

	ASSERT_EQ(0, madvise(self->area, AREA_PAGES * self->page, MADV_DONTNEED));
	fd = take(self, variant, AREA_PAGES, 0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(1, pin_pages(fd, PINPROBE_WHEN_HELD, 0, PINPROBE_PAGES_RUNS,
			       self->recs, 1, NULL));
	EXPECT_TRUE(self->recs[0].flags & PINPROBE_PAGE_ZERO);
	held = vmstat_held() - self->held;
	EXPECT_TRUE(!held ||
		    (!kernel_at_least(6, 5) && held == AREA_PAGES));
	close(fd);
	EXPECT_EQ(0, vmstat_wait_held(self->held, 1000));
}

TEST_F(pin, no_descriptor_left)
{
	struct rlimit limit, none;

	ASSERT_EQ(0, getrlimit(RLIMIT_NOFILE, &limit));
	none = limit;
	none.rlim_cur = 0;
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &none));
	EXPECT_EQ(-EMFILE, take(self, variant, AREA_PAGES, 0));
	EXPECT_EQ(EMFILE, self->out.error);
	EXPECT_EQ(PINPROBE_STAGE_ALLOC, self->out.stage);
	EXPECT_EQ(AREA_PAGES, self->out.nr_pages);
	EXPECT_EQ(0, self->out.nr_pinned);
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
}

static atomic_int ticks;

static void on_tick(int sig)
{
	ticks++;
}

/* Only a signal that kills ends a call early. */
TEST_F(pin, goes_on_through_signals)
{
	struct sigaction action = { .sa_handler = on_tick };
	struct itimerval often = { .it_interval.tv_usec = 1000,
				   .it_value.tv_usec = 1000 };
	struct itimerval never = { };
	struct pinprobe_pin pin = {
		.size = sizeof(pin),
		.flags = PINPROBE_PIN_WRITE,
		.len = 32UL << 20,
		.call = variant->call,
		/* A slow kernel is busy with the signals most of the time. */
		.timeout_ms = 100000,
		.fd = -1,
	};

	pin.addr = (uintptr_t)memory_map(pin.len);
	ASSERT_NE(0, pin.addr);
	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &often, NULL));
	EXPECT_EQ(0, ioctl(self->dev, PINPROBE_IOC_PIN, &pin));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &never, NULL));
	EXPECT_LT(0, ticks);
	EXPECT_EQ(pin.len / self->page, pin.outcome.nr_pinned);
	close(pin.fd);
}

/* A huge range of little substance: over at once, or at the deadline. */
TEST_F(pin, deadline)
{
	struct pinprobe_pin pin = {
		.size = sizeof(pin),
		.flags = PINPROBE_PIN_WRITE,
		.len = 64UL << 20,
		.call = variant->call,
		.timeout_ms = 1,
	};
	int64_t start;

	pin.addr = (uintptr_t)memory_map(pin.len);
	ASSERT_NE(0, pin.addr);
	start = now_ms();
	ASSERT_EQ(-1, ioctl(self->dev, PINPROBE_IOC_PIN, &pin));
	EXPECT_EQ(ETIMEDOUT, errno);
	EXPECT_GT(2000, now_ms() - start);
	EXPECT_EQ(-1, pin.fd);
	EXPECT_EQ(ETIMEDOUT, pin.outcome.error);
	EXPECT_TRUE(pin.outcome.stage == PINPROBE_STAGE_GUP ||
		    pin.outcome.stage == PINPROBE_STAGE_MIGRATE);
	EXPECT_GT(pin.len / self->page, pin.outcome.nr_pinned);
	EXPECT_EQ(pin.addr + pin.outcome.nr_pinned * self->page,
		  pin.outcome.fail_addr);
	/* Still alive, and no signal left behind. */
	EXPECT_EQ(0, usleep(1000));
	munmap((void *)(uintptr_t)pin.addr, pin.len);
}

/*
 * Taken, or refused before the kernel could warn about it, as INFO says. Which
 * it has to be is in abi_info.
 */
TEST(longterm_unlocked)
{
	struct pinprobe_outcome out;
	struct pinprobe_info info;
	int dev = device_open(), fd;
	char *area;

	ASSERT_LE(0, dev);
	ASSERT_EQ(0, device_info(dev, &info));
	area = memory_touched(AREA_PAGES * page_size());
	ASSERT_NE(NULL, area);
	fd = device_pin(dev, area, AREA_PAGES * page_size(),
			PINPROBE_CALL_PIN_UNLOCKED, PINPROBE_PIN_LONGTERM,
			&out);
	if (info.features & PINPROBE_FEATURE_UNLOCKED_LONGTERM) {
		EXPECT_LE(0, fd);
		EXPECT_EQ(AREA_PAGES, out.nr_pinned);
	} else {
		EXPECT_EQ(-EOPNOTSUPP, fd);
		EXPECT_EQ(PINPROBE_STAGE_ARGUMENT, out.stage);
		EXPECT_EQ(0, out.nr_pinned);
		EXPECT_EQ(0, status_kb(0, "VmPin"));
	}
	close(fd);
	close(dev);
}

TEST_HARNESS_MAIN
