/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_OBSERVE_H
#define PINPROBE_OBSERVE_H

#include <linux/list.h>
#include <linux/types.h>

#include <linux/pinprobe.h>

struct task_struct;

/**
 * struct pp_observe - what one task migrates while it is watched
 * @node: in the list of watched tasks
 * @task: the task
 * @migrating: it is inside migrate_pages() now
 * @migrate: sums by enum pinprobe_reason
 */
struct pp_observe {
	struct list_head node;
	struct task_struct *task;
	bool migrating;
	struct pinprobe_migrate migrate[PINPROBE_REASON_COUNT];
};

int pp_observe_init(void);
void pp_observe_uninit(void);
bool pp_observe_active(void);
void pp_observe_begin(struct pp_observe *obs);
void pp_observe_end(struct pp_observe *obs);

#endif /* PINPROBE_OBSERVE_H */
