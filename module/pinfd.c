// SPDX-License-Identifier: GPL-2.0
/* A pin as a file descriptor: its last close lets go of the pages. */
#include <linux/anon_inodes.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include "abi.h"
#include "args.h"
#include "faults.h"
#include "gup.h"
#include "page.h"
#include "pin.h"
#include "pinfd.h"
#include "resolve.h"
#include "sink.h"
#include "target.h"
#include "trace.h"

static int pp_pinfd_release(struct inode *inode, struct file *file)
{
	struct pp_pin *pin = file->private_data;

	trace_pinprobe_unpin(pin);
	pp_pin_free(pin);
	return 0;
}

static long pp_pinfd_state(struct pp_pin *pin, void __user *uargs)
{
	struct pinprobe_pin_state args;
	u32 size;
	long ret;

	ret = pp_abi_get(&args, sizeof(args), PINPROBE_PIN_STATE_SIZE_V1,
			 uargs);
	if (ret)
		return ret;
	if (args.flags)
		return -EINVAL;
	size = args.size;
	args = (struct pinprobe_pin_state){
		.size = size,
		.addr = pin->addr,
		.len = (u64)pin->nr_pages << PAGE_SHIFT,
		.call = pin->call,
		.pin_flags = pin->flags,
		.age_ns = ktime_get_boottime_ns() - pin->since,
		.outcome = pin->outcome,
	};
	return pp_abi_put(&args, sizeof(args), uargs);
}

static void pp_pinfd_held(struct pp_pin *pin, unsigned long index,
			  struct pinprobe_page *rec,
			  struct pp_page_place *place)
{
	struct page *page = pp_ledger_page(&pin->ledger, index);

	pp_page_describe(rec, pin->addr + (index << PAGE_SHIFT), 0, page,
			 page_to_pfn(page), place);
	if (pp_fault(PP_FAULT_OLD_PFN) && pin->ledger.before)
		rec->pfn = pp_ledger_before(&pin->ledger, index)->pfn;
}

static int pp_pinfd_list(struct pp_pin *pin, struct pp_sink *sink, u32 when,
			 u64 *next)
{
	struct pp_page_place place = {};
	struct pinprobe_page rec;
	u64 index = *next;
	int ret = 0;

	for (; index < pin->nr_pages; index++) {
		if (when == PINPROBE_WHEN_HELD)
			pp_pinfd_held(pin, index, &rec, &place);
		else
			rec = *pp_ledger_before(&pin->ledger, index);
		ret = pp_sink_put(sink, &rec);
		if (ret)
			break;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	*next = index;
	return ret && ret != -ENOSPC ? ret : pp_sink_flush(sink);
}

static int pp_pinfd_now(struct pp_pin *pin, struct pp_sink *sink, u64 *next)
{
	unsigned long stop;
	int ret;

	if (!mmget_not_zero(pin->mm))
		return -ESRCH;
	ret = pp_resolve_range(pin->mm, sink,
			       pin->addr + (*next << PAGE_SHIFT),
			       pin->addr + (pin->nr_pages << PAGE_SHIFT),
			       false, &stop);
	mmput(pin->mm);
	*next = (stop - pin->addr) >> PAGE_SHIFT;
	return ret;
}

static long pp_pinfd_pages(struct file *file, struct pp_pin *pin,
			   void __user *uargs)
{
	struct pinprobe_pin_pages args;
	struct pp_sink *sink;
	u64 next;
	long ret;

	ret = pp_target_allowed(file);
	if (ret)
		return ret;
	ret = pp_abi_get(&args, sizeof(args), PINPROBE_PIN_PAGES_SIZE_V1,
			 uargs);
	if (ret)
		return ret;
	ret = pp_args_check_pin_pages(&args, pin->nr_pages, pin->ledger.before);
	if (ret)
		return ret;

	sink = kmalloc_obj(*sink);
	if (!sink)
		return -ENOMEM;
	pp_sink_init(sink, args.records, args.nr_records, args.record_size,
		     args.flags & PINPROBE_PAGES_RUNS);
	next = args.index;
	if (args.when == PINPROBE_WHEN_NOW)
		ret = pp_pinfd_now(pin, sink, &next);
	else
		ret = pp_pinfd_list(pin, sink, args.when, &next);
	if (!ret) {
		args.filled = sink->written;
		args.next = next;
		ret = pp_abi_put(&args, sizeof(args), uargs);
	}
	kfree(sink);
	return ret;
}

static long pp_pinfd_ioctl(struct file *file, unsigned int cmd,
			   unsigned long arg)
{
	struct pp_pin *pin = file->private_data;
	void __user *uargs = (void __user *)arg;

	switch (cmd) {
	case PINPROBE_IOC_PIN_STATE:
		return pp_pinfd_state(pin, uargs);
	case PINPROBE_IOC_PIN_PAGES:
		return pp_pinfd_pages(file, pin, uargs);
	default:
		return -ENOTTY;
	}
}

static void pp_pinfd_show_fdinfo(struct seq_file *m, struct file *file)
{
	struct pp_pin *pin = file->private_data;

	seq_printf(m, "pin-addr:\t0x%lx\n", pin->addr);
	seq_printf(m, "pin-pages:\t%lu\n", pin->nr_pages);
	seq_printf(m, "pin-call:\t%u (%s)\n", pin->call,
		   pp_gup_name(pin->call));
	seq_printf(m, "pin-flags:\t0x%x%s%s\n", pin->flags,
		   pin->flags & PINPROBE_PIN_WRITE ? " write" : "",
		   pin->flags & PINPROBE_PIN_LONGTERM ? " longterm" : "");
	seq_printf(m, "pin-age-ns:\t%llu\n",
		   ktime_get_boottime_ns() - pin->since);
}

static const struct file_operations pp_pinfd_fops = {
	.owner = THIS_MODULE,
	.release = pp_pinfd_release,
	.unlocked_ioctl = pp_pinfd_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.show_fdinfo = pp_pinfd_show_fdinfo,
	.llseek = noop_llseek,
};

/**
 * pp_pinfd_open - turn a pin into a file
 * @pin: the pin; belongs to the file from now on
 *
 * Return: the file or ERR_PTR, in which case the pin is still the caller's.
 */
struct file *pp_pinfd_open(struct pp_pin *pin)
{
	return anon_inode_getfile("[pinprobe]", &pp_pinfd_fops, pin,
				  O_RDWR | O_CLOEXEC);
}
