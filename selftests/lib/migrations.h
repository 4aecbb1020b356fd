/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which migrations the calling thread ran for a long-term pin: the kernel's
 * mm_migrate_pages events, in a tracefs instance of our own.
 */
#ifndef SELFTESTS_MIGRATIONS_H
#define SELFTESTS_MIGRATIONS_H

#include <stdint.h>
#include <sys/types.h>
#include <linux/pinprobe.h>

struct migrations {
	struct pinprobe_migrate sums;	/* over all calls of migrate_pages() */
	uint64_t last_failed;		/* pages that failed in the last of them */
};

/*
 * Makes the instance, if this process has not inherited one; 0 or -errno. To
 * make one costs tens of milliseconds: a test program does it before it forks.
 */
int migrations_start(void);

/* Removes the instance. Only for the process that made it. */
void migrations_stop(void);

/* Forgets what happened until now. 0 or -errno. */
int migrations_clear(void);

/* Adds up the events of a thread since then, @tid 0: the caller. 0 or -errno. */
int migrations_read_of(pid_t tid, struct migrations *migrations);
int migrations_read(struct migrations *migrations);

/*
 * For memory that is hugetlb pages of @nr base pages each and nothing else: before
 * "mm: migrate: correct the hugetlb migration stats" (5d39a7ebc8be, v5.17) an event
 * counted such a page as one. Which of the two, the numbers tell.
 */
void migrations_of_hugetlb(struct migrations *migrations, size_t nr);

#endif /* SELFTESTS_MIGRATIONS_H */
