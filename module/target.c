// SPDX-License-Identifier: GPL-2.0
/* Which address space an ioctl looks at, and who may. */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include "target.h"

/**
 * pp_target_allowed - may physical addresses be told through this file
 * @file: the file the ioctl came through
 *
 * Both who opened it and who calls must be privileged: a descriptor passed on
 * carries no right, and an unprivileged opener gets none from a set-user-ID
 * caller. /proc/PID/pagemap checks its opener for the same reason (ab676b7d6fbf,
 * "pagemap: do not leak physical addresses to non-privileged userspace", v4.0).
 *
 * Return: 0 or -EPERM.
 */
int pp_target_allowed(const struct file *file)
{
	if (!file_ns_capable(file, &init_user_ns, CAP_SYS_ADMIN) ||
	    !capable(CAP_SYS_ADMIN))
		return -EPERM;
	return 0;
}

/**
 * pp_target_get - the address space of a process
 * @pid: PID in the caller's namespace, 0 for the caller
 *
 * Return: the mm, to be given back with mmput(), or ERR_PTR: -EINVAL for a
 * negative @pid, -ESRCH if there is no such process or it has no address space
 * (a kernel thread, a zombie).
 */
struct mm_struct *pp_target_get(s32 pid)
{
	struct task_struct *task;
	struct mm_struct *mm;
	struct pid *ref;

	if (pid < 0)
		return ERR_PTR(-EINVAL);
	if (!pid) {
		mm = get_task_mm(current);
		return mm ?: ERR_PTR(-ESRCH);
	}

	ref = find_get_pid(pid);
	task = get_pid_task(ref, PIDTYPE_PID);
	put_pid(ref);
	if (!task)
		return ERR_PTR(-ESRCH);
	mm = get_task_mm(task);
	put_task_struct(task);
	return mm ?: ERR_PTR(-ESRCH);
}
