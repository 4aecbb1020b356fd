// SPDX-License-Identifier: GPL-2.0
/*
 * RLIMIT_MEMLOCK as RDMA accounts it: against mm->pinned_vm, before pinning
 * (ib_umem_get() in drivers/infiniband/core/umem.c). mlock() counts mm->locked_vm
 * instead; the two do not add up.
 */
#include <linux/capability.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include "memlock.h"

/**
 * pp_memlock_charge - account pages to the caller's address space
 * @mm: current->mm
 * @nr_pages: how many
 *
 * Return: 0, -EPERM if the caller may lock nothing at all, -ENOMEM if it is too
 * much. CAP_IPC_LOCK lifts both.
 */
int pp_memlock_charge(struct mm_struct *mm, unsigned long nr_pages)
{
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	unsigned long pinned;

	if (!can_do_mlock())
		return -EPERM;
	pinned = atomic64_add_return(nr_pages, &mm->pinned_vm);
	if (pinned > limit && !capable(CAP_IPC_LOCK)) {
		atomic64_sub(nr_pages, &mm->pinned_vm);
		return -ENOMEM;
	}
	return 0;
}

/**
 * pp_memlock_uncharge - the reverse of pp_memlock_charge()
 * @mm: the address space that was charged
 * @nr_pages: how many
 */
void pp_memlock_uncharge(struct mm_struct *mm, unsigned long nr_pages)
{
	atomic64_sub(nr_pages, &mm->pinned_vm);
}
