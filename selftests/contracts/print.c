// SPDX-License-Identifier: GPL-2.0
/* One KTAP line a row, and of one that fails all that is needed to see why. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "../lib/device.h"
#include "../lib/record.h"
#include "print.h"
#include "rows.h"

#define SUSPECTS	8

void print_begin(size_t rows)
{
	printf("TAP version 13\n1..%zu\n", rows);
}

void print_end(const struct print *print)
{
	printf("# Totals: pass:%zu fail:%zu xfail:0 xpass:0 skip:%zu error:0\n",
	       print->passed, print->failed, print->skipped);
}

static const char *errno_text(int error)
{
	return error ? record_errno_name(error) : "ok";
}

static void print_page(const char *when, const struct pinprobe_page *page)
{
	if (page->state != PINPROBE_STATE_PRESENT) {
		printf("#   %-8s %s\n", when, state_name(page->state));
		return;
	}
	printf("#   %-8s pfn 0x%" PRIx64 ", zone %s, %s pageblock, order %u, refs %d of %d expected, pins %u, mapcount %d, unpinnable 0x%x, flags 0x%" PRIx64 "\n",
	       when, (uint64_t)page->pfn, zone_name(page->zone),
	       migratetype_name(page->migratetype), page->order, page->refs,
	       page->refs_expected, page->pins, page->mapcount,
	       page->unpinnable, (uint64_t)page->flags);
}

static bool as_expected(const struct expectation *expectation,
			const struct row_result *result)
{
	return result->verdict.code == expectation->verdict &&
	       result->facts.error == expectation->error &&
	       (expectation->effect == EFFECT_ANY ||
		result->effect == expectation->effect);
}

/* A version on which this row must do what it did here; false if there is none. */
static bool find_twin(const struct row *row, const struct row_result *result,
		      const char *change, int version[2])
{
	struct expectation line = { 0 }, found;
	int end;

	while (table_next_expect(&contract_tables, &line)) {
		const int *ends[] = { line.kernels.from, line.kernels.to };

		for (end = 0; end < 2 && !strcmp(line.change, change); end++) {
			memcpy(version, ends[end], 2 * sizeof(*version));
			if (version[0] &&
			    table_expect(&contract_tables, &row->key, version,
					 &found) &&
			    !strcmp(found.change, change) &&
			    as_expected(&found, result))
				return true;
		}
	}
	return false;
}

static void print_suspects(const struct row *row,
			   const struct row_result *result)
{
	char names[SUSPECTS][EXPECT_CHANGE];
	struct change change;
	int version[2];
	size_t nr, i;

	nr = table_suspects(&contract_tables, &row->key, names, SUSPECTS);
	if (!nr)
		printf("#   no change of this row is on record\n");
	for (i = 0; i < nr; i++) {
		if (!table_change(&contract_tables, names[i], &change))
			continue;
		printf("#   suspect %s%s\"%.*s\" (%s)",
		       strcmp(change.commit, "-") ? change.commit : "",
		       strcmp(change.commit, "-") ? " " : "",
		       (int)change.title_len, change.title, change.since);
		if (result->end == ROW_MEASURED &&
		    find_twin(row, result, names[i], version))
			printf(": %d.%d must do what was got", version[0],
			       version[1]);
		putchar('\n');
	}
}

/* What all of the area looked like, for who reads records. */
static void record_looks(const struct row *row, const struct row_result *result)
{
	const struct row_pages *pages = result->pages;

	if (pages->looks > 0)
		record_pages(row->name, "contract", "before", pages->before,
			     NULL, pages->nr, true);
	if (pages->looks > 1)
		record_pages(row->name, "contract", "found", pages->found,
			     pages->before, pages->nr, true);
	if (pages->looks > 2)
		record_pages(row->name, "contract", "after", pages->after,
			     pages->found, pages->nr, true);
	if (pages->looks)
		printf("#   records have all %zu pages of the area, and what changed with them\n",
		       pages->nr);
}

static void print_evidence(const struct row *row,
			   const struct row_result *result)
{
	const struct verdict_facts *facts = &result->facts;

	printf("#   got      %s %s %s: %s\n",
	       verdict_name(result->verdict.code), errno_text(facts->error),
	       effect_name(result->effect), result->verdict.text);
	print_page("before", &result->before);
	print_page("found", &result->found);
	print_page("after", &result->after);
	printf("#   %" PRIu64 " migrate_pages() calls, %" PRIu64 " pages moved, %" PRIu64 " failed, %" PRIu64 " thp splits, %" PRIu64 " faults, %" PRId64 " us\n",
	       (uint64_t)facts->migrate.calls,
	       (uint64_t)facts->migrate.succeeded,
	       (uint64_t)facts->migrate.failed, facts->work.thp_splits,
	       facts->work.faults, result->spent_us);
	record_looks(row, result);
	print_suspects(row, result);
}

static void fail(struct print *print, const struct row *row)
{
	print->failed++;
	printf("not ok %zu %s\n", print->number, row->name);
}

static bool expected_here(const struct world *world, const struct row *row,
			  struct expectation *expectation)
{
	const int version[2] = { world->version, world->patchlevel };

	return table_expect(&contract_tables, &row->key, version, expectation);
}

static void judge(struct print *print, const struct world *world,
		  const struct row *row, const struct row_result *result)
{
	struct expectation expectation;

	if (!expected_here(world, row, &expectation)) {
		fail(print, row);
		printf("#   expected nothing: no line of contracts/expect is about it on %d.%d\n",
		       world->version, world->patchlevel);
		print_evidence(row, result);
	} else if (!as_expected(&expectation, result)) {
		fail(print, row);
		printf("#   expected %s %s %s (contracts/expect, line %d)\n",
		       verdict_name(expectation.verdict),
		       errno_text(expectation.error),
		       effect_name(expectation.effect), expectation.line);
		print_evidence(row, result);
	} else if (result->left[0]) {
		fail(print, row);
		printf("#   as expected, but %s\n", result->left);
		print_evidence(row, result);
	} else {
		print->passed++;
		printf("ok %zu %s\n", print->number, row->name);
	}
}

static void record(const struct row *row, const struct row_result *result)
{
	const struct pinprobe_page *found = &result->found;
	const struct pinprobe_page *after = &result->after;
	const struct verdict_facts *facts = &result->facts;

	record_write("\"type\":\"contract\",\"row\":\"%s\",\"verdict\":\"%s\",\"errno\":%d,\"errno_name\":\"%s\",\"effect\":\"%s\",\"text\":\"%s\",\"pfn_found\":\"0x%" PRIx64 "\",\"pfn_after\":\"0x%" PRIx64 "\",\"mt_found\":\"%s\",\"mt_after\":\"%s\",\"zone_found\":\"%s\",\"zone_after\":\"%s\",\"pins_found\":%u,\"pins_after\":%u,\"migrate_calls\":%" PRIu64 ",\"migrated\":%" PRIu64 ",\"migrate_failed\":%" PRIu64 ",\"refused\":%u,\"duration_us\":%" PRId64,
		     row->name, verdict_name(result->verdict.code),
		     facts->error, errno_text(facts->error),
		     effect_name(result->effect), result->verdict.text,
		     (uint64_t)found->pfn, (uint64_t)after->pfn,
		     migratetype_name(found->migratetype),
		     migratetype_name(after->migratetype),
		     zone_name(found->zone), zone_name(after->zone),
		     found->pins, after->pins, (uint64_t)facts->migrate.calls,
		     (uint64_t)facts->migrate.succeeded,
		     (uint64_t)facts->migrate.failed, result->refused,
		     result->spent_us);
}

void print_row(struct print *print, const struct world *world,
	       const struct row *row, const struct row_result *result)
{
	print->number++;
	switch (result->end) {
	case ROW_MEASURED:
		judge(print, world, row, result);
		record(row, result);
		break;
	case ROW_SKIPPED:
		print->skipped++;
		printf("ok %zu %s # SKIP %s\n", print->number, row->name,
		       result->why);
		break;
	case ROW_BROKEN:
	case ROW_LOST:
		fail(print, row);
		printf("#   %s\n", result->why);
		record_looks(row, result);
		print_suspects(row, result);
	}
	fflush(stdout);
}

/* Which of the pages that may move are moved is another matter each time. */
static const char *outcome_effect(const struct world *world, const struct row *row,
				  const struct row_result *result)
{
	struct expectation expectation;

	if (row->consumer->by_chance &&
	    expected_here(world, row, &expectation) &&
	    expectation.effect == EFFECT_ANY)
		return effect_name(EFFECT_ANY);
	return effect_name(result->effect);
}

void print_outcome(const struct world *world, const struct row *row,
		   const struct row_result *result)
{
	static const char * const ends[] = {
		[ROW_LOST] = "lost", [ROW_SKIPPED] = "skipped",
		[ROW_BROKEN] = "broken", [ROW_MEASURED] = "measured",
	};

	printf("%s %s", row->name, ends[result->end]);
	if (result->end == ROW_MEASURED)
		printf(" %s %s %s", verdict_name(result->verdict.code),
		       errno_text(result->facts.error),
		       outcome_effect(world, row, result));
	putchar('\n');
	fflush(stdout);
}
