/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A page whose first touch sleeps, in user space or inside the kernel, until
 * it is let go: userfaultfd in missing mode.
 */
#ifndef SELFTESTS_FAULT_TRAP_H
#define SELFTESTS_FAULT_TRAP_H

#include <stddef.h>

struct fault_trap {
	int fd;
	size_t len;
	char *fill;
};

/*
 * Traps the untouched @len bytes from @addr on. 0 or -errno; -EOPNOTSUPP where
 * there is no userfaultfd that traps the kernel's accesses.
 */
int fault_trap_set(struct fault_trap *trap, void *addr, size_t len);

/* Waits until somebody sleeps in the trap: 0, or -ETIME. */
int fault_trap_wait(struct fault_trap *trap, int timeout_ms);

/* Fills in the page at @addr, which wakes who sleeps there. */
int fault_trap_fill(struct fault_trap *trap, void *addr);
void fault_trap_free(struct fault_trap *trap);

#endif /* SELFTESTS_FAULT_TRAP_H */
