// SPDX-License-Identifier: GPL-2.0
/* A PIN that fails: the right errno, the right stage, and nothing left. */
#include <errno.h>
#include <linux/capability.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include "kselftest_harness.h"
#include "lib/buffer.h"
#include "lib/device.h"
#include "lib/fault_trap.h"
#include "lib/memory.h"
#include "lib/migrations.h"
#include "lib/vmstat.h"

#define PAGES		16
#define HOLE		5
#define RELEASE_MS	2000
#define DEADLINE_MS	200
/* The guest may be emulated on a busy machine. */
#define DEADLINE_SLACK	25

FIXTURE(failure)
{
	int dev;
	int64_t held;
	struct buffer buffer;
	struct pinprobe_outcome outcome;
};

FIXTURE_VARIANT(failure)
{
	uint32_t call;
	uint32_t flags;
};

FIXTURE_VARIANT_ADD(failure, get) { PINPROBE_CALL_GET };
FIXTURE_VARIANT_ADD(failure, get_fast) { PINPROBE_CALL_GET_FAST };
FIXTURE_VARIANT_ADD(failure, pin) { PINPROBE_CALL_PIN };
FIXTURE_VARIANT_ADD(failure, pin_fast) { PINPROBE_CALL_PIN_FAST };
FIXTURE_VARIANT_ADD(failure, pin_unlocked) { PINPROBE_CALL_PIN_UNLOCKED };
FIXTURE_VARIANT_ADD(failure, pin_remote) { PINPROBE_CALL_PIN_REMOTE };
FIXTURE_VARIANT_ADD(failure, longterm_fast) {
	PINPROBE_CALL_PIN_FAST, PINPROBE_PIN_LONGTERM
};

FIXTURE_SETUP(failure)
{
	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	self->held = vmstat_held();
	ASSERT_LE(0, self->held);
}

FIXTURE_TEARDOWN(failure)
{
	buffer_free(&self->buffer);
	close(self->dev);
}

#define PIN(addr, nr)							\
	device_pin(self->dev, addr, (nr) * page_size(), variant->call,	\
		   variant->flags | PINPROBE_PIN_WRITE, &self->outcome)

/* Neither a page held nor a byte charged. */
#define EXPECT_NOTHING_LEFT() do {					\
	EXPECT_EQ(0, vmstat_wait_held(self->held, RELEASE_MS));		\
	EXPECT_EQ(0, status_kb(0, "VmPin"));				\
} while (0)

TEST_F(failure, hole_in_the_middle)
{
	char *map = memory_touched(PAGES * page_size());
	struct pinprobe_page pages[PAGES];
	unsigned int i;

	ASSERT_NE(NULL, map);
	ASSERT_EQ(0, munmap(map + HOLE * page_size(), page_size()));
	EXPECT_EQ(-EFAULT, PIN(map, PAGES));
	EXPECT_EQ(EFAULT, self->outcome.error);
	EXPECT_EQ(PINPROBE_STAGE_GUP, self->outcome.stage);
	EXPECT_EQ((uintptr_t)map + HOLE * page_size(),
		  self->outcome.fail_addr);
	EXPECT_EQ(PAGES, self->outcome.nr_pages);
	EXPECT_EQ(HOLE, self->outcome.nr_pinned);
	EXPECT_NOTHING_LEFT();
	ASSERT_EQ(PAGES, device_resolve(self->dev, 0, map, PAGES * page_size(),
					0, pages, PAGES, NULL));
	for (i = 0; i < PAGES; i++)
		EXPECT_EQ(0, pages[i].pins);
}

TEST_F(failure, readonly_mapping)
{
	char *map = memory_touched(PAGES * page_size());
	int fd;

	ASSERT_NE(NULL, map);
	ASSERT_EQ(0, mprotect(map, PAGES * page_size(), PROT_READ));
	EXPECT_EQ(-EFAULT, PIN(map, PAGES));
	EXPECT_EQ(PINPROBE_STAGE_GUP, self->outcome.stage);
	EXPECT_EQ((uintptr_t)map, self->outcome.fail_addr);
	EXPECT_EQ(0, self->outcome.nr_pinned);
	EXPECT_NOTHING_LEFT();
	fd = device_pin(self->dev, map, PAGES * page_size(), variant->call,
			variant->flags, NULL);
	EXPECT_LE(0, fd);
	EXPECT_EQ(0, close(fd));
}

static void limit(struct __test_metadata *_metadata, rlim_t bytes)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct caps[2];
	struct rlimit value = { .rlim_cur = bytes, .rlim_max = 1 << 30 };

	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &value));
	ASSERT_EQ(0, syscall(SYS_capget, &header, caps));
	caps[0].effective &= ~(1U << CAP_IPC_LOCK);
	ASSERT_EQ(0, syscall(SYS_capset, &header, caps));
}

TEST_F(failure, memlock)
{
	char *map = memory_touched(PAGES * page_size());
	int fd;

	ASSERT_NE(NULL, map);
	limit(_metadata, PAGES * page_size());
	fd = PIN(map, PAGES);
	EXPECT_LE(0, fd);
	EXPECT_EQ(PAGES * page_size() >> 10, status_kb(0, "VmPin"));
	/* Not one page more. */
	EXPECT_EQ(-ENOMEM, PIN(map, 1));
	EXPECT_EQ(PINPROBE_STAGE_MEMLOCK, self->outcome.stage);
	EXPECT_EQ(0, self->outcome.calls);
	EXPECT_EQ(PAGES * page_size() >> 10, status_kb(0, "VmPin"));
	EXPECT_EQ(0, close(fd));

	limit(_metadata, PAGES * page_size() - 1);
	EXPECT_EQ(-ENOMEM, PIN(map, PAGES));
	EXPECT_EQ(PINPROBE_STAGE_MEMLOCK, self->outcome.stage);
	EXPECT_NOTHING_LEFT();
	limit(_metadata, 0);
	EXPECT_EQ(-EPERM, PIN(map, PAGES));
	EXPECT_EQ(PINPROBE_STAGE_MEMLOCK, self->outcome.stage);
	EXPECT_NOTHING_LEFT();
}

/*
 * Calls that keep the mmap lock cannot wait for userfaultfd: EFAULT at once.
 * Before d64e2dbc33a1 ("mm/gup: simplify the external interface functions and
 * consolidate invariants") and its series (in v6.3), which INFO tells by another
 * effect, FOLL_LONGTERM kept it in every call.
 */
static bool waits(int dev, uint32_t call, uint32_t flags)
{
	struct pinprobe_info info;

	if (device_info(dev, &info))
		return false;
	if (flags & PINPROBE_PIN_LONGTERM &&
	    !(info.features & PINPROBE_FEATURE_UNLOCKED_LONGTERM))
		return false;
	return call != PINPROBE_CALL_GET && call != PINPROBE_CALL_PIN;
}

/*
 * A page that userfaultfd withholds keeps the kernel asleep inside GUP. The
 * call comes back in time, the process lives, and so does a later try.
 */
TEST_F(failure, deadline)
{
	char *map = memory_map(PAGES * page_size());
	char *withheld = map + HOLE * page_size();
	struct pinprobe_pin args = {
		.size = sizeof(args),
		.flags = variant->flags | PINPROBE_PIN_WRITE,
		.addr = (uintptr_t)map,
		.len = PAGES * page_size(),
		.call = variant->call,
		.timeout_ms = DEADLINE_MS,
	};
	struct fault_trap trap;
	bool wait = waits(self->dev, variant->call, variant->flags);
	int64_t start;
	int err, fd;

	ASSERT_NE(NULL, map);
	err = fault_trap_set(&trap, withheld, page_size());
	if (err == -EOPNOTSUPP)
		SKIP(return, "no-userfaultfd");
	ASSERT_EQ(0, err);
	start = now_ms();
	EXPECT_EQ(-1, ioctl(self->dev, PINPROBE_IOC_PIN, &args));
	EXPECT_EQ(wait ? ETIMEDOUT : EFAULT, errno);
	EXPECT_EQ(errno, args.outcome.error);
	if (wait)
		EXPECT_LE(DEADLINE_MS, now_ms() - start);
	EXPECT_GT(DEADLINE_MS * DEADLINE_SLACK, now_ms() - start);
	EXPECT_EQ(PINPROBE_STAGE_GUP, args.outcome.stage);
	EXPECT_EQ(-1, args.fd);
	EXPECT_NOTHING_LEFT();

	EXPECT_EQ(0, fault_trap_fill(&trap, withheld));
	fd = PIN(map, PAGES);
	EXPECT_LE(0, fd);
	EXPECT_EQ(0, close(fd));
	EXPECT_NOTHING_LEFT();
	fault_trap_free(&trap);
}

/* Held by somebody else: cannot move, and what could move has. */
FIXTURE(refused)
{
	int dev;
	int64_t held;
	struct buffer buffer;
	struct pinprobe_outcome outcome;
};

FIXTURE_SETUP(refused)
{
	struct look look;
	int err;

	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	ASSERT_EQ(0, migrations_start());
	look.dev = self->dev;
	err = buffer_find(&self->buffer, &look, BACKING_RANGE,
			  BUFFER_UNPINNABLE);
	if (err == -ENODATA && promise_unpinnable() == ~0U)
		SKIP(return, "not-this-profile: no unpinnable memory");
	ASSERT_EQ(0, err) TH_LOG("saw: %s", self->buffer.histogram);
	self->held = vmstat_held();
}

FIXTURE_TEARDOWN(refused)
{
	buffer_free(&self->buffer);
	close(self->dev);
}

TEST_F(refused, what_moved_stays_moved)
{
	const struct pinprobe_migrate *migrate =
		&self->outcome.migrate[PINPROBE_REASON_LONGTERM_PIN];
	size_t len = self->buffer.len, nr = self->buffer.nr_pages, i;
	struct pinprobe_page *before = calloc(2 * nr, sizeof(*before));
	struct pinprobe_page *after = before + nr;
	size_t moved = 0, held = nr / 2;
	struct migrations seen;
	int fd;

	ASSERT_NE(NULL, before);
	ASSERT_EQ(nr, device_resolve(self->dev, 0, self->buffer.addr, len, 0,
				     before, nr, NULL));
	while (held < nr - 1 && !before[held].unpinnable)
		held++;
	fd = device_pin(self->dev, self->buffer.addr + held * page_size(),
			page_size(), PINPROBE_CALL_PIN_FAST,
			PINPROBE_PIN_WRITE, NULL);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, migrations_clear());
	EXPECT_EQ(-ENOMEM,
		  device_pin(self->dev, self->buffer.addr, len,
			     PINPROBE_CALL_PIN_FAST, PINPROBE_PIN_WRITE |
			     PINPROBE_PIN_LONGTERM | PINPROBE_PIN_SNAPSHOT,
			     &self->outcome));
	ASSERT_EQ(0, migrations_read(&seen));
	EXPECT_EQ(PINPROBE_STAGE_GUP, self->outcome.stage);
	ASSERT_EQ(nr, device_resolve(self->dev, 0, self->buffer.addr, len, 0,
				     after, nr, NULL));
	for (i = 0; i < nr; i++)
		moved += before[i].pfn != after[i].pfn;
	EXPECT_LT(0, moved);
	EXPECT_EQ(moved, migrate->succeeded);
	EXPECT_EQ(moved, self->outcome.moved);
	/*
	 * Pages before the held one that need not move are pinned first; GUP
	 * then returns those, and fails on the held one once more when asked
	 * for the rest.
	 */
	EXPECT_EQ(1, seen.last_failed);
	EXPECT_LE(1, migrate->failed);
	EXPECT_GE(2, migrate->failed);
	EXPECT_EQ(seen.sums.failed, migrate->failed);
	EXPECT_EQ(seen.sums.succeeded, migrate->succeeded);
	EXPECT_EQ(migrate->failed, self->outcome.failed);
	/* The batch that failed begins at most 512 pages before the page. */
	EXPECT_LE(self->outcome.fail_addr, after[held].addr);
	EXPECT_LT(after[held].addr,
		  self->outcome.fail_addr + 512 * page_size());
	EXPECT_EQ(before[held].pfn, after[held].pfn);
	EXPECT_EQ(1, after[held].pins);
	EXPECT_EQ(4, status_kb(0, "VmPin"));
	EXPECT_EQ(0, close(fd));
	EXPECT_EQ(0, vmstat_wait_held(self->held, RELEASE_MS));
	free(before);
}

int main(int argc, char **argv)
{
	int ret;

	/* A test that cannot count finds out and says so. */
	migrations_start();
	ret = test_harness_run(argc, argv);
	migrations_stop();
	return ret;
}
