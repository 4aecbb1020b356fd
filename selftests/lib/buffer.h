/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Anonymous memory of a wanted kind. Where it lies is never assumed: pages are
 * touched until some are seen to lie where they should.
 */
#ifndef SELFTESTS_BUFFER_H
#define SELFTESTS_BUFFER_H

#include <stddef.h>
#include "look.h"
#include "promise.h"

enum backing {
	BACKING_ANON,		/* one base page */
	BACKING_THP,		/* one huge folio */
	BACKING_RANGE,		/* 16 MiB of base pages, scattered */
	BACKING_HUGETLB,	/* one huge page of the hugetlb pool */
	BACKING_GIGANTIC,	/* one of 1 GiB */
};

enum buffer_want {
	BUFFER_UNPINNABLE,	/* pages that a long-term pin must move */
	BUFFER_ORDINARY,	/* pages that may stay */
	BUFFER_ANY,		/* no matter where */
};

struct buffer {
	char *addr;
	size_t len;
	size_t nr_pages;
	const char *origin;	/* how the pages came to lie where they do */
	char histogram[128];	/* where all the pages looked at lay */
	char *arena;
	size_t arena_len;
	size_t pool;		/* size of the pages of the pool that it has filled */
};

/*
 * 0 or -errno; -ENODATA if the memory looked at had nothing of the kind, with
 * the histogram filled in; -ENODEV and -ENOMEM if hugetlb has no pages of that
 * size. BUFFER_ORDINARY of more than a page needs the module.
 */
int buffer_find(struct buffer *buffer, const struct look *look,
		enum backing backing, enum buffer_want want);
void buffer_free(struct buffer *buffer);

const char *backing_name(enum backing backing);

#endif /* SELFTESTS_BUFFER_H */
