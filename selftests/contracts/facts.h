/* SPDX-License-Identifier: GPL-2.0 */
/* What is measured around a call, for the verdict on it. */
#ifndef CONTRACTS_FACTS_H
#define CONTRACTS_FACTS_H

#include "../lib/verdict.h"
#include "contract.h"
#include "task.h"

/* Counters of /proc/vmstat. */
enum {
	FACTS_THP_SPLIT, FACTS_MIGRATE_FAIL,
	FACTS_COUNTERS
};

/* What facts_after() compares with. */
struct facts_around {
	uint64_t count[FACTS_COUNTERS];
};

/* Both return 0 or -errno. */
int facts_before(struct verdict_facts *facts, struct facts_around *around,
		 const struct world *world, const struct area *area, bool write);
int facts_after(struct verdict_facts *facts, struct facts_around *around,
		const struct task *task);

/*
 * What a target of hugetlb pages among the @nr that the call finds can be made
 * of; after facts_before(), whose return values it has.
 */
int facts_home(struct verdict_facts *facts, const struct world *world,
	       const struct pinprobe_page *found, size_t nr);

/* Looks at the same @nr pages: untouched, as the call found and left them. */
void facts_compare(struct verdict_facts *facts,
		   const struct pinprobe_page *before,
		   const struct pinprobe_page *found,
		   const struct pinprobe_page *after, size_t nr);

#endif /* CONTRACTS_FACTS_H */
