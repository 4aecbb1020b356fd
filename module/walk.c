// SPDX-License-Identifier: GPL-2.0
/*
 * Reading a page table without disturbing it: neither way takes a page
 * reference, nor faults anything in unless asked. A mapped page cannot be freed
 * or moved without its mapping being invalidated first, and the interval
 * notifier tells us that: records are kept only if nothing was invalidated
 * while they were made. See Documentation/mm/hmm.rst in the kernel.
 */
#include <linux/hmm.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/signal.h>
#include <linux/slab.h>
#include "page.h"
#include "ptes.h"
#include "walk.h"

/* How often a piece that keeps changing is read before it is given as racy. */
#define PP_WALK_ATTEMPTS	16

static bool pp_walk_invalidate(struct mmu_interval_notifier *notifier,
			       const struct mmu_notifier_range *range,
			       unsigned long seq)
{
	struct pp_walk *walk = container_of(notifier, struct pp_walk, notifier);

	spin_lock(&walk->lock);
	mmu_interval_set_seq(notifier, seq);
	spin_unlock(&walk->lock);
	return true;
}

static const struct mmu_interval_notifier_ops pp_walk_ops = {
	.invalidate = pp_walk_invalidate,
};

/*
 * The first notifier of an address space takes all of its locks, and any
 * pending signal ends that (mm_take_all_locks() in mm/mmap.c or mm/vma.c). Where
 * there are many mappings, a timer would end each attempt: so signals wait.
 * What is pending for another reason (a freezer, a tracer) has to be dealt with
 * first, and the call begins again.
 */
static int pp_walk_insert(struct pp_walk *walk, unsigned long start,
			  unsigned long len)
{
	sigset_t blocked, old;
	int ret;

	ret = mmu_interval_notifier_insert(&walk->notifier, walk->mm, start,
					   len, &pp_walk_ops);
	if (ret != -EINTR || fatal_signal_pending(current))
		return ret;
	siginitsetinv(&blocked, sigmask(SIGKILL));
	sigprocmask(SIG_BLOCK, &blocked, &old);
	ret = mmu_interval_notifier_insert(&walk->notifier, walk->mm, start,
					   len, &pp_walk_ops);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (ret == -EINTR && !fatal_signal_pending(current))
		return -ERESTARTNOINTR;
	return ret;
}

/**
 * pp_walk_init - get ready to read a range
 * @walk: the walk
 * @mm: whose page table; the caller keeps a reference on its users
 * @start: first address, bytes
 * @len: length, bytes
 *
 * Must not be called with the mmap lock held. Return: 0, -ENOMEM, -EINTR if
 * killed, or -ERESTARTNOINTR, which is for the ioctl to return.
 */
int pp_walk_init(struct pp_walk *walk, struct mm_struct *mm,
		 unsigned long start, unsigned long len)
{
	int ret = -ENOMEM;

	spin_lock_init(&walk->lock);
	walk->mm = mm;
	/* Zeroed once: hmm keeps some bits of what it finds there. */
	walk->pfns = kvcalloc(PP_WALK_PAGES, sizeof(*walk->pfns), GFP_KERNEL);
	walk->recs = kvmalloc_array(PP_WALK_PAGES, sizeof(*walk->recs),
				    GFP_KERNEL);
	if (!walk->pfns || !walk->recs)
		goto err_free;

	ret = pp_walk_insert(walk, start, len);
	if (ret)
		goto err_free;
	return 0;

err_free:
	kvfree(walk->recs);
	kvfree(walk->pfns);
	return ret;
}

/**
 * pp_walk_exit - end a walk
 * @walk: the walk
 */
void pp_walk_exit(struct pp_walk *walk)
{
	mmu_interval_notifier_remove(&walk->notifier);
	kvfree(walk->recs);
	kvfree(walk->pfns);
}

/*
 * A stretch that needs no look at the page table: one record for all of it.
 * Returns its length in pages, or 0 where pages must be looked at.
 */
static unsigned long pp_walk_skip(struct pp_walk *walk,
				  struct vm_area_struct *vma,
				  unsigned long addr, unsigned long *end)
{
	unsigned long stop = *end;
	u8 state;

	if (!vma || vma->vm_start > addr) {
		state = PINPROBE_STATE_UNMAPPED;
		if (vma)
			stop = min(stop, vma->vm_start);
	} else {
		stop = min(stop, vma->vm_end);
		*end = stop;
		if (vma->vm_flags & (VM_IO | VM_PFNMAP))
			state = PINPROBE_STATE_SPECIAL;
		else if (!(vma->vm_flags & VM_READ))
			state = PINPROBE_STATE_NOREAD;
		else
			return 0;
	}
	pp_page_blank(walk->recs, addr, (stop - addr) >> PAGE_SHIFT, state);
	return walk->recs->nr_pages;
}

static bool pp_walk_stale(struct pp_walk *walk, unsigned long seq)
{
	bool stale;

	spin_lock(&walk->lock);
	stale = mmu_interval_read_retry(&walk->notifier, seq);
	spin_unlock(&walk->lock);
	return stale;
}

/* Entries for up to @nr pages, by the cheaper of the two ways that can. */
static long pp_walk_entries(struct pp_walk *walk, struct vm_area_struct *vma,
			    struct hmm_range *range, unsigned long nr)
{
	unsigned long plain = 0;
	int ret;

	if (!range->default_flags)
		plain = pp_ptes_read(vma, range->start, nr, walk->pfns);
	if (plain)
		return plain;
	range->end = range->start + (nr << PAGE_SHIFT);
	ret = hmm_range_fault(range);
	return ret ?: nr;
}

/*
 * One attempt. Returns the pages read, -EBUSY to try again, -EFAULT if a page
 * that should be faulted in cannot be, or another error.
 */
static long pp_walk_read(struct pp_walk *walk, unsigned long addr,
			 unsigned long end, bool fault, bool last)
{
	struct hmm_range range = {
		.notifier = &walk->notifier,
		.start = addr,
		.hmm_pfns = walk->pfns,
		.default_flags = fault ? HMM_PFN_REQ_FAULT : 0,
	};
	struct vm_area_struct *vma;
	unsigned long most, seq;
	long nr;
	int ret;

	seq = mmu_interval_read_begin(&walk->notifier);
	range.notifier_seq = seq;
	ret = mmap_read_lock_killable(walk->mm);
	if (ret)
		return ret;
	vma = find_vma(walk->mm, addr);
	nr = pp_walk_skip(walk, vma, addr, &end);
	if (nr) {
		mmap_read_unlock(walk->mm);
		return nr;
	}
	most = min((end - addr) >> PAGE_SHIFT, PP_WALK_PAGES);
	nr = pp_walk_entries(walk, vma, &range, most);
	mmap_read_unlock(walk->mm);
	if (nr == -EBUSY && last) {
		/* Nothing certain was read; what there is, is marked. */
		nr = most;
		memset(walk->pfns, 0, nr * sizeof(*walk->pfns));
	}
	if (nr < 0)
		return nr;

	pp_page_entries(walk->recs, walk->pfns, nr, addr,
			last ? PINPROBE_PAGE_RACY : 0);
	if (!last && pp_walk_stale(walk, seq))
		return -EBUSY;
	return nr;
}

/**
 * pp_walk_next - read the next piece of a range
 * @walk: the walk
 * @addr: where it begins, bytes
 * @end: where the range ends, bytes
 * @fault: fault absent pages in
 *
 * Fills @walk->recs: either one record for a stretch without pages, of any
 * length, or one for each of up to %PP_WALK_PAGES pages. The two are told apart
 * by the first record's nr_pages and state.
 *
 * Return: how many pages were covered, -EINTR if killed, -ENOMEM.
 */
long pp_walk_next(struct pp_walk *walk, unsigned long addr, unsigned long end,
		  bool fault)
{
	int attempt = 0;
	long ret;

	for (;;) {
		ret = pp_walk_read(walk, addr, end, fault,
				   attempt == PP_WALK_ATTEMPTS);
		if (ret == -EFAULT && fault) {
			/* Come to the page that cannot be had, then pass it. */
			if (end - addr > PAGE_SIZE)
				end = addr + PAGE_SIZE;
			else
				fault = false;
			continue;
		}
		if (ret != -EBUSY)
			return ret;
		if (fatal_signal_pending(current))
			return -EINTR;
		attempt++;
		cond_resched();
	}
}
