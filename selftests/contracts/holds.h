/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CONTRACTS_HOLDS_H
#define CONTRACTS_HOLDS_H

#include "contract.h"

extern const struct hold hold_none;
extern const struct hold hold_get;
extern const struct hold hold_pin;
extern const struct hold hold_longterm;
extern const struct hold hold_vmsplice;
extern const struct hold hold_splice;
extern const struct hold hold_process_vm;
extern const struct hold hold_io_uring;
extern const struct hold hold_vmsplice_forked;
extern const struct hold hold_vmsplice_forked_child;
extern const struct hold hold_pin_forked;
extern const struct hold hold_pin_forked_child;
extern const struct hold hold_forked_pin;
extern const struct hold hold_forked_pin_child;
extern const struct hold hold_direct_io;
extern const struct hold hold_zerocopy;
extern const struct hold hold_copying;
extern const struct hold hold_racing;
extern const struct hold hold_pin_after_longterm;
extern const struct hold hold_region;
extern const struct hold hold_writeback;
extern const struct hold hold_writeback_ending;
extern const struct hold hold_migrating;
extern const struct hold hold_udmabuf;

/* For @drop of holds that are nothing but descriptors. */
int held_close(struct world *world, struct area *area, struct held *held);

#endif /* CONTRACTS_HOLDS_H */
