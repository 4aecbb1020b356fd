// SPDX-License-Identifier: GPL-2.0
/*
 * A bare loop of pin_user_pages_fast(FOLL_WRITE | FOLL_LONGTERM), 512 pages a
 * call as ib_umem_get() makes them: the least that pinning a range can cost.
 * Loaded by "make bench" alone; it is no part of pinprobe.ko.
 */
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>
#include "gup_loop.h"

#define GUP_LOOP_BATCH	512UL

static long gup_loop_pin(struct gup_loop *args, struct page **pages)
{
	unsigned long done = 0;
	long got;

	while (done < args->nr_pages) {
		got = pin_user_pages_fast(args->addr + (done << PAGE_SHIFT),
					  min(GUP_LOOP_BATCH,
					      args->nr_pages - done),
					  FOLL_WRITE | FOLL_LONGTERM,
					  pages + done);
		if (got <= 0 || fatal_signal_pending(current)) {
			unpin_user_pages(pages, done + max(got, 0L));
			return got < 0 ? got : -EINTR;
		}
		done += got;
		cond_resched();
	}
	return 0;
}

static long gup_loop_ioctl(struct file *file, unsigned int cmd,
			   unsigned long arg)
{
	void __user *uargs = (void __user *)arg;
	struct gup_loop args;
	struct page **pages;
	u64 start;
	long ret;

	if (cmd != GUP_LOOP_RUN)
		return -ENOTTY;
	if (copy_from_user(&args, uargs, sizeof(args)))
		return -EFAULT;
	if (!args.nr_pages || args.nr_pages > totalram_pages())
		return -EINVAL;

	/* Who wants to unpin pages has to remember them: that is part of it. */
	start = ktime_get_ns();
	pages = kvmalloc_array(args.nr_pages, sizeof(*pages), GFP_KERNEL);
	if (!pages)
		return -ENOMEM;
	ret = gup_loop_pin(&args, pages);
	args.pin_ns = ktime_get_ns() - start;
	if (!ret) {
		start = ktime_get_ns();
		unpin_user_pages(pages, args.nr_pages);
		args.unpin_ns = ktime_get_ns() - start;
		if (copy_to_user(uargs, &args, sizeof(args)))
			ret = -EFAULT;
	}
	kvfree(pages);
	return ret;
}

static const struct file_operations gup_loop_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = gup_loop_ioctl,
};

static struct miscdevice gup_loop_dev = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "gup_loop",
	.fops = &gup_loop_fops,
	.mode = 0600,
};

module_misc_device(gup_loop_dev);
MODULE_DESCRIPTION("Bare pin_user_pages_fast() loop for pinprobe's benchmark");
MODULE_LICENSE("GPL");
