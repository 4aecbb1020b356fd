// SPDX-License-Identifier: GPL-2.0
/* RESOLVE: which pages stand in a range of a process. */
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include "abi.h"
#include "args.h"
#include "faults.h"
#include "resolve.h"
#include "sink.h"
#include "target.h"
#include "walk.h"

#include "trace.h"

#include <linux/pinprobe.h>

/* Hands one piece over; returns the pages the caller had room for. */
static unsigned long pp_resolve_put(struct pp_walk *walk, struct pp_sink *sink,
				    unsigned long nr, int *err)
{
	u32 taken = nr;

	if (walk->recs->nr_pages == nr && nr > 1)
		return pp_sink_put_blank(sink, walk->recs, err);
	*err = pp_sink_put_all(sink, walk->recs, &taken);
	return taken;
}

/**
 * pp_resolve_range - write the records of a range
 * @mm: whose address space; the caller keeps a reference on its users
 * @sink: where to
 * @addr: start, bytes
 * @end: end, bytes
 * @fault: fault absent pages in
 * @next: out: first address that did not fit
 *
 * Must not be called with the mmap lock held. Return: 0 or -errno.
 */
int pp_resolve_range(struct mm_struct *mm, struct pp_sink *sink,
		     unsigned long addr, unsigned long end, bool fault,
		     unsigned long *next)
{
	struct pp_walk *walk;
	int err = 0;
	long nr;

	walk = kmalloc_obj(*walk);
	if (!walk)
		return -ENOMEM;
	err = pp_walk_init(walk, mm, addr, end - addr);
	if (err)
		goto out_free;

	while (addr < end && !err) {
		nr = pp_walk_next(walk, addr, end, fault);
		if (nr < 0) {
			err = nr;
			break;
		}
		addr += pp_resolve_put(walk, sink, nr, &err) << PAGE_SHIFT;
		if (!err && fatal_signal_pending(current))
			err = -EINTR;
		cond_resched();
	}
	pp_walk_exit(walk);
	*next = addr;
	/* A full array is a result, not a failure. */
	if (!err || err == -ENOSPC)
		err = pp_sink_flush(sink);
out_free:
	kfree(walk);
	return err;
}

/**
 * pp_resolve_ioctl - %PINPROBE_IOC_RESOLVE
 * @file: /dev/pinprobe
 * @uargs: struct pinprobe_resolve
 *
 * Return: 0 or -errno, see the uapi header.
 */
long pp_resolve_ioctl(struct file *file, void __user *uargs)
{
	struct pinprobe_resolve args;
	unsigned long next;
	struct pp_sink *sink;
	struct mm_struct *mm;
	long ret;

	ret = pp_target_allowed(file);
	if (ret)
		return ret;
	ret = pp_abi_get(&args, sizeof(args), PINPROBE_RESOLVE_SIZE_V1, uargs);
	if (ret)
		return ret;
	ret = pp_args_check_resolve(&args);
	if (ret)
		return ret;

	sink = kmalloc_obj(*sink);
	if (!sink)
		return -ENOMEM;
	mm = pp_target_get(args.pid);
	if (IS_ERR(mm)) {
		ret = PTR_ERR(mm);
		goto out_free;
	}
	pp_sink_init(sink, args.records, args.nr_records, args.record_size,
		     args.flags & PINPROBE_RESOLVE_RUNS);
	ret = pp_resolve_range(mm, sink, args.addr, args.addr + args.len,
			       args.flags & PINPROBE_RESOLVE_FAULT, &next);
	mmput(mm);
	if (ret)
		goto out_free;
	args.filled = sink->written;
	args.next = next;
	trace_pinprobe_resolve(args.pid, args.addr, args.len, args.filled);
	ret = pp_abi_put(&args, sizeof(args), uargs);
out_free:
	if (!pp_fault(PP_FAULT_LEAK))
		kfree(sink);
	return ret;
}
