/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CONTRACTS_CONSUMERS_H
#define CONTRACTS_CONSUMERS_H

#include "contract.h"

extern const struct consumer consumer_get;
extern const struct consumer consumer_get_fast;
extern const struct consumer consumer_get_unlocked;
extern const struct consumer consumer_get_remote;
extern const struct consumer consumer_pin;
extern const struct consumer consumer_pin_fast;
extern const struct consumer consumer_pin_unlocked;
extern const struct consumer consumer_pin_remote;
extern const struct consumer consumer_pin_longterm;
extern const struct consumer consumer_pin_fast_longterm;
extern const struct consumer consumer_pin_unlocked_longterm;
extern const struct consumer consumer_pin_remote_longterm;
extern const struct consumer consumer_rxe_mr;
extern const struct consumer consumer_shared_pin;
extern const struct consumer consumer_rxe_mr_iova;
extern const struct consumer consumer_rxe_rereg;
extern const struct consumer consumer_rxe_mr_odp;
extern const struct consumer consumer_rxe_mr_no_memlock;
extern const struct consumer consumer_rxe_mr_half_memlock;
extern const struct consumer consumer_io_uring;
extern const struct consumer consumer_io_uring_half_memlock;
extern const struct consumer consumer_xdp_umem;
extern const struct consumer consumer_xdp_umem_half_memlock;
extern const struct consumer consumer_udmabuf;
extern const struct consumer consumer_vfio;
extern const struct consumer consumer_compaction;
extern const struct consumer consumer_soft_offline;
extern const struct consumer consumer_move_pages;
extern const struct consumer consumer_memory_offline;
extern const struct consumer consumer_contig;

#endif /* CONTRACTS_CONSUMERS_H */
