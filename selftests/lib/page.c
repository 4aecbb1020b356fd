// SPDX-License-Identifier: GPL-2.0
/* The names of the bits of a page record, in the order of the ABI. */
#include "page.h"

const struct bit_name page_flag_names[] = {
	{ PINPROBE_PAGE_WRITE, "write" },
	{ PINPROBE_PAGE_ISOLATED, "isolated" },
	{ PINPROBE_PAGE_MAYBE_PINNED, "maybe_pinned" },
	{ PINPROBE_PAGE_ANON, "anon" },
	{ PINPROBE_PAGE_LRU, "lru" },
	{ PINPROBE_PAGE_LARGE, "large" },
	{ PINPROBE_PAGE_HUGETLB, "hugetlb" },
	{ PINPROBE_PAGE_ZERO, "zero" },
	{ PINPROBE_PAGE_SWAPCACHE, "swapcache" },
	{ PINPROBE_PAGE_LOCKED, "locked" },
	{ PINPROBE_PAGE_DIRTY, "dirty" },
	{ PINPROBE_PAGE_WRITEBACK, "writeback" },
	{ PINPROBE_PAGE_UNEVICTABLE, "unevictable" },
	{ PINPROBE_PAGE_MLOCKED, "mlocked" },
	{ PINPROBE_PAGE_HWPOISON, "hwpoison" },
	{ PINPROBE_PAGE_PRIVATE, "private" },
	{ PINPROBE_PAGE_KSM, "ksm" },
	{ PINPROBE_PAGE_RACY, "racy" },
	{ }
};

const struct bit_name page_unpinnable_names[] = {
	{ PINPROBE_UNPINNABLE_CMA, "cma" },
	{ PINPROBE_UNPINNABLE_ISOLATE, "isolate" },
	{ PINPROBE_UNPINNABLE_MOVABLE, "movable" },
	{ PINPROBE_UNPINNABLE_COHERENT, "coherent" },
	{ PINPROBE_UNPINNABLE_FSDAX, "fsdax" },
	{ }
};
