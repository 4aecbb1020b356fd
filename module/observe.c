// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel migrates on behalf of a call, from its own tracepoints
 * mm_migrate_pages_start and mm_migrate_pages. A kernel without them
 * (CONFIG_MIGRATION off) leaves the counts out, and the outcome says so.
 */
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/tracepoint.h>
#include <trace/events/migrate.h>
#include "observe.h"
#include "tracepoint.h"

static LIST_HEAD(pp_observe_list);
static DEFINE_SPINLOCK(pp_observe_lock);

static struct tracepoint *pp_observe_start_tp;
static struct tracepoint *pp_observe_end_tp;

static unsigned int pp_observe_reason(int reason)
{
	/* Of the task that pins: a reason that it shares means this. */
	if (reason == PP_COMPAT_MR_LONGTERM_PIN)
		return PINPROBE_REASON_LONGTERM_PIN;
	switch (reason) {
	case MR_COMPACTION:
		return PINPROBE_REASON_COMPACTION;
	case MR_CONTIG_RANGE:
		return PINPROBE_REASON_CONTIG_RANGE;
	default:
		return PINPROBE_REASON_OTHER;
	}
}

/* Few tasks pin at a time, and none does while most migrations happen. */
static struct pp_observe *pp_observe_find(void)
{
	struct pp_observe *obs;

	lockdep_assert_held(&pp_observe_lock);
	list_for_each_entry(obs, &pp_observe_list, node) {
		if (obs->task == current)
			return obs;
	}
	return NULL;
}

static void pp_observe_start(void *data, PP_COMPAT_MIGRATE_START_ARGS)
{
	struct pp_observe *obs;
	unsigned long flags;

	if (list_empty(&pp_observe_list))
		return;
	spin_lock_irqsave(&pp_observe_lock, flags);
	obs = pp_observe_find();
	if (obs)
		WRITE_ONCE(obs->migrating, true);
	spin_unlock_irqrestore(&pp_observe_lock, flags);
}

static void pp_observe_count(unsigned long succeeded, unsigned long failed,
			     unsigned long thp_succeeded,
			     unsigned long thp_failed, unsigned long thp_split,
			     int reason)
{
	struct pinprobe_migrate *sum;
	struct pp_observe *obs;
	unsigned long flags;

	if (list_empty(&pp_observe_list))
		return;
	spin_lock_irqsave(&pp_observe_lock, flags);
	obs = pp_observe_find();
	if (obs) {
		WRITE_ONCE(obs->migrating, false);
		sum = &obs->migrate[pp_observe_reason(reason)];
		sum->calls++;
		sum->succeeded += succeeded;
		sum->failed += failed;
		sum->thp_succeeded += thp_succeeded;
		sum->thp_failed += thp_failed;
		sum->thp_split += thp_split;
	}
	spin_unlock_irqrestore(&pp_observe_lock, flags);
}

static void pp_observe_done(void *data, PP_COMPAT_MIGRATE_PAGES_ARGS)
{
	pp_observe_count(succeeded, failed, thp_succeeded, thp_failed,
			 thp_split, reason);
}

/* Not every kernel tells of the start. */
static int pp_observe_follow_start(void)
{
	if (!pp_observe_start_tp)
		return 0;
	return tracepoint_probe_register(pp_observe_start_tp, pp_observe_start,
					 NULL);
}

static void pp_observe_leave_start(void)
{
	if (pp_observe_start_tp)
		tracepoint_probe_unregister(pp_observe_start_tp,
					    pp_observe_start, NULL);
}

/**
 * pp_observe_init - attach to the kernel's tracepoints
 *
 * Return: 0, also where the kernel has none; -errno if attaching failed.
 */
int pp_observe_init(void)
{
	int ret;

	pp_compat_check_migrate_start(pp_observe_start);
	check_trace_callback_type_mm_migrate_pages(pp_observe_done);

	pp_observe_start_tp = pp_tracepoint_find("mm_migrate_pages_start");
	pp_observe_end_tp = pp_tracepoint_find("mm_migrate_pages");
	if ((PP_MIGRATE_START_TOLD && !pp_observe_start_tp) ||
	    !pp_observe_end_tp) {
		pp_observe_end_tp = NULL;
		return 0;
	}
	ret = pp_observe_follow_start();
	if (ret)
		return ret;
	ret = tracepoint_probe_register(pp_observe_end_tp, pp_observe_done,
					NULL);
	if (ret)
		goto err_start;
	return 0;

err_start:
	pp_observe_leave_start();
	tracepoint_synchronize_unregister();
	return ret;
}

/**
 * pp_observe_uninit - detach
 */
void pp_observe_uninit(void)
{
	if (!pp_observe_end_tp)
		return;
	tracepoint_probe_unregister(pp_observe_end_tp, pp_observe_done, NULL);
	pp_observe_leave_start();
	tracepoint_synchronize_unregister();
}

/**
 * pp_observe_active - are migrations counted at all
 */
bool pp_observe_active(void)
{
	return pp_observe_end_tp;
}

/**
 * pp_observe_begin - count what the calling task migrates from now on
 * @obs: the counters; must stay where it is until pp_observe_end()
 */
void pp_observe_begin(struct pp_observe *obs)
{
	memset(obs, 0, sizeof(*obs));
	obs->task = current;
	spin_lock_irq(&pp_observe_lock);
	list_add(&obs->node, &pp_observe_list);
	spin_unlock_irq(&pp_observe_lock);
}

/**
 * pp_observe_end - stop counting; the counters are final
 * @obs: the counters
 */
void pp_observe_end(struct pp_observe *obs)
{
	spin_lock_irq(&pp_observe_lock);
	list_del(&obs->node);
	spin_unlock_irq(&pp_observe_lock);
}
