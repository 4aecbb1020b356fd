// SPDX-License-Identifier: GPL-2.0
/* The kinds of memory that rows know, in the order in which they run. */
#include "backings.h"

const struct backing *const backings[] = {
	&backing_anon,
	&backing_anon_page,
	&backing_anon_settled,
	&backing_memfd,
	&backing_anon_locked,
	&backing_anon_readonly,
	&backing_thp,
	&backing_thp_part,
	&backing_hugetlb,
	&backing_memfd_hugetlb,
	&backing_tmpfs_shared,
	&backing_tmpfs_private,
	&backing_tmpfs_huge_shared,
	&backing_tmpfs_huge_private,
	&backing_ext4_shared,
	&backing_ext4_readonly,
	&backing_ext4_private,
	&backing_ext4_past_end,
	&backing_xfs_shared,
	&backing_xfs_private,
	&backing_fsdax,
	&backing_devdax,
	&backing_secret,
	&backing_packet_ring,
	&backing_bar,
	&backing_tmpfs_past_end,
	&backing_zero_page,
	&backing_untouched,
	&backing_on_fault,
	&backing_swapped_out,
	&backing_swapped_in,
	NULL
};
