/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CONTRACTS_BACKINGS_H
#define CONTRACTS_BACKINGS_H

#include "contract.h"

extern const struct backing backing_anon;
extern const struct backing backing_anon_page;
extern const struct backing backing_anon_settled;
extern const struct backing backing_memfd;
extern const struct backing backing_anon_locked;
extern const struct backing backing_anon_readonly;
extern const struct backing backing_thp;
extern const struct backing backing_thp_part;
extern const struct backing backing_hugetlb;
extern const struct backing backing_memfd_hugetlb;
extern const struct backing backing_gigantic;
extern const struct backing backing_gigantic_alone;
extern const struct backing backing_hugetlb_empty;
extern const struct backing backing_tmpfs_shared;
extern const struct backing backing_tmpfs_private;
extern const struct backing backing_tmpfs_huge_shared;
extern const struct backing backing_tmpfs_huge_private;
extern const struct backing backing_ext4_shared;
extern const struct backing backing_ext4_readonly;
extern const struct backing backing_ext4_private;
extern const struct backing backing_ext4_past_end;
extern const struct backing backing_xfs_shared;
extern const struct backing backing_xfs_private;
extern const struct backing backing_ext4_mapper;
extern const struct backing backing_fsdax;
extern const struct backing backing_devdax;
extern const struct backing backing_secret;
extern const struct backing backing_packet_ring;
extern const struct backing backing_bar;
extern const struct backing backing_udmabuf;
extern const struct backing backing_p2pmem;
extern const struct backing backing_tmpfs_past_end;
extern const struct backing backing_zero_page;
extern const struct backing backing_untouched;
extern const struct backing backing_on_fault;
extern const struct backing backing_swapped_out;
extern const struct backing backing_swapped_in;
extern const struct backing backing_vast;
extern const struct backing backing_vast_chunk;

/*
 * For @make and @drop of backings: maps @area->len bytes of @area->fd (-1:
 * anonymous) as @area->prot and @area->shared say, at a multiple of
 * @area->granule, and touches each page: writes to it, or reads where that is
 * not allowed. 0 or -errno; -EFAULT where touching is a SIGBUS.
 */
int area_map(struct area *area, int flags);
int area_touch(const struct world *world, struct area *area);

/* Touches the first @len bytes by reading. */
int area_read(struct area *area, size_t len);

/* Whether one folio maps all of @area: 0, -ENODATA or -errno. */
int area_one_folio(const struct world *world, const struct area *area);

/* What most are: @nr base pages that can be read and written. */
void area_set(const struct world *world, struct area *area, size_t nr);
/* Private anonymous memory of @nr base pages, never huge, not touched. */
int area_map_small(const struct world *world, struct area *area, size_t nr);
void area_unmap(struct area *area);

#endif /* CONTRACTS_BACKINGS_H */
