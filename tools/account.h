/* SPDX-License-Identifier: GPL-2.0 */
/* Who accounts for the references of a page. Pure. */
#ifndef PINPROBE_ACCOUNT_H
#define PINPROBE_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "text.h"

/**
 * struct account_facts - what was seen of a folio
 * @counted:	@refs was read
 * @refs:	its references
 * @mappings:	how often it is mapped
 * @cache:	references of the page cache
 * @swap:	references of the swap cache
 * @private:	references for private data of a file system
 * @pincount:	FOLL_PIN count; of a large folio only
 * @order:	of the folio
 * @user:	it is user memory: anonymous, or of a file
 * @lru:	it is on an LRU list
 * @never_lru:	pages of its kind are on none (hugetlb)
 * @zero:	it is the zero page
 * @drained:	LRU batches were emptied just before
 */
struct account_facts {
	bool counted;
	int64_t refs;
	int64_t mappings;
	int64_t cache;
	int64_t swap;
	int64_t private;
	int64_t pincount;
	unsigned int order;
	bool user;
	bool lru;
	bool never_lru;
	bool zero;
	bool drained;
};

enum account_state {
	ACCOUNT_UNKNOWN,	/* references were not counted, or while they changed */
	ACCOUNT_FREE,		/* all are accounted for */
	ACCOUNT_BATCH,		/* all but one, which an LRU batch may have */
	ACCOUNT_HELD,
};

/**
 * struct account - references = what is explained + pins + batch + rest
 * @facts:	what it was made of
 * @state:	what follows
 * @explained:	mappings and caches
 * @pins:	FOLL_PIN; of a small folio 1024 references each, which as many plain
 *		ones read as well
 * @batch:	1: an LRU batch, reclaim or compaction may have it at this moment
 * @rest:	plain references that nobody accounts for
 */
struct account {
	struct account_facts facts;
	enum account_state state;
	int64_t explained;
	int64_t pins;
	int64_t batch;
	int64_t rest;
};

void account_make(struct account *a, const struct account_facts *facts);

/* As folio_maybe_dma_pinned() has it. */
bool account_maybe_pinned(const struct account *a);

/* "1026 references = 1 mapping + 1 pin (1024) + 1 of somebody", one line. */
void account_text(struct text *t, const struct account *a);

#endif
