/* SPDX-License-Identifier: GPL-2.0 */
/* Page records and facts made up for tests of the verdict. */
#ifndef TESTS_VERDICT_FACTS_H
#define TESTS_VERDICT_FACTS_H

#include <string.h>
#include "unit.h"
#include "../selftests/lib/verdict.h"

#define PFN	0x34d00ULL

static inline struct pinprobe_page cma_page(uint64_t pfn)
{
	return (struct pinprobe_page){
		.addr = 0x7f0000000000 + (pfn - PFN) * 4096,
		.pfn = pfn,
		.nr_pages = 1,
		.state = PINPROBE_STATE_PRESENT,
		.zone = PINPROBE_ZONE_DMA32,
		.migratetype = PINPROBE_MT_CMA,
		.flags = PINPROBE_PAGE_ANON | PINPROBE_PAGE_WRITE |
			 PINPROBE_PAGE_LRU,
		.refs = 1,
		.refs_expected = 1,
		.mapcount = 1,
		.unpinnable = PINPROBE_UNPINNABLE_CMA,
	};
}

static inline struct pinprobe_page moved_page(uint64_t pfn, unsigned int pins)
{
	struct pinprobe_page page = cma_page(pfn);

	page.migratetype = PINPROBE_MT_UNMOVABLE;
	page.unpinnable = 0;
	page.pins = pins;
	page.refs += pins * 1024;
	return page;
}

static inline struct pinprobe_page pinned_page(uint64_t pfn)
{
	struct pinprobe_page page = cma_page(pfn);

	page.pins = 1;
	page.refs += 1024;
	return page;
}

static inline struct verdict judge(int error, const struct pinprobe_page *before,
			    const struct pinprobe_page *after, size_t nr,
			    const struct verdict_facts *rest)
{
	struct verdict_facts facts = *rest;
	struct verdict verdict;

	facts.error = error;
	facts.write = true;
	facts.refs_measured = true;
	facts.migrate_measured = true;
	verdict_count(before, nr, &facts.before);
	verdict_count(after, nr, &facts.after);
	verdict_compare(before, after, nr, &facts.change);
	verdict_decide(&facts, &verdict);
	return verdict;
}

static const struct verdict_facts root = {
	.denied = UINT64_MAX,
	.pinnable_free = UINT64_MAX,
	.memlock = { .measured = true, .exempt = true, .limit = 65536,
		     .wanted = 4096 },
};

#define CHECK_VERDICT(verdict, code_, text_) do {			\
	CHECK_STRING(verdict_name((verdict).code), code_);		\
	CHECK_STRING((verdict).text, text_);				\
} while (0)

#endif /* TESTS_VERDICT_FACTS_H */
