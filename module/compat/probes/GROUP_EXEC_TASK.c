// SPDX-License-Identifier: GPL-2.0
/* who waits for his other threads to end is called group_exec_task: 60700e38fb68, v5.17 */
#include <linux/sched/signal.h>

void *probe(struct task_struct *task);
void *probe(struct task_struct *task)
{
	return task->signal->group_exec_task;
}
