// SPDX-License-Identifier: GPL-2.0
/* PIN: take pages under a chosen contract, and say what that did. */
#include <linux/file.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include "abi.h"
#include "args.h"
#include "faults.h"
#include "gup.h"
#include "memlock.h"
#include "observe.h"
#include "pin.h"
#include "pinfd.h"
#include "target.h"
#include "trace.h"
#include "walk.h"
#include "watchdog.h"

/**
 * pp_pin_max_pages - most pages of one pin
 *
 * As many as there are: no process has more of its own.
 */
unsigned long pp_pin_max_pages(void)
{
	return totalram_pages();
}

/* Reads the pages that the next GUP call is asked for, as they are now. */
static int pp_pin_snapshot(struct pp_pin *pin, struct pp_walk *walk,
			   unsigned long nr)
{
	unsigned long index = pin->ledger.nr_held, done = 0, i;
	unsigned long addr = pin->addr + (index << PAGE_SHIFT);
	struct pinprobe_page *before;
	long got;

	before = pp_ledger_before(&pin->ledger, index);
	if (!before)
		return -ENOMEM;
	while (done < nr) {
		got = pp_walk_next(walk, addr + (done << PAGE_SHIFT),
				   addr + (nr << PAGE_SHIFT), false);
		if (got < 0)
			return got;
		for (i = 0; i < got; i++) {
			bool stretch = walk->recs->nr_pages == got;

			before[done] = walk->recs[stretch ? 0 : i];
			before[done].addr = addr + (done << PAGE_SHIFT);
			before[done].nr_pages = 1;
			done++;
		}
	}
	return 0;
}

static void pp_pin_compare(struct pp_pin *pin, struct page **pages, long nr)
{
	struct pinprobe_outcome *out = &pin->outcome;
	struct pinprobe_page *before;
	unsigned long pfn;
	long i;

	before = pp_ledger_before(&pin->ledger, pin->ledger.nr_held);
	for (i = 0; i < nr; i++) {
		pfn = page_to_pfn(pages[i]);
		if (pp_fault(PP_FAULT_OLD_PFN))
			pfn = before[i].pfn;
		if (before[i].state != PINPROBE_STATE_PRESENT)
			out->absent++;
		else if (before[i].pfn == pfn)
			out->stayed++;
		else
			out->moved++;
	}
}

/* Takes pages batch by batch until all are held or something stops it. */
static long pp_pin_take(struct pp_pin *pin, struct pp_walk *walk,
			const struct pp_watchdog *dog)
{
	struct pinprobe_outcome *out = &pin->outcome;
	struct page **pages;
	unsigned long room;
	long ret;

	while (pin->ledger.nr_held < pin->nr_pages) {
		out->stage = PINPROBE_STAGE_ALLOC;
		pages = pp_ledger_room(&pin->ledger, &room);
		if (!pages)
			return -ENOMEM;
		if (walk) {
			out->stage = PINPROBE_STAGE_SNAPSHOT;
			ret = pp_pin_snapshot(pin, walk, room);
			if (ret)
				return ret;
		}
		out->stage = PINPROBE_STAGE_GUP;
		out->calls++;
		ret = pp_gup_call(pin->call, pin->mm,
				  pin->addr + (pin->ledger.nr_held << PAGE_SHIFT),
				  room, pin->flags & PINPROBE_PIN_WRITE,
				  pin->flags & PINPROBE_PIN_LONGTERM, pages);
		if (ret < 0)
			return ret;
		if (walk)
			pp_pin_compare(pin, pages, ret);
		pin->ledger.nr_held += ret;
		if (pin->ledger.nr_held == pin->nr_pages)
			break;
		if (pp_watchdog_fired(dog))
			return -ETIMEDOUT;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

static void pp_pin_account(struct pp_pin *pin, const struct pp_observe *obs,
			   long ret)
{
	const struct pinprobe_migrate *longterm;
	struct pinprobe_outcome *out = &pin->outcome;

	longterm = &obs->migrate[PINPROBE_REASON_LONGTERM_PIN];
	memcpy(out->migrate, obs->migrate, sizeof(out->migrate));
	if (pp_observe_active())
		out->flags |= PINPROBE_OUTCOME_MIGRATE;
	out->nr_pinned = pin->ledger.nr_held;
	out->failed = longterm->failed;
	if (ret)
		out->fail_addr = pin->addr + (out->nr_pinned << PAGE_SHIFT);
	if (!ret && pin->flags & PINPROBE_PIN_SNAPSHOT) {
		out->flags |= PINPROBE_OUTCOME_SNAPSHOT;
		return;
	}
	/* What a failed call moved need not be among what it held. */
	out->moved = longterm->succeeded;
	out->stayed = out->nr_pinned - min(out->moved, out->nr_pinned);
	out->absent = 0;
}

/* The call itself, watched: counts, deadline, and the errno it comes to. */
static long pp_pin_watched(struct pp_pin *pin, struct pp_walk *walk,
			   unsigned int timeout_ms)
{
	u64 faults = current->min_flt + current->maj_flt;
	u64 start = ktime_get_ns();
	struct pp_watchdog dog;
	struct pp_observe obs;
	long ret;

	pp_observe_begin(&obs);
	pp_watchdog_start(&dog, &obs, timeout_ms);
	ret = pp_pin_take(pin, walk, &dog);
	pp_watchdog_stop(&dog);
	pp_observe_end(&obs);

	if (ret && dog.fired) {
		ret = -ETIMEDOUT;
		if (dog.migrating)
			pin->outcome.stage = PINPROBE_STAGE_MIGRATE;
	} else if (ret && fatal_signal_pending(current)) {
		ret = -EINTR;
	}
	pin->outcome.duration_ns = ktime_get_ns() - start;
	pin->outcome.faults = current->min_flt + current->maj_flt - faults;
	pp_pin_account(pin, &obs, ret);
	return ret;
}

static long pp_pin_run(struct pp_pin *pin, unsigned int timeout_ms)
{
	struct pp_walk *walk = NULL;
	long ret;

	pin->outcome.stage = PINPROBE_STAGE_MEMLOCK;
	ret = pp_memlock_charge(pin->payer, pin->nr_pages);
	if (ret)
		return ret;
	pin->charged = pin->nr_pages;

	pin->outcome.stage = PINPROBE_STAGE_ALLOC;
	ret = pp_ledger_init(&pin->ledger, pin->nr_pages,
			     pp_gup_pins(pin->call),
			     pin->flags & PINPROBE_PIN_SNAPSHOT);
	if (ret)
		return ret;
	if (pin->flags & PINPROBE_PIN_SNAPSHOT) {
		walk = kmalloc_obj(*walk);
		if (!walk)
			return -ENOMEM;
		ret = pp_walk_init(walk, pin->mm, pin->addr,
				   pin->nr_pages << PAGE_SHIFT);
		if (ret)
			goto out_free;
	}
	ret = pp_pin_watched(pin, walk, timeout_ms);
	if (walk)
		pp_walk_exit(walk);
out_free:
	kfree(walk);
	return ret;
}

/**
 * pp_pin_free - let go of everything a pin holds, and of itself
 * @pin: the pin
 *
 * May sleep.
 */
void pp_pin_free(struct pp_pin *pin)
{
	pp_ledger_release(&pin->ledger);
	pp_memlock_uncharge(pin->payer, pin->charged);
	mmdrop(pin->payer);
	mmdrop(pin->mm);
	kfree(pin);
	pp_fault_look(pin);
}

static struct pp_pin *pp_pin_alloc(const struct pinprobe_pin *args,
				   struct mm_struct *mm)
{
	struct pp_pin *pin = kzalloc(sizeof(*pin), GFP_KERNEL_ACCOUNT);

	if (!pin)
		return NULL;
	mmgrab(mm);
	pin->mm = mm;
	mmgrab(current->mm);
	pin->payer = current->mm;
	pin->addr = args->addr;
	pin->nr_pages = args->len >> PAGE_SHIFT;
	pin->call = args->call;
	pin->flags = args->flags;
	pin->outcome.nr_pages = pin->nr_pages;
	return pin;
}

/* Everything but the descriptor's number. The outcome is filled in always. */
static struct file *pp_pin_make(struct pinprobe_pin *args, struct mm_struct *mm)
{
	unsigned int timeout_ms = args->timeout_ms ?:
				  PINPROBE_PIN_TIMEOUT_DEFAULT_MS;
	struct pp_pin *pin;
	struct file *file;
	long ret;

	args->outcome.stage = PINPROBE_STAGE_ALLOC;
	pin = pp_pin_alloc(args, mm);
	if (!pin)
		return ERR_PTR(-ENOMEM);
	trace_pinprobe_pin_begin(pin);
	ret = pp_pin_run(pin, timeout_ms);
	if (!ret) {
		pin->since = ktime_get_boottime_ns();
		pin->outcome.stage = PINPROBE_STAGE_DONE;
	}
	pin->outcome.error = -ret;
	args->outcome = pin->outcome;
	trace_pinprobe_pin_end(pin);
	if (!ret) {
		file = pp_pinfd_open(pin);
		if (!IS_ERR(file))
			return file;
		args->outcome.stage = PINPROBE_STAGE_ALLOC;
		ret = PTR_ERR(file);
	}
	pp_pin_free(pin);
	return ERR_PTR(ret);
}

/* Returns the file and sets args->fd, or ERR_PTR. */
static struct file *pp_pin_do(struct pinprobe_pin *args)
{
	struct mm_struct *mm;
	struct file *file;
	int ret;

	args->outcome.stage = PINPROBE_STAGE_ARGUMENT;
	ret = pp_args_check_pin(args, pp_pin_max_pages());
	if (ret)
		return ERR_PTR(ret);
	args->outcome.nr_pages = args->len >> PAGE_SHIFT;
	mm = pp_target_get(args->pid);
	if (IS_ERR(mm))
		return ERR_CAST(mm);

	args->outcome.stage = PINPROBE_STAGE_ALLOC;
	ret = get_unused_fd_flags(O_CLOEXEC);
	if (ret < 0) {
		file = ERR_PTR(ret);
		goto out_mm;
	}
	args->fd = ret;
	file = pp_pin_make(args, mm);
	if (IS_ERR(file)) {
		put_unused_fd(args->fd);
		args->fd = -1;
	}
out_mm:
	mmput(mm);
	return file;
}

/**
 * pp_pin_ioctl - %PINPROBE_IOC_PIN
 * @dev: /dev/pinprobe
 * @uargs: struct pinprobe_pin
 *
 * Return: 0 or -errno, see the uapi header.
 */
long pp_pin_ioctl(struct file *dev, void __user *uargs)
{
	struct pinprobe_pin args;
	struct file *file;
	long ret;

	ret = pp_target_allowed(dev);
	if (ret)
		return ret;
	ret = pp_abi_get(&args, sizeof(args), PINPROBE_PIN_SIZE_V1, uargs);
	if (ret)
		return ret;
	memset(&args.outcome, 0, sizeof(args.outcome));
	args.fd = -1;

	file = pp_pin_do(&args);
	ret = PTR_ERR_OR_ZERO(file);
	/* It begins again, from what the caller wrote. */
	if (ret == -ERESTARTNOINTR)
		return ret;
	args.outcome.error = -ret;
	if (pp_abi_put(&args, sizeof(args), uargs)) {
		if (!ret) {
			put_unused_fd(args.fd);
			fput(file);
		}
		return ret ?: -EFAULT;
	}
	if (!ret)
		fd_install(args.fd, file);
	return ret;
}
