// SPDX-License-Identifier: GPL-2.0
/* Makes rows of the registries. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rows.h"

/* A consumer that answers does so in milliseconds. A loop is seen in a second. */
#define DEADLINE_MS	4000
#define LOOP_MS		1000
#define ARMED_TIMES	8

static const struct {
	unsigned int access;
	const char *name;
} accesses[] = { { ACCESS_READ, "read" }, { ACCESS_WRITE, "write" } };

#define ACCESSES	(sizeof(accesses) / sizeof(*accesses))

/* What the plan says of each name of a registry, in its order. */
struct said {
	struct rule_set *set;
	size_t nr;
};

struct list {
	struct row *rows;
	size_t nr, room;
	struct world *world;
	const char *glob;
	int err;
	struct said consumers, backings, placements, holds, dropped;
	struct rule_set run, used;
};

/* All registries are arrays of pointers to structures that begin with a name. */
static size_t count(const void *registry)
{
	const void *const *entry = registry;
	size_t nr = 0;

	while (entry[nr])
		nr++;
	return nr;
}

static int read_field(struct said *said, enum rule_field field,
		      const void *registry, const char *suffix)
{
	const char *const *const *entry = registry;
	char name[ROW_NAME];
	size_t i;

	said->nr = count(registry);
	said->set = calloc(said->nr + 1, sizeof(*said->set));
	if (!said->set)
		return -ENOMEM;
	for (i = 0; i < said->nr; i++) {
		snprintf(name, sizeof(name), "%s%s", *entry[i], suffix);
		rules_matching(contract_tables.plan, field, name, &said->set[i]);
	}
	return 0;
}

static int read_plan(struct list *list)
{
	int err = -E2BIG;

	if (rules_count(contract_tables.plan) <= RULES_MAX)
		err = read_field(&list->consumers, RULE_CONSUMER, consumers, "");
	if (!err)
		err = read_field(&list->backings, RULE_BACKING, backings, "");
	if (!err)
		err = read_field(&list->placements, RULE_PLACEMENT, placements,
				 "");
	if (!err)
		err = read_field(&list->holds, RULE_HOLD, holds, "");
	if (!err)
		err = read_field(&list->dropped, RULE_HOLD, holds, ".dropped");
	rules_matching(contract_tables.plan, RULE_RUN, "run", &list->run);
	return err;
}

static void forget_plan(struct list *list)
{
	free(list->consumers.set);
	free(list->backings.set);
	free(list->placements.set);
	free(list->holds.set);
	free(list->dropped.set);
}

/* Only how long it is watched hangs on what is expected of it. */
static unsigned int deadline_of(const struct world *world,
				const struct row_key *key)
{
	struct expectation expectation;
	int version[2];

	if (!world)
		return DEADLINE_MS;
	version[0] = world->version;
	version[1] = world->patchlevel;
	if (table_expect(&contract_tables, key, version, &expectation) &&
	    expectation.error == ETIMEDOUT)
		return LOOP_MS;
	return DEADLINE_MS;
}

/* Whether one of the globs, with commas between, is for it. */
static bool named(const char *globs, const char *name)
{
	char one[ROW_NAME];
	const char *end;

	for (; *globs; globs = *end ? end + 1 : end) {
		end = strchrnul(globs, ',');
		snprintf(one, sizeof(one), "%.*s", (int)(end - globs), globs);
		if (!fnmatch(one, name, 0))
			return true;
	}
	return false;
}

static void add(struct list *list, const struct row *wanted)
{
	struct row row = *wanted;

	row_name(&row.key, row.name);
	if (list->err || !named(list->glob, row.name))
		return;
	if (list->nr == list->room) {
		size_t room = list->room ? list->room * 2 : 256;
		struct row *rows = realloc(list->rows, room * sizeof(*rows));

		if (!rows) {
			list->err = -ENOMEM;
			return;
		}
		list->rows = rows;
		list->room = room;
	}
	row.deadline_ms = row.backing->deadline_ms;
	if (!row.deadline_ms)
		row.deadline_ms = deadline_of(list->world, &row.key);
	/* Somebody is at work there, and it is chance when he lets it through. */
	if (row.placement->arm)
		row.deadline_ms *= ARMED_TIMES;
	list->rows[list->nr++] = row;
}

/* @said is of all of the row but its hold. */
static void add_hold(struct list *list, struct row *row, bool dropped,
		     const struct rule_set *said, const struct rule_set *hold)
{
	struct rule_set both;
	unsigned int rule;

	rules_both(&both, said, hold);
	rule = rules_first(&both);
	if (rule == RULES_MAX)
		return;
	rules_add(&list->used, rule);
	row->key.dropped = row->dropped = dropped;
	if (rules_has(&list->run, rule))
		add(list, row);
}

/* Each hold, still there and let go. */
static void add_holds(struct list *list, struct row *row,
		      const struct rule_set *said)
{
	size_t i;

	for (i = 0; i < list->holds.nr; i++) {
		row->hold = holds[i];
		row->key.hold = holds[i]->name;
		add_hold(list, row, false, said, &list->holds.set[i]);
		if (holds[i]->kind != HOLD_NOTHING)
			add_hold(list, row, true, said, &list->dropped.set[i]);
	}
}

static void add_memory(struct list *list, struct row *row,
		       const struct rule_set *said)
{
	struct rule_set memory, place;
	size_t i, j;

	for (i = 0; i < list->backings.nr; i++) {
		if (list->world && backings[i]->here &&
		    backings[i]->here(list->world))
			continue;
		row->backing = backings[i];
		row->key.backing = backings[i]->name;
		rules_both(&memory, said, &list->backings.set[i]);
		for (j = 0; j < list->placements.nr; j++) {
			if (list->world && placements[j]->here &&
			    placements[j]->here(list->world))
				continue;
			row->placement = placements[j];
			row->key.placement = placements[j]->name;
			rules_both(&place, &memory, &list->placements.set[j]);
			add_holds(list, row, &place);
		}
	}
}

static void add_consumers(struct list *list)
{
	struct rule_set access, said;
	struct row row = { 0 };
	size_t i, j;

	for (i = 0; i < list->consumers.nr; i++) {
		if (list->world && consumers[i]->here &&
		    consumers[i]->here(list->world))
			continue;
		row.consumer = consumers[i];
		row.key.consumer = consumers[i]->name;
		for (j = 0; j < ACCESSES; j++) {
			if (!(consumers[i]->access & accesses[j].access))
				continue;
			row.access = accesses[j].access;
			row.key.access = accesses[j].name;
			rules_matching(contract_tables.plan, RULE_ACCESS,
				       accesses[j].name, &access);
			rules_both(&said, &access, &list->consumers.set[i]);
			add_memory(list, &row, &said);
		}
	}
}

ssize_t rows_plan(struct world *world, const char *glob, struct row **rows)
{
	struct list list = { .world = world, .glob = glob };

	list.err = read_plan(&list);
	if (!list.err)
		add_consumers(&list);
	forget_plan(&list);
	if (list.err) {
		free(list.rows);
		return list.err;
	}
	*rows = list.rows;
	return list.nr;
}

int rows_used_rules(struct rule_set *used)
{
	struct list list = { .glob = "" };

	list.err = read_plan(&list);
	if (!list.err)
		add_consumers(&list);
	forget_plan(&list);
	*used = list.used;
	return list.err;
}

void rows_shuffle(struct row *rows, size_t nr, unsigned int seed)
{
	size_t i, other;

	for (i = nr; i > 1; i--) {
		struct row swap = rows[i - 1];

		other = rand_r(&seed) % i;
		rows[i - 1] = rows[other];
		rows[other] = swap;
	}
}

static bool has_name(const void *registry, const char *glob)
{
	const char *const *const *entry;

	for (entry = registry; *entry; entry++)
		if (!fnmatch(glob, **entry, 0))
			return true;
	return false;
}

bool rows_known(const char *kind, const char *glob)
{
	char name[ROW_NAME], *dropped;

	if (!strcmp(kind, "consumer"))
		return has_name(consumers, glob);
	if (!strcmp(kind, "access"))
		return !fnmatch(glob, "read", 0) || !fnmatch(glob, "write", 0);
	if (!strcmp(kind, "backing"))
		return has_name(backings, glob);
	if (!strcmp(kind, "placement"))
		return has_name(placements, glob);
	if (strlen(glob) >= sizeof(name))
		return false;
	snprintf(name, sizeof(name), "%s", glob);
	dropped = strstr(name, ".dropped");
	if (dropped && !dropped[strlen(".dropped")])
		*dropped = '\0';
	return has_name(holds, name);
}
