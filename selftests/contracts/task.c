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
#define END_MS		10000

static int64_t clock_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

static int begin(void *arg)
{
	struct task *task = arg;

	task->ret = task->call(task->arg);
	__atomic_store_n(&task->done, true, __ATOMIC_RELEASE);
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

static int reap(struct task *task)
{
	struct rusage usage;
	int status;

	if (wait4(task->tid, &status, __WALL, &usage) < 0)
		return -errno;
	task->cpu_us = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) *
		       1000000LL + usage.ru_utime.tv_usec +
		       usage.ru_stime.tv_usec;
	task->minor_faults = usage.ru_minflt;
	task->voluntary_switches = usage.ru_nvcsw;
	close(task->pidfd);
	munmap(task->stack, STACK_SIZE);
	return 0;
}

/* What a task that is still there has used. */
static int64_t cpu_us_of(pid_t tid)
{
	struct timespec used;
	clockid_t clock;

	if (clock_getcpuclockid(tid, &clock) || clock_gettime(clock, &used))
		return 0;
	return used.tv_sec * 1000000LL + used.tv_nsec / 1000;
}

static int finish(struct task *task, unsigned int ms)
{
	int err = await(task->pidfd, ms);

	if (err != -ETIME)
		return err ? err : reap(task);
	task->timed_out = true;
	if (kill(task->tid, SIGKILL))
		return -errno;
	err = await(task->pidfd, ms);
	if (err != -ETIME)
		return err ? err : reap(task);
	task->stuck = true;
	task->cpu_us = cpu_us_of(task->tid);
	return 0;
}

int task_end(struct task *task)
{
	int err = await(task->pidfd, END_MS);

	if (!err)
		err = reap(task);
	if (!err)
		task->stuck = false;
	return err;
}

int task_run(struct task *task, int (*call)(void *arg), void *arg,
	     unsigned int deadline_ms, int *ret)
{
	int64_t begun;
	int err;

	memset(task, 0, sizeof(*task));
	task->call = call;
	task->arg = arg;
	/* MAP_STACK alone: no huge page, nothing that would be counted as moved. */
	task->stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_POPULATE,
			   -1, 0);
	if (task->stack == MAP_FAILED)
		return -errno;
	begun = clock_us();
	task->tid = clone(begin, task->stack + STACK_SIZE,
			  CLONE_VM | CLONE_FILES | CLONE_FS | CLONE_PIDFD |
			  SIGCHLD, task, &task->pidfd);
	if (task->tid < 0) {
		err = -errno;
		munmap(task->stack, STACK_SIZE);
		return err;
	}
	err = finish(task, deadline_ms);
	task->spent_us = clock_us() - begun;
	if (err)
		return err;
	if (__atomic_load_n(&task->done, __ATOMIC_ACQUIRE)) {
		*ret = task->ret;
		return 0;
	}
	*ret = -ETIMEDOUT;
	return task->timed_out ? 0 : -EINTR;
}
