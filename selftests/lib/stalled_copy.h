/* SPDX-License-Identifier: GPL-2.0 */
/*
 * process_vm_readv() that sleeps in the middle: it pins what it reads from, and
 * userfaultfd withholds what it writes to.
 */
#ifndef SELFTESTS_STALLED_COPY_H
#define SELFTESTS_STALLED_COPY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "fault_trap.h"

struct stalled_copy {
	pthread_t thread;
	struct fault_trap trap;
	char *from, *to;
	size_t len;
	ssize_t copied;		/* there when it has ended */
	bool running;
};

/*
 * Begins to read @len bytes at @from, and returns when it sleeps. 0 or -errno;
 * -EOPNOTSUPP where there is no userfaultfd that traps the kernel's accesses.
 * stalled_copy_free() whatever it returned.
 */
int stalled_copy_start(struct stalled_copy *copy, char *from, size_t len);

/* Lets it go on, and waits: 0, or -errno if not all was copied. */
int stalled_copy_end(struct stalled_copy *copy);

/* Ends it if it runs. */
void stalled_copy_free(struct stalled_copy *copy);

#endif /* SELFTESTS_STALLED_COPY_H */
