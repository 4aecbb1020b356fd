/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_WATCHDOG_H
#define PINPROBE_WATCHDOG_H

#include <linux/list.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct pp_observe;
struct task_struct;

/**
 * struct pp_watchdog - ends a call of the calling task at its deadline
 * @node: in the list of running watchdogs
 * @work: looks whether the deadline has passed
 * @deadline: CLOCK_MONOTONIC, ns
 * @task: the task
 * @obs: what it is doing
 * @fired: the deadline passed
 * @migrating: it was inside migrate_pages() then
 * @killed: a SIGKILL was dropped since
 */
struct pp_watchdog {
	struct list_head node;
	struct delayed_work work;
	u64 deadline;
	struct task_struct *task;
	const struct pp_observe *obs;
	bool fired;
	bool migrating;
	bool killed;
};

int pp_watchdog_init(void);
void pp_watchdog_uninit(void);
void pp_watchdog_start(struct pp_watchdog *dog, const struct pp_observe *obs,
		       unsigned int timeout_ms);
void pp_watchdog_stop(struct pp_watchdog *dog);

static inline bool pp_watchdog_fired(const struct pp_watchdog *dog)
{
	return READ_ONCE(dog->fired);
}

#endif /* PINPROBE_WATCHDOG_H */
