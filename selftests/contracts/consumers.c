// SPDX-License-Identifier: GPL-2.0
/* Who comes for the page, in the order in which rows run. */
#include "consumers.h"

const struct consumer *consumers[CONSUMERS_ROOM] = {
	&consumer_get,
	&consumer_get_fast,
	&consumer_get_unlocked,
	&consumer_get_remote,
	&consumer_pin,
	&consumer_pin_fast,
	&consumer_pin_unlocked,
	&consumer_pin_remote,
	&consumer_pin_longterm,
	&consumer_pin_fast_longterm,
	&consumer_pin_unlocked_longterm,
	&consumer_pin_remote_longterm,
	&consumer_rxe_mr,
	&consumer_shared_pin,
	&consumer_rxe_mr_iova,
	&consumer_rxe_rereg,
	&consumer_rxe_mr_odp,
	&consumer_rxe_mr_no_memlock,
	&consumer_rxe_mr_half_memlock,
	&consumer_io_uring,
	&consumer_io_uring_half_memlock,
	&consumer_xdp_umem,
	&consumer_xdp_umem_half_memlock,
	&consumer_udmabuf,
	&consumer_vfio,
	&consumer_compaction,
	&consumer_soft_offline,
	&consumer_move_pages,
	&consumer_memory_offline,
	&consumer_contig,
	NULL
};
