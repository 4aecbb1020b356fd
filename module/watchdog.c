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
 * A real SIGKILL that comes too is not lost. One for the process marks the thread
 * group as exiting (complete_signal() in kernel/signal.c), and then nothing is
 * taken back. One for the thread alone, as cgroup.kill and tgkill() send it, is
 * dropped as pending already; the signal_generate tracepoint tells, and it is
 * sent again.
 */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/signal.h>
#include <linux/spinlock.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <trace/events/signal.h>
#include "observe.h"
#include "tracepoint.h"
#include "watchdog.h"

/*
 * Unbound, so that a task spinning on one CPU does not keep its own watchdog
 * from running there.
 */
static struct workqueue_struct *pp_watchdog_wq;

static LIST_HEAD(pp_watchdog_list);
static DEFINE_SPINLOCK(pp_watchdog_lock);
static struct tracepoint *pp_watchdog_tp;

static void pp_watchdog_signal(void *data, int sig, struct kernel_siginfo *info,
			       struct task_struct *task, int group, int result)
{
	struct pp_watchdog *dog;
	unsigned long flags;

	if (sig != SIGKILL || result != TRACE_SIGNAL_ALREADY_PENDING)
		return;
	spin_lock_irqsave(&pp_watchdog_lock, flags);
	list_for_each_entry(dog, &pp_watchdog_list, node) {
		if (dog->task == task)
			dog->killed = true;
	}
	spin_unlock_irqrestore(&pp_watchdog_lock, flags);
}

/**
 * pp_watchdog_init - get ready to watch
 *
 * Return: 0, -ENOMEM, or -EOPNOTSUPP on a kernel without the tracepoint: a
 * deadline that can swallow a SIGKILL is worse than none.
 */
int pp_watchdog_init(void)
{
	int ret;

	check_trace_callback_type_signal_generate(pp_watchdog_signal);
	pp_watchdog_tp = pp_tracepoint_find("signal_generate");
	if (!pp_watchdog_tp)
		return -EOPNOTSUPP;
	pp_watchdog_wq = alloc_workqueue("pinprobe", WQ_UNBOUND | WQ_HIGHPRI,
					 0);
	if (!pp_watchdog_wq)
		return -ENOMEM;
	ret = tracepoint_probe_register(pp_watchdog_tp, pp_watchdog_signal,
					NULL);
	if (ret)
		destroy_workqueue(pp_watchdog_wq);
	return ret;
}

/**
 * pp_watchdog_uninit - the reverse of pp_watchdog_init()
 */
void pp_watchdog_uninit(void)
{
	tracepoint_probe_unregister(pp_watchdog_tp, pp_watchdog_signal, NULL);
	tracepoint_synchronize_unregister();
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

/*
 * Jiffies may lag behind when the work is queued, and it comes early then. The
 * clock decides.
 */
static void pp_watchdog_wait(struct pp_watchdog *dog, u64 now)
{
	queue_delayed_work(pp_watchdog_wq, &dog->work,
			   nsecs_to_jiffies(dog->deadline - now) + 1);
}

static void pp_watchdog_fire(struct work_struct *work)
{
	struct pp_watchdog *dog = container_of(to_delayed_work(work),
					       struct pp_watchdog, work);
	struct task_struct *task = dog->task;
	u64 now = ktime_get_ns();

	if (now < dog->deadline) {
		pp_watchdog_wait(dog, now);
		return;
	}
	dog->migrating = READ_ONCE(dog->obs->migrating);
	spin_lock_irq(pp_watchdog_siglock(task));
	WRITE_ONCE(dog->fired, true);
	sigaddset(&task->pending.signal, SIGKILL);
	set_tsk_thread_flag(task, TIF_SIGPENDING);
	spin_unlock_irq(pp_watchdog_siglock(task));

	/*
	 * Only a sleep that a fatal signal may end. Pairs with the barrier of
	 * set_current_state(), behind which the task looks for signals.
	 */
	smp_mb();
	if (pp_compat_task_state(task) & TASK_WAKEKILL)
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
	u64 now = ktime_get_ns();

	dog->task = current;
	dog->obs = obs;
	dog->fired = false;
	dog->migrating = false;
	dog->killed = false;
	spin_lock_irq(&pp_watchdog_lock);
	list_add(&dog->node, &pp_watchdog_list);
	spin_unlock_irq(&pp_watchdog_lock);
	INIT_DELAYED_WORK_ONSTACK(&dog->work, pp_watchdog_fire);
	dog->deadline = now + timeout_ms * (u64)NSEC_PER_MSEC;
	pp_watchdog_wait(dog, now);
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
	if (dog->fired) {
		spin_lock_irq(pp_watchdog_siglock(task));
		if (!(task->signal->flags & SIGNAL_GROUP_EXIT) &&
		    !pp_compat_exec_task(task->signal)) {
			sigdelset(&task->pending.signal, SIGKILL);
			recalc_sigpending();
		}
		spin_unlock_irq(pp_watchdog_siglock(task));
	}

	/* From here on a SIGKILL for the thread is not dropped any more. */
	spin_lock_irq(&pp_watchdog_lock);
	list_del(&dog->node);
	spin_unlock_irq(&pp_watchdog_lock);
	if (dog->fired && dog->killed)
		send_sig(SIGKILL, task, 1);
}
