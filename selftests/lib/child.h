/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SELFTESTS_CHILD_H
#define SELFTESTS_CHILD_H

#include <sys/types.h>

/* A process to work on, with a socket to it. It dies with its parent. */
struct child {
	pid_t pid;
	int sock;
};

/* Runs @run(socket, @arg) in a new process, which exits with its result. */
int child_start(struct child *child, int (*run)(int sock, void *arg), void *arg);

/* Closes the socket, which every child takes as its end, and waits. */
int child_end(struct child *child);

/* SIGKILL, and waits. */
int child_kill(struct child *child);

/* Waits; the exit code, or minus the signal. */
int child_wait(struct child *child);

/*
 * Messages between the two: a number, and a descriptor when @fd is not -1.
 * Hearing waits up to ten seconds. 0 or -errno; -EPIPE if the other has gone.
 */
int child_say(int sock, int value, int fd);
int child_hear(int sock, int *value, int *fd);

#endif /* SELFTESTS_CHILD_H */
