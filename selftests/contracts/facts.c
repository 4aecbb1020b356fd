// SPDX-License-Identifier: GPL-2.0
/* Measures around a call. */
#include <errno.h>
#include <string.h>
#include "../lib/hugetlb.h"
#include "../lib/mapping.h"
#include "../lib/memory.h"
#include "../lib/migrations.h"
#include "../lib/nodes.h"
#include "../lib/surroundings.h"
#include "../lib/vmstat.h"
#include "../lib/zones.h"
#include "facts.h"

static const char * const counters[FACTS_COUNTERS] = {
	[FACTS_THP_SPLIT] = "thp_split_pmd",
	[FACTS_MIGRATE_FAIL] = "pgmigrate_fail",
};

static int read_pool(struct verdict_facts *facts)
{
	size_t size = facts->mapping.hugetlb;
	int64_t free, reach;

	if (!size)
		return 0;
	free = hugetlb_pool_free(size);
	reach = hugetlb_pool_reach(size);
	if (free < 0 || reach < 0)
		return free < 0 ? free : reach;
	facts->pool_only = size >= HUGETLB_GIGANTIC_SIZE;
	facts->pool_free = free;
	facts->pool_reach = reach;
	return 0;
}

int facts_before(struct verdict_facts *facts, struct facts_around *around,
		 const struct world *world, const struct area *area, bool write)
{
	long denied = memory_denied(area->addr, area->len);
	int err;

	facts->write = write;
	facts->refs_measured = look_refs(&world->look);
	facts->pinnable_free = surroundings_pinnable_free();
	facts->barred = surroundings_barred();
	facts->denied = denied < 0 ? UINT64_MAX : denied / world->page_size;
	surroundings_table(&facts->table, area->len);
	err = mapping_read(area->addr, area->len, &facts->mapping);
	if (!err)
		err = read_pool(facts);
	if (!err)
		err = surroundings_memlock(&facts->memlock, area->len);
	if (!err)
		err = vmstat_counters(counters, around->count, FACTS_COUNTERS);
	return err ? err : migrations_clear();
}

int facts_home(struct verdict_facts *facts, const struct world *world,
	       const struct pinprobe_page *found, size_t nr)
{
	uint64_t nodes = 0, kb;
	int64_t pool;
	size_t i;
	int err;

	for (i = 0; i < nr; i++)
		if (found[i].state == PINPROBE_STATE_PRESENT &&
		    found[i].flags & PINPROBE_PAGE_HUGETLB &&
		    found[i].unpinnable && found[i].node >= 0 &&
		    found[i].node < NODES_MAX)
			nodes |= 1ULL << found[i].node;
	if (!nodes)
		return 0;
	pool = hugetlb_pool_free(world->pmd_size);
	if (pool < 0)
		return pool;
	err = zones_ordinary_kb(nodes, &kb);
	facts->home_only = !err;
	facts->home_free = kb << 10;
	facts->pool_free = pool;
	return err;
}

int facts_after(struct verdict_facts *facts, struct facts_around *around,
		const struct task *task)
{
	uint64_t now[FACTS_COUNTERS];
	struct migrations seen;
	int err = migrations_read_of(task->tid, &seen);

	/* A loop of the kernel's writes more than any buffer holds. */
	if (err == -EOVERFLOW && task->timed_out)
		err = 0;
	if (!err)
		err = vmstat_counters(counters, now, FACTS_COUNTERS);
	if (err)
		return err;
	facts->migrate = seen.sums;
	facts->last_failed = seen.last_failed;
	facts->migrate_measured = true;
	facts->spent_us = task->spent_us;
	facts->cpu_us = task->cpu_us;
	facts->unkillable = task->stuck;
	facts->work.measured = true;
	facts->work.thp_splits = now[FACTS_THP_SPLIT] -
				 around->count[FACTS_THP_SPLIT];
	facts->work.migrate_failed = now[FACTS_MIGRATE_FAIL] -
				     around->count[FACTS_MIGRATE_FAIL];
	facts->work.faults = task->minor_faults;
	facts->work.switches = task->voluntary_switches;
	return 0;
}

void facts_compare(struct verdict_facts *facts,
		   const struct pinprobe_page *before,
		   const struct pinprobe_page *found,
		   const struct pinprobe_page *after, size_t nr)
{
	struct verdict_change earlier;

	verdict_compare(before, found, nr, &earlier);
	facts->moved_earlier = earlier.moved;
	verdict_count(found, nr, &facts->before);
	verdict_count(after, nr, &facts->after);
	verdict_compare(found, after, nr, &facts->change);
}
