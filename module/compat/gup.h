/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_COMPAT_GUP_H
#define PINPROBE_COMPAT_GUP_H

#include <linux/mm.h>

/*
 * Before Linux kernel commits 54d020692b34 ("mm/gup: remove unused vmas
 * parameter from get_user_pages()"), ca5e863233e8 ("mm/gup: remove vmas
 * parameter from get_user_pages_remote()") and 4c630f307455 ("mm/gup: remove
 * vmas parameter from pin_user_pages()") (in v6.5), these took one more
 * argument, and the remote ones refused FOLL_LONGTERM with a lock to drop.
 */
#ifdef PP_HAVE_GUP_WITHOUT_VMAS
#define pp_compat_get_user_pages	get_user_pages
#define pp_compat_pin_user_pages	pin_user_pages
#define pp_compat_get_user_pages_remote	get_user_pages_remote
#define pp_compat_pin_user_pages_remote	pin_user_pages_remote
#else
#define pp_compat_get_user_pages(start, nr, flags, pages) \
	get_user_pages(start, nr, flags, pages, NULL)
#define pp_compat_pin_user_pages(start, nr, flags, pages) \
	pin_user_pages(start, nr, flags, pages, NULL)
#define pp_compat_get_user_pages_remote(mm, start, nr, flags, pages, locked) \
	get_user_pages_remote(mm, start, nr, flags, pages, NULL, locked)
#define pp_compat_pin_user_pages_remote(mm, start, nr, flags, pages, locked) \
	pin_user_pages_remote(mm, start, nr, flags, pages, NULL, \
			      (flags) & FOLL_LONGTERM ? NULL : (locked))
#endif

/*
 * Before Linux kernel commit d64e2dbc33a1 ("mm/gup: simplify the external
 * interface functions and consolidate invariants") (in v6.3), and the series
 * that it is part of, pin_user_pages_unlocked() answered FOLL_LONGTERM with a
 * WARNING and EINVAL.
 */
#ifdef PP_HAVE_GUP_PRIVATE_FLAGS
#define PP_UNLOCKED_TAKES_LONGTERM	1
#else
#define PP_UNLOCKED_TAKES_LONGTERM	0
#endif

#endif /* PINPROBE_COMPAT_GUP_H */
