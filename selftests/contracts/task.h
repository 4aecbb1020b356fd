/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A call that may never return, in a task of its own that shares address space
 * and descriptors with the caller: it can be killed without it, and while it
 * runs the caller can look at the same memory.
 */
#ifndef CONTRACTS_TASK_H
#define CONTRACTS_TASK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct task {
	pid_t tid;
	bool timed_out;		/* it was killed at the deadline */
	bool stuck;		/* and was there as long again: see task_end() */
	int64_t spent_us;
	int64_t cpu_us;
	uint64_t minor_faults;
	uint64_t voluntary_switches;
	/* Its own, as long as it runs. */
	int pidfd;
	char *stack;
	int (*call)(void *arg);
	void *arg;
	int ret;
	bool done;		/* stored last: @ret is not there without it */
};

/*
 * Runs @call(@arg) and stores what it returns in @ret, -ETIMEDOUT if it did not
 * return. 0; -EINTR if a signal ended it; or another -errno. @call may do nothing
 * but the system calls it is for: it shares the C library's state with the caller,
 * which sleeps meanwhile.
 */
int task_run(struct task *task, int (*call)(void *arg), void *arg,
	     unsigned int deadline_ms, int *ret);

/*
 * Waits for a task that even SIGKILL did not end, when what it sleeps for has
 * come. 0, or -ETIME. Until then the caller maps and unmaps nothing: the task may
 * have the lock for that.
 */
int task_end(struct task *task);

#endif /* CONTRACTS_TASK_H */
