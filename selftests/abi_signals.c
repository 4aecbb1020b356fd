// SPDX-License-Identifier: GPL-2.0
/*
 * A signal that is no kill does not end a call: not the first one that looks at
 * an address space either, where the kernel takes all of its locks and gives up
 * if anything is pending. The request lies in a page that is filled in only when
 * something is.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include "kselftest_harness.h"
#include "lib/child.h"
#include "lib/device.h"
#include "lib/fault_trap.h"
#include "lib/memory.h"
#include "lib/vmstat.h"

#define USERFAULTFD	"/proc/sys/vm/unprivileged_userfaultfd"
#define AREA_PAGES	4
#define WAIT_MS		10000
#define WENT_WRONG	200	/* above any errno */

enum asked { ASK_RESOLVE, ASK_PIN, ASK_PIN_PAGES };

/* The one call, and who disturbs it. */
struct call {
	enum asked asked;
	int fd;
	unsigned long cmd;
	uint64_t len;
	char *area;
	char *request;		/* a page, trapped */
	struct pinprobe_page pages[AREA_PAGES];
	struct fault_trap trap;
	pthread_t disturber;
	pid_t tid;
	int tracer;		/* socket to it, -1: a signal instead */
	int err;
};

static atomic_int caught;

static void count_signal(int sig)
{
	caught++;
}

static void write_request(struct call *call)
{
	void *to = call->trap.fill;

	memset(to, 0, page_size());
	if (call->asked == ASK_RESOLVE) {
		call->cmd = PINPROBE_IOC_RESOLVE;
		*(struct pinprobe_resolve *)to = (struct pinprobe_resolve){
			.size = sizeof(struct pinprobe_resolve),
			.addr = (uintptr_t)call->area,
			.len = call->len,
			.records = (uintptr_t)call->pages,
			.nr_records = AREA_PAGES,
			.record_size = sizeof(*call->pages),
		};
	} else if (call->asked == ASK_PIN) {
		call->cmd = PINPROBE_IOC_PIN;
		*(struct pinprobe_pin *)to = (struct pinprobe_pin){
			.size = sizeof(struct pinprobe_pin),
			.flags = PINPROBE_PIN_SNAPSHOT,
			.addr = (uintptr_t)call->area,
			.len = call->len,
			.call = PINPROBE_CALL_PIN_FAST,
		};
	} else {
		call->cmd = PINPROBE_IOC_PIN_PAGES;
		*(struct pinprobe_pin_pages *)to = (struct pinprobe_pin_pages){
			.size = sizeof(struct pinprobe_pin_pages),
			.records = (uintptr_t)call->pages,
			.nr_records = AREA_PAGES,
			.record_size = sizeof(*call->pages),
			.when = PINPROBE_WHEN_NOW,
		};
	}
}

/* When the call waits for its request: something pending, then the request. */
static void *disturb(void *arg)
{
	struct call *call = arg;
	int word, fd;

	call->err = fault_trap_wait(&call->trap, WAIT_MS);
	if (!call->err && call->tracer < 0)
		call->err = syscall(SYS_tgkill, getpid(), call->tid, SIGUSR1) ?
			    -errno : 0;
	else if (!call->err)
		call->err = child_say(call->tracer, 1, -1) ?:
			    child_hear(call->tracer, &word, &fd);
	fault_trap_fill(&call->trap, call->request);
	return NULL;
}

static int prepare(struct call *call, int dev)
{
	struct sigaction action = { .sa_handler = count_signal };
	int err;

	call->len = AREA_PAGES * page_size();
	call->area = memory_touched(call->len);
	call->request = memory_map(page_size());
	call->tid = gettid();
	call->fd = dev;
	if (!call->area || !call->request || sigaction(SIGUSR1, &action, NULL))
		return -ENOMEM;
	if (call->asked == ASK_PIN_PAGES)
		call->fd = device_pin(dev, call->area, call->len,
				      PINPROBE_CALL_PIN_FAST, 0, NULL);
	if (call->fd < 0)
		return call->fd;
	err = fault_trap_set(&call->trap, call->request, page_size());
	if (err)
		return err;
	write_request(call);
	return -pthread_create(&call->disturber, NULL, disturb, call);
}

/* 0 if the call did all it was asked for, else what it said. */
static int make_call(struct call *call)
{
	int ret = ioctl(call->fd, call->cmd, call->request) ? -errno : 0;
	struct pinprobe_pin_pages *listed = (void *)call->request;
	struct pinprobe_resolve *found = (void *)call->request;
	struct pinprobe_pin *pin = (void *)call->request;

	pthread_join(call->disturber, NULL);
	fault_trap_free(&call->trap);
	if (call->err)
		return call->err;
	if (ret)
		return ret;
	if (call->asked == ASK_RESOLVE)
		return found->filled == AREA_PAGES ? 0 : -EIO;
	if (call->asked == ASK_PIN_PAGES) {
		close(call->fd);
		return listed->filled == AREA_PAGES ? 0 : -EIO;
	}
	close(pin->fd);
	return pin->outcome.error || pin->outcome.nr_pinned != AREA_PAGES ||
	       !(pin->outcome.flags & PINPROBE_OUTCOME_SNAPSHOT) ? -EIO : 0;
}

FIXTURE(pending)
{
	struct call call;
	int dev;
	int64_t held;
};

FIXTURE_VARIANT(pending)
{
	enum asked asked;
};

FIXTURE_VARIANT_ADD(pending, resolve) { .asked = ASK_RESOLVE };
FIXTURE_VARIANT_ADD(pending, pin) { .asked = ASK_PIN };
FIXTURE_VARIANT_ADD(pending, pin_pages) { .asked = ASK_PIN_PAGES };

FIXTURE_SETUP(pending)
{
	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	self->held = vmstat_held();
	ASSERT_LE(0, self->held);
	self->call.asked = variant->asked;
	self->call.tracer = -1;
	if (access(USERFAULTFD, F_OK))
		SKIP(return, "no-userfaultfd: no " USERFAULTFD);
}

FIXTURE_TEARDOWN(pending)
{
	EXPECT_EQ(0, vmstat_wait_held(self->held, WAIT_MS));
	EXPECT_EQ(0, status_kb(0, "VmPin"));
	close(self->dev);
}

TEST_F(pending, signal)
{
	ASSERT_EQ(0, prepare(&self->call, self->dev));
	EXPECT_EQ(0, make_call(&self->call));
	EXPECT_EQ(1, caught);
}

static int be_traced(int sock, void *arg)
{
	struct _test_data_pending *self = arg;
	struct call *call = &self->call;
	int word, fd, ret;

	call->tracer = sock;
	ret = prepare(call, self->dev);
	if (ret || child_say(sock, 0, -1) || child_hear(sock, &word, &fd))
		return WENT_WRONG;
	return -make_call(call);
}

/* A stop cannot be held back: the call begins again when it goes on. */
TEST_F(pending, stop)
{
	struct child child;
	int word, fd, status;

	ASSERT_EQ(0, child_start(&child, be_traced, self));
	ASSERT_EQ(0, child_hear(child.sock, &word, &fd));
	ASSERT_EQ(0, ptrace(PTRACE_SEIZE, child.pid, 0, 0));
	ASSERT_EQ(0, child_say(child.sock, 0, -1));
	ASSERT_EQ(0, child_hear(child.sock, &word, &fd));
	ASSERT_EQ(1, word);
	ASSERT_EQ(0, ptrace(PTRACE_INTERRUPT, child.pid, 0, 0));
	ASSERT_EQ(0, child_say(child.sock, 0, -1));
	ASSERT_EQ(child.pid, waitpid(child.pid, &status, 0));
	ASSERT_TRUE(WIFSTOPPED(status)) {
		TH_LOG("ended with %d before it stopped", WEXITSTATUS(status));
	}
	ASSERT_EQ(0, ptrace(PTRACE_CONT, child.pid, 0, 0));
	EXPECT_EQ(0, child_wait(&child));
}

TEST_HARNESS_MAIN
