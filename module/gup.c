// SPDX-License-Identifier: GPL-2.0
/*
 * The calls that take user pages. See Documentation/core-api/pin_user_pages.rst
 * in the kernel for what each promises.
 */
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/sched/signal.h>
#include "faults.h"
#include "gup.h"

#include <linux/pinprobe.h>

/**
 * pp_gup_name - the kernel's name of a call, for people
 * @call: enum pinprobe_call
 */
const char *pp_gup_name(u32 call)
{
	static const char * const names[] = {
		[PINPROBE_CALL_GET] = "get_user_pages",
		[PINPROBE_CALL_GET_FAST] = "get_user_pages_fast",
		[PINPROBE_CALL_GET_UNLOCKED] = "get_user_pages_unlocked",
		[PINPROBE_CALL_GET_REMOTE] = "get_user_pages_remote",
		[PINPROBE_CALL_PIN] = "pin_user_pages",
		[PINPROBE_CALL_PIN_FAST] = "pin_user_pages_fast",
		[PINPROBE_CALL_PIN_UNLOCKED] = "pin_user_pages_unlocked",
		[PINPROBE_CALL_PIN_REMOTE] = "pin_user_pages_remote",
	};

	return pp_gup_known(call) ? names[call] : "unknown";
}

static long pp_gup_locked(u32 call, struct mm_struct *mm, unsigned long addr,
			  unsigned long nr, unsigned int flags,
			  struct page **pages)
{
	int locked = 1;
	long ret;

	ret = mmap_read_lock_killable(mm);
	if (ret)
		return ret;
	switch (call) {
	case PINPROBE_CALL_GET:
		ret = pp_compat_get_user_pages(addr, nr, flags, pages);
		break;
	case PINPROBE_CALL_PIN:
		ret = pp_compat_pin_user_pages(addr, nr, flags, pages);
		break;
	case PINPROBE_CALL_GET_REMOTE:
		ret = pp_compat_get_user_pages_remote(mm, addr, nr, flags,
						      pages, &locked);
		break;
	default:
		ret = pp_compat_pin_user_pages_remote(mm, addr, nr, flags,
						      pages, &locked);
		break;
	}
	if (locked)
		mmap_read_unlock(mm);
	return ret;
}

/**
 * pp_gup_call - take pages
 * @call: enum pinprobe_call
 * @mm: whose pages; current->mm unless the call is remote
 * @addr: start, bytes
 * @nr: how many pages
 * @write: with FOLL_WRITE
 * @longterm: with FOLL_LONGTERM
 * @pages: out: the pages
 *
 * Must not be called with the mmap lock held. Return: how many pages were
 * taken, which may be fewer than asked for, or -errno.
 */
long pp_gup_call(u32 call, struct mm_struct *mm, unsigned long addr,
		 unsigned long nr, bool write, bool longterm,
		 struct page **pages)
{
	unsigned int flags = 0;
	long ret;

	if (write)
		flags |= FOLL_WRITE;
	if (longterm && !pp_fault(PP_FAULT_DROP_LONGTERM))
		flags |= FOLL_LONGTERM;

	switch (call) {
	case PINPROBE_CALL_GET_FAST:
		ret = get_user_pages_fast(addr, nr, flags, pages);
		break;
	case PINPROBE_CALL_PIN_FAST:
		ret = pin_user_pages_fast(addr, nr, flags, pages);
		break;
	case PINPROBE_CALL_GET_UNLOCKED:
		ret = get_user_pages_unlocked(addr, nr, pages, flags);
		break;
	case PINPROBE_CALL_PIN_UNLOCKED:
		ret = pin_user_pages_unlocked(addr, nr, pages, flags);
		break;
	default:
		ret = pp_gup_locked(call, mm, addr, nr, flags, pages);
		break;
	}
	/* 6.5 and later answer flags they refuse with 0 pages. */
	return ret ?: -EINVAL;
}
