// SPDX-License-Identifier: GPL-2.0
/*
 * One row: make the memory, hold it, send the consumer, look. Everything is
 * measured; what it should have been is no business of this file.
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "../lib/memory.h"
#include "../lib/migrations.h"
#include "../lib/vmstat.h"
#include "facts.h"
#include "row.h"
#include "task.h"

#define SETTLE_MS	2000
/* Of a consumer that meets a holder of a moment each time. */
#define REFUSALS	1000

struct run {
	struct world *world;
	const struct row *row;
	struct row_result *result;
	struct area area;
	struct area given;	/* of it, to the consumer */
	struct held held;
	struct use use;
	struct task task;
	bool backed, prepared, taken, used;
	char *from;		/* what is looked at */
	size_t nr;
	struct pinprobe_page *before, *found, *after, *later;
};

int row_skip(struct world *world, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(world->why, sizeof(world->why), format, args);
	va_end(args);
	return ROW_SKIP;
}

/* Returns @err, having noted what it says about the row. */
static int stop(struct run *run, const char *doing, int err)
{
	struct row_result *result = run->result;

	if (err == ROW_SKIP) {
		result->end = ROW_SKIPPED;
		snprintf(result->why, sizeof(result->why), "%s",
			 run->world->why);
	} else {
		result->end = ROW_BROKEN;
		snprintf(result->why, sizeof(result->why), "%s: %s", doing,
			 strerror(-err));
	}
	return err;
}

static int step(struct run *run, const char *doing, int err)
{
	return err ? stop(run, doing, err) : 0;
}

static int look(struct run *run, struct pinprobe_page *pages,
		struct pinprobe_page *target)
{
	size_t page = run->world->page_size;
	int err = look_pages(&run->world->look, run->from, run->nr, pages);

	if (!err)
		*target = pages[(run->area.addr + run->area.target -
				 run->from) / page];
	return err;
}

static int choose_pages(struct run *run)
{
	size_t page = run->world->page_size;
	size_t nr = (run->area.len + page - 1) / page, first;

	run->nr = nr < ROW_PAGES ? nr : ROW_PAGES;
	first = run->area.target / page;
	first = nr <= ROW_PAGES || first < ROW_PAGES / 2 ? 0 :
		first - ROW_PAGES / 2;
	if (first + run->nr > nr)
		first = nr - run->nr;
	run->from = run->area.addr + first * page;
	run->later = calloc(run->nr, sizeof(*run->later));
	if (!run->later)
		return -ENOMEM;
	run->before = run->result->pages->before;
	run->found = run->result->pages->found;
	run->after = run->result->pages->after;
	run->result->pages->nr = run->nr;
	return 0;
}

static int set_up(struct run *run)
{
	const struct row *row = run->row;
	struct world *world = run->world;
	int err = 0;

	if (row->backing->prepare)
		err = step(run, "backing", row->backing->prepare(world));
	run->backed = !err;
	if (!err && row->consumer->prepare)
		err = step(run, "consumer", row->consumer->prepare(&run->use));
	if (err)
		return err;
	run->prepared = true;
	err = row->placement->find(world, row->placement, row->backing,
				   &run->area);
	if (step(run, "memory there", err))
		return err;
	run->given = run->area;
	if (run->area.given)
		run->given.len = run->area.given;
	err = choose_pages(run);
	if (!err)
		err = look(run, run->before, &run->result->before);
	if (!err)
		run->result->pages->looks = 1;
	return step(run, "first look", err);
}

/* A driver that maps pages of its own keeps its references to them. */
static int owned_refs(const struct run *run)
{
	const struct pinprobe_page *page = &run->result->before;
	enum backing_kind kind = run->row->backing->kind;

	if (kind != BACKING_OF_DEVICE && kind != BACKING_OF_DAX)
		return 0;
	return page->refs - page->refs_expected;
}

static bool free_of_holds(const struct run *run,
			  const struct pinprobe_page *page)
{
	return page->state != PINPROBE_STATE_PRESENT ||
	       page->flags & PINPROBE_PAGE_ZERO ||
	       page->refs - page->refs_expected <= owned_refs(run);
}

/* Some let go a little after the call that lets go. */
static int await_free(struct run *run, struct pinprobe_page *target)
{
	int64_t deadline = now_ms() + SETTLE_MS;
	int err;

	for (;;) {
		memory_settle();
		err = look(run, run->later, target);
		if (err || free_of_holds(run, target))
			return err;
		if (now_ms() > deadline)
			return -ETIME;
		usleep(2000);
	}
}

static enum hold_kind kind_here(const struct world *world,
				const struct hold *hold)
{
	if (world->version < hold->since[0] ||
	    (world->version == hold->since[0] &&
	     world->patchlevel < hold->since[1]))
		return hold->kind_before;
	return hold->kind;
}

/* A row whose hold is not there says nothing. */
static bool is_held(const struct world *world, const struct hold *hold,
		    const struct pinprobe_page *page)
{
	int extra = page->refs - page->refs_expected;

	/* Nobody can hold what is not there, nor the zero page. */
	if (page->state != PINPROBE_STATE_PRESENT ||
	    page->flags & PINPROBE_PAGE_ZERO)
		return true;
	switch (kind_here(world, hold)) {
	case HOLD_REFERENCE:
		return extra > 0 && !page->pins;
	case HOLD_FOLL_PIN:
		return page->pins > 0;
	case HOLD_WRITEBACK:
		return page->flags & PINPROBE_PAGE_WRITEBACK;
	case HOLD_LONGTERM_PIN:
		return page->pins > 0 && !page->unpinnable;
	default:
		return true;
	}
}

static int look_at_held(struct run *run)
{
	const struct row *row = run->row;
	struct pinprobe_page *found = &run->result->found;
	int err;

	if (row->hold->kind == HOLD_NOTHING || row->dropped)
		return step(run, "look at the page", look(run, run->found, found));
	/* A page in a batch has a reference that nobody took. */
	memory_settle();
	err = look(run, run->found, found);
	if (!err && !is_held(run->world, row->hold, found)) {
		run->result->end = ROW_BROKEN;
		snprintf(run->result->why, sizeof(run->result->why),
			 "the hold is not there: %d references, %d expected, %u pins, unpinnable 0x%x",
			 found->refs, found->refs_expected, found->pins,
			 found->unpinnable);
		return -ENODATA;
	}
	return step(run, "look at the held page", err);
}

static int take_hold(struct run *run)
{
	const struct row *row = run->row;
	struct pinprobe_page released;
	int err;

	err = row->hold->take(run->world, &run->area, &run->held);
	if (step(run, "hold", err))
		return err;
	run->taken = true;
	if (row->dropped) {
		err = row->hold->drop(run->world, &run->area, &run->held);
		run->taken = false;
		if (!err)
			err = await_free(run, &released);
		if (step(run, "drop of the hold", err))
			return err;
	}
	run->held.met = run->taken;
	if (row->consumer->ready &&
	    step(run, "consumer made ready", row->consumer->ready(&run->use)))
		return -ECANCELED;
	err = look_at_held(run);
	if (!err && row->placement->arm)
		err = step(run, "memory made so",
			   row->placement->arm(run->world, &run->area));
	if (!err && row->placement->arm)
		err = step(run, "look at it",
			   look(run, run->found, &run->result->found));
	if (!err)
		run->result->pages->looks = 2;
	return err;
}

static int call(void *arg)
{
	struct use *use = arg;

	return use->consumer->run(use);
}

static enum effect effect_of(const struct pinprobe_page *found,
			     const struct pinprobe_page *after)
{
	bool was = found->state == PINPROBE_STATE_PRESENT;
	bool is = after->state == PINPROBE_STATE_PRESENT;

	if (was && is)
		return found->pfn == after->pfn ? EFFECT_STAYS : EFFECT_MOVES;
	if (is)
		return EFFECT_APPEARS;
	return was ? EFFECT_GOES : EFFECT_ABSENT;
}

static bool writes(const struct run *run)
{
	const int *until = run->row->consumer->forced_until;
	const struct world *world = run->world;

	return run->row->access == ACCESS_WRITE || world->version < until[0] ||
	       (world->version == until[0] && world->patchlevel <= until[1]);
}

static int call_once(struct run *run, int *ret)
{
	struct task *task = &run->task;
	struct verdict_facts *facts = &run->result->facts;
	struct facts_around around;
	int err;

	memset(facts, 0, sizeof(*facts));
	err = facts_before(facts, &around, run->world, &run->given,
			   writes(run));
	if (!err)
		err = facts_home(facts, run->world, run->found, run->nr);
	facts->shortterm = run->row->consumer->kind != CONSUMES_LONGTERM;
	facts->reference = run->row->consumer->kind == CONSUMES_REFERENCE;
	facts->place = run->row->consumer->kind == CONSUMES_PLACE;
	if (!err)
		err = task_run(task, call, &run->use, run->row->deadline_ms,
			       ret);
	return err ? err : facts_after(facts, &around, task);
}

/* Until it does not meet a holder of a moment; others are met once and for all. */
static int call_until_free(struct run *run, int *ret)
{
	const struct hold *hold = run->row->hold;
	bool again = run->taken && hold->kind == HOLD_TRANSIENT;
	struct row_result *result = run->result;
	int err = 0;

	if (run->taken && hold->race)
		err = hold->race(run->world, &run->area, &run->held);
	while (!err) {
		err = call_once(run, ret);
		if (err || !again || *ret != -ENOMEM ||
		    result->refused == REFUSALS)
			break;
		result->refused++;
		err = look(run, run->found, &result->found);
	}
	return err;
}

static int consume(struct run *run)
{
	struct row_result *result = run->result;
	struct verdict_facts *facts = &result->facts;
	int ret = 0, err;

	err = call_until_free(run, &ret);
	if (step(run, "measured call", err))
		return err;
	run->used = !ret;
	facts->error = -ret;
	result->timed_out = run->task.timed_out;
	result->spent_us = run->task.spent_us;
	err = look(run, run->after, &result->after);
	if (step(run, "last look", err))
		return err;
	result->pages->looks = 3;
	facts_compare(facts, run->before, run->found, run->after, run->nr);
	result->effect = effect_of(&result->found, &result->after);
	verdict_decide(facts, &result->verdict);
	result->end = ROW_MEASURED;
	return 0;
}

/* A row that leaves something behind is no row: the next one would find it. */
static void tear_down(struct run *run)
{
	const struct row *row = run->row;
	struct row_result *result = run->result;
	struct pinprobe_page target;
	int err = 0;

	if (row->placement->disarm)
		row->placement->disarm(run->world);
	if (run->used && row->consumer->undo)
		err = row->consumer->undo(&run->use);
	if (err)
		snprintf(result->left, sizeof(result->left),
			 "the consumer does not let go: %s", strerror(-err));
	if (run->taken) {
		err = row->hold->drop(run->world, &run->area, &run->held);
		if (err)
			snprintf(result->left, sizeof(result->left),
				 "the holder does not let go: %s",
				 strerror(-err));
	}
	if (run->task.stuck && task_end(&run->task))
		snprintf(result->left, sizeof(result->left),
			 "the consumer's call does not end");
	if (result->end == ROW_MEASURED && !result->left[0] &&
	    await_free(run, &target))
		snprintf(result->left, sizeof(result->left),
			 "the page has %d references, %d expected, after all let go",
			 target.refs, target.refs_expected);
	if (run->prepared && row->consumer->close)
		row->consumer->close(&run->use);
	if (run->area.addr && row->backing->drop)
		row->backing->drop(&run->area);
	if (run->prepared && row->placement->done)
		row->placement->done(run->world);
	if (run->backed && row->backing->done)
		row->backing->done(run->world);
	if (!result->left[0] && status_kb(0, "VmPin") > 0)
		snprintf(result->left, sizeof(result->left),
			 "%lld kB are still charged as pinned",
			 (long long)status_kb(0, "VmPin"));
}

void row_run(struct world *world, const struct row *row,
	     struct row_result *result)
{
	struct run run = {
		.world = world,
		.row = row,
		.result = result,
		.area = { .fd = -1 },
		.held = { .hold = row->hold, .fd = { -1, -1, -1, -1 } },
		.use = {
			.world = world,
			.access = row->access,
			.fd = { -1, -1, -1, -1 },
		},
	};

	run.use.area = &run.given;
	run.use.held = &run.held;
	run.use.before = &result->before;
	run.use.consumer = row->consumer;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	memory_stay();
	if (!set_up(&run) && !take_hold(&run))
		consume(&run);
	tear_down(&run);
	free(run.later);
}
