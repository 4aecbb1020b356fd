// SPDX-License-Identifier: GPL-2.0
/* Runs a call that may have to be killed. */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "task.h"

#define STACK_SIZE	(256UL << 10)

struct start {
	int (*call)(void *arg);
	void *arg;
	int ret;
	bool done;		/* stored last: @ret is not there without it */
};

static int64_t clock_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

static int begin(void *arg)
{
	struct start *start = arg;

	start->ret = start->call(start->arg);
	__atomic_store_n(&start->done, true, __ATOMIC_RELEASE);
	return 0;
}

static int await(int pidfd, unsigned int ms)
{
	struct pollfd end = { .fd = pidfd, .events = POLLIN };
	int64_t deadline = clock_us() + ms * 1000LL, left;
	int ret;

	do {
		left = (deadline - clock_us()) / 1000;
		ret = poll(&end, 1, left > 0 ? left : 0);
	} while (ret < 0 && errno == EINTR);
	if (ret < 0)
		return -errno;
	return ret ? 0 : -ETIME;
}

static int reap(struct task *task, int pidfd, unsigned int ms)
{
	struct rusage usage;
	int err, status;

	err = await(pidfd, ms);
	if (err == -ETIME) {
		task->timed_out = true;
		if (kill(task->tid, SIGKILL))
			return -errno;
		err = await(pidfd, ms);
	}
	if (err)
		return err;
	if (wait4(task->tid, &status, __WALL, &usage) < 0)
		return -errno;
	task->cpu_us = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) *
		       1000000LL + usage.ru_utime.tv_usec +
		       usage.ru_stime.tv_usec;
	task->minor_faults = usage.ru_minflt;
	task->voluntary_switches = usage.ru_nvcsw;
	return 0;
}

int task_run(struct task *task, int (*call)(void *arg), void *arg,
	     unsigned int deadline_ms, int *ret)
{
	struct start start = { .call = call, .arg = arg };
	int64_t begun;
	char *stack;
	int pidfd = -1, err;

	memset(task, 0, sizeof(*task));
	/* MAP_STACK alone: no huge page, nothing that would be counted as moved. */
	stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_POPULATE, -1, 0);
	if (stack == MAP_FAILED)
		return -errno;
	begun = clock_us();
	task->tid = clone(begin, stack + STACK_SIZE,
			  CLONE_VM | CLONE_FILES | CLONE_FS | CLONE_PIDFD |
			  SIGCHLD, &start, &pidfd);
	if (task->tid < 0) {
		err = -errno;
		munmap(stack, STACK_SIZE);
		return err;
	}
	err = reap(task, pidfd, deadline_ms);
	task->spent_us = clock_us() - begun;
	close(pidfd);
	/* A task that is still there keeps its stack. */
	if (err != -ETIME)
		munmap(stack, STACK_SIZE);
	if (err)
		return err;
	if (__atomic_load_n(&start.done, __ATOMIC_ACQUIRE)) {
		*ret = start.ret;
		return 0;
	}
	*ret = -ETIMEDOUT;
	return task->timed_out ? 0 : -EINTR;
}
