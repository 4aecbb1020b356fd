/* SPDX-License-Identifier: GPL-2.0 */
/* Pools of hugetlb pages, one for each size. */
#ifndef SELFTESTS_HUGETLB_H
#define SELFTESTS_HUGETLB_H

#include <stddef.h>
#include <stdint.h>

#define HUGETLB_GIGANTIC_SIZE	(1UL << 30)

/*
 * Makes the pool hold @nr pages, and lets as many more come on demand. -ENODEV if
 * there are none of that size here, -ENOMEM if fewer came; then it has those.
 */
int hugetlb_pool_set(size_t size, unsigned long nr);

/* Lets @nr more than the pool has come on demand. -ENODEV or another -errno. */
int hugetlb_overcommit_set(size_t size, unsigned long nr);

/* Pages that nobody has or was promised, or -errno. */
int64_t hugetlb_pool_free(size_t size);

/*
 * Pages that a fault without a promise could get: those, and what may come on
 * demand. Or -errno.
 */
int64_t hugetlb_pool_reach(size_t size);

/* @nr pages, each promised by the pool, or NULL. */
char *hugetlb_map(size_t size, size_t nr);

#endif /* SELFTESTS_HUGETLB_H */
