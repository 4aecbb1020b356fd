// SPDX-License-Identifier: GPL-2.0
/*
 * A deadline for calls that know none. GUP retries some pages without bound and
 * looks at fatal signals alone (__get_user_pages() in mm/gup.c). Running it in
 * another task would keep the caller free, but it would also pin under another
 * task's cpuset, memory policy and memory cgroup, and so answer another
 * question. So the call runs in the caller, and at the deadline its own pending
 * set is made to look as if SIGKILL had come, which is taken back before anybody
 * else acts on it: the task cannot return to user space meanwhile.
 *
 * A real SIGKILL that comes too is not lost: it marks the whole thread group as
 * exiting (complete_signal() in kernel/signal.c), and then nothing is taken back.
 */
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/signal.h>
#include <linux/workqueue.h>
#include "observe.h"
#include "watchdog.h"

/*
 * Unbound, so that a task spinning on one CPU does not keep its own watchdog
 * from running there.
 */
static struct workqueue_struct *pp_watchdog_wq;

/**
 * pp_watchdog_init - get ready to watch
 *
 * Return: 0 or -ENOMEM.
 */
int pp_watchdog_init(void)
{
	pp_watchdog_wq = alloc_workqueue("pinprobe", WQ_UNBOUND | WQ_HIGHPRI,
					 0);
	return pp_watchdog_wq ? 0 : -ENOMEM;
}

/**
 * pp_watchdog_uninit - the reverse of pp_watchdog_init()
 */
void pp_watchdog_uninit(void)
{
	destroy_workqueue(pp_watchdog_wq);
}

/*
 * The task is inside our ioctl and waits for its watchdog to end, so it can
 * neither exit nor exec, and keeps its sighand.
 */
static spinlock_t *pp_watchdog_siglock(struct task_struct *task)
{
	return &rcu_dereference_protected(task->sighand, true)->siglock;
}

static void pp_watchdog_fire(struct work_struct *work)
{
	struct pp_watchdog *dog = container_of(to_delayed_work(work),
					       struct pp_watchdog, work);
	struct task_struct *task = dog->task;

	dog->migrating = READ_ONCE(dog->obs->migrating);
	spin_lock_irq(pp_watchdog_siglock(task));
	WRITE_ONCE(dog->fired, true);
	sigaddset(&task->pending.signal, SIGKILL);
	set_tsk_thread_flag(task, TIF_SIGPENDING);
	spin_unlock_irq(pp_watchdog_siglock(task));

	/* Only a sleep that a fatal signal may end. */
	if (READ_ONCE(task->__state) & TASK_WAKEKILL)
		wake_up_process(task);
}

/**
 * pp_watchdog_start - set a deadline for what the calling task does next
 * @dog: the watchdog, on the caller's stack
 * @obs: the caller's counters
 * @timeout_ms: the deadline, ms from now
 */
void pp_watchdog_start(struct pp_watchdog *dog, const struct pp_observe *obs,
		       unsigned int timeout_ms)
{
	dog->task = current;
	dog->obs = obs;
	dog->fired = false;
	dog->migrating = false;
	INIT_DELAYED_WORK_ONSTACK(&dog->work, pp_watchdog_fire);
	queue_delayed_work(pp_watchdog_wq, &dog->work,
			   msecs_to_jiffies(timeout_ms));
}

/**
 * pp_watchdog_stop - lift the deadline
 * @dog: the watchdog; pp_watchdog_fired() is final afterwards
 */
void pp_watchdog_stop(struct pp_watchdog *dog)
{
	struct task_struct *task = dog->task;

	cancel_delayed_work_sync(&dog->work);
	destroy_delayed_work_on_stack(&dog->work);
	if (!dog->fired)
		return;

	spin_lock_irq(pp_watchdog_siglock(task));
	if (!(task->signal->flags & SIGNAL_GROUP_EXIT) &&
	    !task->signal->group_exec_task) {
		sigdelset(&task->pending.signal, SIGKILL);
		recalc_sigpending();
	}
	spin_unlock_irq(pp_watchdog_siglock(task));
}
