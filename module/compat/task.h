/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_COMPAT_TASK_H
#define PINPROBE_COMPAT_TASK_H

#include <linux/sched.h>
#include <linux/sched/signal.h>

/*
 * Before Linux kernel commit 2f064a59a11f ("sched: Change task_struct::state") (in
 * v5.14) it was a long, and was called state.
 */
#ifdef PP_HAVE_TASK_UNDERSCORE_STATE
#define pp_compat_task_state(task)	READ_ONCE((task)->__state)
#else
#define pp_compat_task_state(task)	READ_ONCE((task)->state)
#endif

/*
 * Before Linux kernel commit 60700e38fb68 ("signal: Rename group_exit_task
 * group_exec_task") (in v5.17).
 */
#ifdef PP_HAVE_GROUP_EXEC_TASK
#define pp_compat_exec_task(signal)	((signal)->group_exec_task)
#else
#define pp_compat_exec_task(signal)	((signal)->group_exit_task)
#endif

#endif /* PINPROBE_COMPAT_TASK_H */
