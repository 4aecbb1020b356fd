// SPDX-License-Identifier: GPL-2.0
/*
 * Calls that would not come back on their own: a deadline ends them and leaves
 * the caller as it was, and SIGKILL ends them and the caller. The page that is
 * asked for sleeps in a userfaultfd that nobody answers, or there are too many.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include "kselftest_harness.h"
#include "lib/child.h"
#include "lib/device.h"
#include "lib/fault_trap.h"
#include "lib/memory.h"
#include "lib/vmstat.h"

#define USERFAULTFD	"/proc/sys/vm/unprivileged_userfaultfd"
#define AREA_PAGES	4
#define TRAPPED		2	/* this page and those behind it */
#define DEADLINE_MS	40
#define PROMPT_MS	3000	/* soon, on a slow and busy machine */
#define BIG_LEN		(64UL << 20)

FIXTURE(deadline)
{
	int dev;
	uint64_t page;
	char *area;
	struct fault_trap trap;
	int64_t held;
};

FIXTURE_VARIANT(deadline)
{
	uint32_t call;
};

FIXTURE_VARIANT_ADD(deadline, get_fast)
{
	.call = PINPROBE_CALL_GET_FAST,
};

FIXTURE_VARIANT_ADD(deadline, get_unlocked)
{
	.call = PINPROBE_CALL_GET_UNLOCKED,
};

FIXTURE_VARIANT_ADD(deadline, get_remote)
{
	.call = PINPROBE_CALL_GET_REMOTE,
};

FIXTURE_VARIANT_ADD(deadline, pin_fast)
{
	.call = PINPROBE_CALL_PIN_FAST,
};

FIXTURE_VARIANT_ADD(deadline, pin_unlocked)
{
	.call = PINPROBE_CALL_PIN_UNLOCKED,
};

FIXTURE_VARIANT_ADD(deadline, pin_remote)
{
	.call = PINPROBE_CALL_PIN_REMOTE,
};

static int set_trap(struct _test_data_deadline *self)
{
	self->area = memory_map(AREA_PAGES * self->page);
	if (!self->area)
		return -ENOMEM;
	for (int i = 0; i < TRAPPED; i++)
		self->area[i * self->page] = 1;
	return fault_trap_set(&self->trap, self->area + TRAPPED * self->page,
			      (AREA_PAGES - TRAPPED) * self->page);
}

FIXTURE_SETUP(deadline)
{
	self->page = page_size();
	self->trap.fd = -1;
	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	self->held = vmstat_held();
	ASSERT_LE(0, self->held);
	if (access(USERFAULTFD, F_OK))
		SKIP(return, "no-userfaultfd: no " USERFAULTFD);
	ASSERT_EQ(0, set_trap(self));
}

FIXTURE_TEARDOWN(deadline)
{
	fault_trap_free(&self->trap);
	EXPECT_EQ(0, vmstat_wait_held(self->held, PROMPT_MS));
	EXPECT_EQ(0, status_kb(0, "VmPin"));
	close(self->dev);
}

static struct pinprobe_pin request(struct _test_data_deadline *self,
				   uint32_t call, uint32_t timeout_ms)
{
	return (struct pinprobe_pin){
		.size = sizeof(struct pinprobe_pin),
		.flags = PINPROBE_PIN_WRITE,
		.addr = (uintptr_t)self->area,
		.len = AREA_PAGES * self->page,
		.call = call,
		.timeout_ms = timeout_ms,
	};
}

static void expect_timed_out(struct __test_metadata *_metadata,
			     struct _test_data_deadline *self,
			     const struct _fixture_variant_deadline *variant)
{
	struct pinprobe_pin pin = request(self, variant->call, DEADLINE_MS);
	int64_t start = now_ms();

	EXPECT_EQ(-1, ioctl(self->dev, PINPROBE_IOC_PIN, &pin));
	EXPECT_EQ(ETIMEDOUT, errno);
	EXPECT_LE(DEADLINE_MS - 10, now_ms() - start);
	EXPECT_GT(DEADLINE_MS + PROMPT_MS, now_ms() - start);
	EXPECT_EQ(-1, pin.fd);
	EXPECT_EQ(ETIMEDOUT, pin.outcome.error);
	EXPECT_EQ(PINPROBE_STAGE_GUP, pin.outcome.stage);
	EXPECT_EQ(0, pin.outcome.migrate[PINPROBE_REASON_LONGTERM_PIN].calls);
	EXPECT_GE(TRAPPED, pin.outcome.nr_pinned);
	EXPECT_EQ(pin.addr + pin.outcome.nr_pinned * self->page,
		  pin.outcome.fail_addr);
	EXPECT_EQ(self->held, vmstat_held());
	EXPECT_EQ(0, status_kb(0, "VmPin"));
}

/* A call that was cut short can be made again, and works when it can work. */
TEST_F(deadline, passes)
{
	struct pinprobe_pin pin = request(self, variant->call, 0);

	expect_timed_out(_metadata, self, variant);
	expect_timed_out(_metadata, self, variant);
	for (int i = TRAPPED; i < AREA_PAGES; i++)
		fault_trap_fill(&self->trap, self->area + i * self->page);
	ASSERT_EQ(0, ioctl(self->dev, PINPROBE_IOC_PIN, &pin));
	EXPECT_EQ(AREA_PAGES, pin.outcome.nr_pinned);
	close(pin.fd);
}

static atomic_int caught;

static void on_signal(int sig)
{
	caught++;
}

/* What ends the call is no signal to the caller, and eats none. */
TEST_F(deadline, signals)
{
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t set, pending;

	ASSERT_EQ(0, sigaction(SIGUSR1, &action, NULL));
	expect_timed_out(_metadata, self, variant);
	ASSERT_EQ(0, sigpending(&pending));
	for (int sig = 1; sig < SIGRTMAX; sig++)
		EXPECT_NE(1, sigismember(&pending, sig));

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	ASSERT_EQ(0, sigprocmask(SIG_BLOCK, &set, NULL));
	raise(SIGUSR1);
	expect_timed_out(_metadata, self, variant);
	EXPECT_EQ(0, caught);
	ASSERT_EQ(0, sigprocmask(SIG_UNBLOCK, &set, NULL));
	EXPECT_EQ(1, caught);
	EXPECT_EQ(0, usleep(1000));
}

/* A child with a trap of its own: a userfaultfd does not follow a fork. */
static int pin_for_ever(int sock, void *arg)
{
	struct _test_data_deadline *self = arg;
	struct pinprobe_pin pin;
	int timeout_ms, call;

	if (set_trap(self) || child_hear(sock, &call, NULL) ||
	    child_hear(sock, &timeout_ms, NULL))
		return 1;
	child_say(sock, 0, -1);
	for (;;) {
		pin = request(self, call, timeout_ms);
		if (!ioctl(self->dev, PINPROBE_IOC_PIN, &pin))
			return 2;
	}
}

static void kill_in_call(struct __test_metadata *_metadata,
			 struct _test_data_deadline *self, uint32_t call,
			 int timeout_ms, int after_us)
{
	struct child child;
	int64_t start;
	int value;

	ASSERT_EQ(0, child_start(&child, pin_for_ever, self));
	ASSERT_EQ(0, child_say(child.sock, call, -1));
	ASSERT_EQ(0, child_say(child.sock, timeout_ms, -1));
	ASSERT_EQ(0, child_hear(child.sock, &value, NULL));
	usleep(after_us);
	start = now_ms();
	EXPECT_EQ(-SIGKILL, child_kill(&child));
	EXPECT_GT(PROMPT_MS, now_ms() - start);
	EXPECT_EQ(self->held, vmstat_held());
}

TEST_F(deadline, killed_before)
{
	for (int turn = 0; turn < 2; turn++)
		kill_in_call(_metadata, self, variant->call,
			     PINPROBE_PIN_TIMEOUT_MAX_MS, 20000 + turn * 5000);
}

/* Whichever comes first, a killed process does not live on. */
TEST_F(deadline, killed_at_the_moment)
{
	for (int turn = 0; turn < 12; turn++)
		kill_in_call(_metadata, self, variant->call, 1 + turn % 3,
			     2000 + turn * 700);
}

struct end {
	struct _test_data_deadline *self;
	pid_t main;
	bool by_signal;
};

/*
 * Keeps the CPU from the thread that is in the call, from before its deadline
 * until after it, and then ends them both: what the deadline did to the thread
 * is still there, and must not be mistaken for what ends it now.
 */
static void *hog_and_end(void *arg)
{
	struct sched_param param = { .sched_priority = 1 };
	struct end *end = arg;
	int64_t until;

	sched_setscheduler(0, SCHED_FIFO, &param);
	usleep(DEADLINE_MS * 1000 / 2);
	until = now_ms() + 2 * DEADLINE_MS;
	while (now_ms() < until)
		;
	if (!end->by_signal)
		_exit(7);
	syscall(SYS_tgkill, getpid(), end->main, SIGKILL);
	return NULL;
}

static int pin_until_ended(int sock, void *arg)
{
	struct end *end = arg;
	struct pinprobe_pin pin;
	pthread_t thread;
	int64_t limit;
	int call;

	if (memory_stay() || set_trap(end->self) ||
	    child_hear(sock, &call, NULL))
		return 1;
	end->main = syscall(SYS_gettid);
	if (pthread_create(&thread, NULL, hog_and_end, end))
		return 1;
	limit = now_ms() + PROMPT_MS;
	while (now_ms() < limit) {
		pin = request(end->self, call, DEADLINE_MS);
		if (!ioctl(end->self->dev, PINPROBE_IOC_PIN, &pin))
			return 2;
	}
	return 3;
}

/* A real end that comes just after the deadline is not taken back with it. */
static void end_just_after(struct __test_metadata *_metadata,
			   struct end *end, uint32_t call, int result)
{
	struct child child;
	int64_t start;

	ASSERT_EQ(0, child_start(&child, pin_until_ended, end));
	ASSERT_EQ(0, child_say(child.sock, call, -1));
	start = now_ms();
	EXPECT_EQ(result, child_wait(&child));
	/* A thread that missed the end gives up after that time. */
	EXPECT_GT(PROMPT_MS, now_ms() - start);
	close(child.sock);
}

TEST_F(deadline, exit_just_after)
{
	struct end end = { .self = self };

	end_just_after(_metadata, &end, variant->call, 7);
}

/* To the one thread, as cgroup.kill does it too. */
TEST_F(deadline, sigkill_just_after)
{
	struct end end = { .self = self, .by_signal = true };

	end_just_after(_metadata, &end, variant->call, -SIGKILL);
}

/* Most of what a process could have, all of it to be faulted in. */
static int pin_much(int sock, void *arg)
{
	struct pinprobe_outcome out;
	struct _test_data_deadline *self = arg;
	void *area = memory_map(BIG_LEN);
	int call;

	if (!area || child_hear(sock, &call, NULL))
		return 1;
	child_say(sock, 0, -1);
	for (;;)
		close(device_pin(self->dev, area, BIG_LEN, call,
				 PINPROBE_PIN_WRITE, &out));
}

TEST_F(deadline, killed_in_a_big_range)
{
	struct child child;
	int64_t start;
	int value;

	for (int turn = 0; turn < 3; turn++) {
		ASSERT_EQ(0, child_start(&child, pin_much, self));
		ASSERT_EQ(0, child_say(child.sock, variant->call, -1));
		ASSERT_EQ(0, child_hear(child.sock, &value, NULL));
		usleep(500 + turn * 12000);
		start = now_ms();
		EXPECT_EQ(-SIGKILL, child_kill(&child));
		EXPECT_GT(PROMPT_MS, now_ms() - start);
		EXPECT_EQ(self->held, vmstat_held());
	}
}

FIXTURE(trap)
{
	struct _test_data_deadline base;
};

FIXTURE_SETUP(trap)
{
	self->base.page = page_size();
	self->base.dev = device_open();
	ASSERT_LE(0, self->base.dev);
	self->base.held = vmstat_held();
	if (access(USERFAULTFD, F_OK))
		SKIP(return, "no-userfaultfd: no " USERFAULTFD);
	ASSERT_EQ(0, set_trap(&self->base));
}

FIXTURE_TEARDOWN(trap)
{
	fault_trap_free(&self->base.trap);
	EXPECT_EQ(0, vmstat_wait_held(self->base.held, PROMPT_MS));
	close(self->base.dev);
}

/* With the mmap lock held across the call, the fault may not sleep at all. */
TEST_F(trap, calls_under_the_lock)
{
	static const uint32_t calls[] = { PINPROBE_CALL_GET,
					  PINPROBE_CALL_PIN };

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		struct pinprobe_pin pin = request(&self->base, calls[i], 1000);

		EXPECT_EQ(-1, ioctl(self->base.dev, PINPROBE_IOC_PIN, &pin));
		EXPECT_EQ(EFAULT, errno);
		EXPECT_EQ(PINPROBE_STAGE_GUP, pin.outcome.stage);
		EXPECT_EQ(TRAPPED, pin.outcome.nr_pinned);
	}
}

/* Neither does looking spring the trap, nor asking for pages sleep in it. */
TEST_F(trap, resolve)
{
	static const uint32_t flags[] = { 0, PINPROBE_RESOLVE_FAULT };
	struct pinprobe_page recs[AREA_PAGES];

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		ASSERT_EQ(AREA_PAGES,
			  device_resolve(self->base.dev, 0, self->base.area,
					 AREA_PAGES * self->base.page, flags[i],
					 recs, AREA_PAGES, NULL));
		for (int k = 0; k < AREA_PAGES; k++)
			EXPECT_EQ(k < TRAPPED ? PINPROBE_STATE_PRESENT :
				  PINPROBE_STATE_ABSENT, recs[k].state);
	}
}

#define WINDOW		(16UL << 20)
#define WINDOWS		256UL

/* Gigabytes of room for records, all of them the same 16 MiB. */
static char *much_room(void)
{
	int file = memfd_create("room", MFD_CLOEXEC);
	char *room;

	if (file < 0 || ftruncate(file, WINDOW))
		return NULL;
	room = mmap(NULL, WINDOWS * WINDOW, PROT_NONE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (room == MAP_FAILED)
		return NULL;
	for (unsigned long i = 0; i < WINDOWS; i++)
		if (mmap(room + i * WINDOW, WINDOW, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
			return NULL;
	return room;
}

static int resolve_much(int sock, void *arg)
{
	uint32_t room = WINDOWS * WINDOW / sizeof(struct pinprobe_page);
	struct _test_data_deadline *self = arg;
	char *recs = much_room();

	if (!recs)
		return 1;
	child_say(sock, 0, -1);
	return device_resolve(self->dev, 0, (void *)(1UL << 40),
			      room * self->page, 0, (void *)recs, room,
			      NULL) == room ? 0 : 2;
}

TEST_F(trap, killed_while_resolve_writes)
{
	struct child child;
	int64_t start;
	int value;

	ASSERT_EQ(0, child_start(&child, resolve_much, &self->base));
	ASSERT_EQ(0, child_hear(child.sock, &value, NULL));
	usleep(200000);
	start = now_ms();
	EXPECT_EQ(-SIGKILL, child_kill(&child));
	EXPECT_GT(PROMPT_MS, now_ms() - start) {
		TH_LOG("lived on for %ld ms", (long)(now_ms() - start));
	}
}

TEST_HARNESS_MAIN
