// SPDX-License-Identifier: GPL-2.0
/* Which rows the plan makes of a small oracle, and whether its tables are whole. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "contracts_toy.h"
#include "unit.h"
#include "../selftests/contracts/coverage.h"

static const int kernels[][2] = { { 6, 1 }, { 6, 12 }, { 7, 3 } };

static size_t planned(struct world *world, const char *glob, struct row **rows)
{
	ssize_t nr = rows_plan(world, glob, rows);

	CHECK(nr >= 0);
	return nr;
}

static bool has_row(const char *glob)
{
	struct row *rows;

	return planned(NULL, glob, &rows) > 0;
}

TEST(contracts_plan_follows_the_table)
{
	CHECK(has_row("rxe_mr.write.anon.cma.none"));
	CHECK(has_row("rxe_mr.read.ext4_shared.movable.pin.dropped"));
	CHECK(has_row("pin_fast.write.anon.cma.none"));
	CHECK(!has_row("pin_fast.*.pin"));
	CHECK(!has_row("pin_fast.*.dropped"));
	CHECK(!has_row("offline.*.ordinary.*"));
	CHECK(has_row("offline.read.memfd.movable.longterm"));
	/* Nothing can be let go of nothing, and nothing asked that cannot be. */
	CHECK(!has_row("*.none.dropped"));
	CHECK(!has_row("offline.write.*"));
	CHECK(!has_row("nobody.*"));
}

/* Each of several globs counts, the last one too, and none is part of another. */
TEST(contracts_plan_of_globs)
{
	struct row *rows;
	size_t cma = planned(NULL, "*.cma.none", &rows);
	size_t movable = planned(NULL, "*.movable.none", &rows);

	CHECK(cma && movable);
	CHECK_NUMBER(planned(NULL, "*.cma.none,*.movable.none", &rows),
		     cma + movable);
	CHECK_NUMBER(planned(NULL, "nobody.*,*.movable.none", &rows), movable);
	CHECK_NUMBER(planned(NULL, "*.cma.none,nobody.*", &rows), cma);
	CHECK(!has_row("*.cma,none"));
}

TEST(contracts_plan_of_a_guest)
{
	struct world world = { 0 };
	struct row *rows;

	CHECK(planned(&world, "*", &rows) > 0);
	CHECK_NUMBER(planned(&world, "*.movable.*", &rows), 0);
	CHECK(planned(&world, "*.cma.*", &rows) > 0);
}

/* What a row runs is what its name says. */
TEST(contracts_row_is_what_it_is_called)
{
	struct row *rows;
	size_t nr = planned(NULL, "*", &rows), i;
	const struct row *row;

	CHECK(nr > 0);
	for (i = 0; i < nr; i++) {
		row = &rows[i];
		CHECK_STRING(row->consumer->name, row->key.consumer);
		CHECK_STRING(row->backing->name, row->key.backing);
		CHECK_STRING(row->placement->name, row->key.placement);
		CHECK_STRING(row->hold->name, row->key.hold);
		CHECK_NUMBER(row->dropped, row->key.dropped);
		CHECK_STRING(row->access == ACCESS_WRITE ? "write" : "read",
			     row->key.access);
	}
}

/* A loop of the kernel's is not waited for as long as a call that returns. */
TEST(contracts_row_that_loops_is_cut_short)
{
	struct world world = { .version = 7, .patchlevel = 3 };
	unsigned int usual, loop;
	struct row *rows;

	CHECK(planned(&world, "rxe_mr.write.anon.cma.none", &rows) == 1);
	usual = rows[0].deadline_ms;
	CHECK(usual > 0);
	toy_tables("*	*	*	*	*	7.0-	SPIN	ETIMEDOUT	-	-\n",
		   NULL, NULL);
	CHECK(planned(&world, "rxe_mr.write.anon.cma.none", &rows) == 1);
	loop = rows[0].deadline_ms;
	CHECK(loop > 0 && loop < usual);
	world.version = 6;
	CHECK(planned(&world, "rxe_mr.write.anon.cma.none", &rows) == 1);
	CHECK_NUMBER(rows[0].deadline_ms, usual);
	CHECK(planned(NULL, "rxe_mr.write.anon.cma.none", &rows) == 1);
	CHECK_NUMBER(rows[0].deadline_ms, usual);
}

#define COMBINATIONS	(4 * 2 * 4 * 3 * 3 * 2)

/* The @nth combination, in the order of rows; false if there can be no such row. */
static bool combine(unsigned int nth, struct row_key *key, unsigned int *access)
{
	static const char * const accesses[] = { "read", "write" };
	const struct consumer *consumer = consumers[nth / 144];
	const struct hold *hold = holds[nth / 2 % 3];

	*access = nth / 72 % 2 ? ACCESS_WRITE : ACCESS_READ;
	*key = (struct row_key){
		consumer->name, accesses[nth / 72 % 2],
		backings[nth / 18 % 4]->name, placements[nth / 6 % 3]->name,
		hold->name, nth % 2
	};
	return consumer->access & *access &&
	       !(key->dropped && hold->kind == HOLD_NOTHING);
}

/* All combinations, each asked about on its own. */
TEST(contracts_plan_is_what_the_table_says_of_each)
{
	char reason[ROW_NAME], name[ROW_NAME];
	unsigned int nth, access;
	struct row_key key;
	struct row *rows;
	size_t nr, at = 0;

	nr = planned(NULL, "*", &rows);
	CHECK(nr > 100);
	for (nth = 0; nth < COMBINATIONS; nth++) {
		if (!combine(nth, &key, &access) ||
		    !table_planned(&contract_tables, &key, reason))
			continue;
		row_name(&key, name);
		CHECK(at < nr);
		CHECK_STRING(rows[at].name, name);
		CHECK(rows[at].dropped == key.dropped);
		CHECK_NUMBER(rows[at].access, access);
		CHECK_STRING(rows[at].hold->name, key.hold);
		at++;
	}
	CHECK_NUMBER(at, nr);
}

TEST(contracts_plan_of_too_many_lines)
{
	struct text plan = { 0 };
	struct row *rows;
	int i;

	for (i = 0; i < RULES_MAX; i++)
		text_printf(&plan, "nobody%d * * * * run\n", i);
	toy_tables(NULL, NULL, plan.s);
	CHECK_NUMBER(rows_plan(NULL, "*", &rows), 0);
	text_printf(&plan, "* * * * * run\n");
	toy_tables(NULL, NULL, plan.s);
	CHECK_NUMBER(rows_plan(NULL, "*", &rows), -E2BIG);
}

/* The last of all the lines counts as the first does. */
TEST(contracts_rules_beyond_the_first_word)
{
	struct text plan = { 0 };
	struct row *rows;
	int i;

	for (i = 0; i < 200; i++)
		text_printf(&plan, "nobody%d * * * * no\n", i);
	text_printf(&plan, "rxe_mr write anon cma pin run\n");
	toy_tables(NULL, NULL, plan.s);
	CHECK_NUMBER(planned(NULL, "*", &rows), 1);
	CHECK_STRING(rows[0].name, "rxe_mr.write.anon.cma.pin");
	CHECK_NUMBER(rules_line(contract_tables.plan, 200), 201);
}

TEST(contracts_shuffle)
{
	struct row *rows, *same, *other;
	size_t nr = planned(NULL, "*", &rows), i, j, moved = 0;

	planned(NULL, "*", &same);
	planned(NULL, "*", &other);
	rows_shuffle(same, nr, 7);
	rows_shuffle(other, nr, 8);
	CHECK(memcmp(same, other, nr * sizeof(*same)));
	for (i = 0; i < nr; i++) {
		moved += strcmp(rows[i].name, same[i].name) != 0;
		for (j = 0; j < nr && strcmp(rows[i].name, same[j].name); j++)
			;
		CHECK(j < nr);
	}
	CHECK(moved > nr / 2);
	rows_shuffle(rows, nr, 7);
	CHECK(!memcmp(rows, same, nr * sizeof(*same)));
}

TEST(contracts_known_names)
{
	CHECK(rows_known("consumer", "rxe_mr"));
	CHECK(rows_known("consumer", "pin_*"));
	CHECK(!rows_known("consumer", "anon"));
	CHECK(rows_known("backing", "ext4_*"));
	CHECK(!rows_known("backing", "xfs_*"));
	CHECK(rows_known("access", "read"));
	CHECK(!rows_known("access", "execute"));
	CHECK(rows_known("placement", "movable"));
	CHECK(rows_known("hold", "pin"));
	CHECK(rows_known("hold", "pin.dropped"));
	CHECK(rows_known("hold", "*.dropped"));
	CHECK(!rows_known("hold", "pin.dropped.twice"));
	CHECK(!rows_known("hold", "pinn"));
}

/* What coverage_check() has to say. */
static char *complaints(int *nr)
{
	size_t len;
	char *said;
	FILE *f = open_memstream(&said, &len);

	CHECK(f);
	*nr = coverage_check(kernels, 3, f);
	fclose(f);
	return said;
}

TEST(contracts_tables_that_are_whole)
{
	char why[256];
	int nr;

	CHECK_STRING(complaints(&nr), "");
	CHECK_NUMBER(nr, 0);
	CHECK(!table_check(&contract_tables, rows_known, why));
}

TEST(contracts_row_without_a_line)
{
	char *said;
	int nr;

	toy_tables("* * * * * 6.2- OK ok - -\n", NULL, "rxe_mr write anon cma pin run\n");
	said = complaints(&nr);
	CHECK_STRING(said, "rxe_mr.write.anon.cma.pin: no line of expect is about it on 6.1\n");
	CHECK_NUMBER(nr, 1);
}

TEST(contracts_line_in_vain)
{
	int nr;

	/* behind one that has it all */
	toy_tables("* * * * * * OK ok - -\n"
		   "rxe_mr write * * * * OK ok - -\n", NULL,
		   "rxe_mr write anon cma pin,pin.dropped run\n");
	CHECK_STRING(complaints(&nr),
		     "expect, line 2: never the first line that matches a row\n");
	CHECK_NUMBER(nr, 1);
	/* the same again */
	toy_tables("rxe_mr * * * * * OK ok - -\n"
		   "rxe_mr * * * * * OK ok - -\n", NULL, NULL);
	CHECK_STRING(complaints(&nr),
		     "expect, line 2: never the first line that matches a row\n");
	/* about what is not planned */
	toy_tables("* * memfd * * * OK ok - -\n"
		   "* * * * * * OK ok - -\n", NULL, NULL);
	CHECK_STRING(complaints(&nr),
		     "expect, line 1: never the first line that matches a row\n");
	/* kernels that an earlier line has */
	toy_tables("* * * * * 6.5- OK ok - -\n"
		   "* * * * * 6.12 OK ok - -\n"
		   "* * * * * * OK ok - -\n", NULL, NULL);
	CHECK_STRING(complaints(&nr),
		     "expect, line 2: never the first line that matches a row\n");
}

/* Between two kernels that are at hand. */
TEST(contracts_line_for_kernels_not_at_hand)
{
	int nr;

	toy_tables("* * * * * 6.3-6.8 PERM EFAULT - -\n"
		   "* * * * * * OK ok - -\n", NULL,
		   "rxe_mr write anon cma pin run\n");
	CHECK_STRING(complaints(&nr), "");
	toy_tables("* * * * * -6.9 OK ok - -\n"
		   "* * * * * 6.3-6.8 PERM EFAULT - -\n"
		   "* * * * * * OK ok - -\n", NULL, NULL);
	CHECK_STRING(complaints(&nr),
		     "expect, line 2: never the first line that matches a row\n");
}

TEST(contracts_rule_in_vain)
{
	int nr;

	toy_tables("* * * * * * OK ok - -\n", NULL,
		   "rxe_mr * * * * run\n"
		   "rxe_mr write anon cma pin such rows are run above\n"
		   "* * * * * run\n");
	CHECK_STRING(complaints(&nr), "plan, line 2: never the first line that matches\n");
	CHECK_NUMBER(nr, 1);
}
