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
	int64_t spent_us;
	int64_t cpu_us;
	uint64_t minor_faults;
	uint64_t voluntary_switches;
};

/*
 * Runs @call(@arg) and stores what it returns in @ret. 0; -ETIME if even
 * SIGKILL did not end it within @deadline_ms more; -EINTR if a signal ended it;
 * or another -errno. @call may do nothing but the system calls it is for: it
 * shares the C library's state with the caller, which sleeps meanwhile.
 */
int task_run(struct task *task, int (*call)(void *arg), void *arg,
	     unsigned int deadline_ms, int *ret);

#endif /* CONTRACTS_TASK_H */
