/* SPDX-License-Identifier: GPL-2.0 */
#ifndef GUP_LOOP_H
#define GUP_LOOP_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define GUP_LOOP_DEVICE	"/dev/gup_loop"

/**
 * struct gup_loop - one run of pin_user_pages_fast() over a range, then unpin
 * @addr: in: start, bytes, page aligned
 * @nr_pages: in: how many
 * @pin_ns: out: ns that pinning took, the table of pages included
 * @unpin_ns: out: ns that letting go took
 */
struct gup_loop {
	__u64 addr;
	__u64 nr_pages;
	__u64 pin_ns;
	__u64 unpin_ns;
};

#define GUP_LOOP_RUN	_IOWR(0xE2, 0x80, struct gup_loop)

#endif /* GUP_LOOP_H */
