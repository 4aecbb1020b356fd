/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_PIN_H
#define PINPROBE_PIN_H

#include <linux/types.h>

#include <linux/pinprobe.h>

#include "ledger.h"

struct file;
struct mm_struct;

/**
 * struct pp_pin - pages held, and what taking them did
 * @mm: whose pages (mmgrab)
 * @payer: whose pinned_vm was charged (mmgrab)
 * @ledger: the pages
 * @addr: start, bytes
 * @nr_pages: how many
 * @charged: how many were charged to @payer
 * @call: enum pinprobe_call
 * @flags: PINPROBE_PIN_*
 * @since: when it was complete, CLOCK_BOOTTIME, ns
 * @outcome: what taking them did
 *
 * Does not change once the descriptor exists, so nothing locks it. An address
 * space is kept by mmgrab(), not mmget(): a file that the same process maps
 * would otherwise keep it alive for ever.
 */
struct pp_pin {
	struct mm_struct *mm;
	struct mm_struct *payer;
	struct pp_ledger ledger;
	unsigned long addr;
	unsigned long nr_pages;
	unsigned long charged;
	u32 call;
	u32 flags;
	u64 since;
	struct pinprobe_outcome outcome;
};

unsigned long pp_pin_max_pages(void);
long pp_pin_ioctl(struct file *file, void __user *uargs);
void pp_pin_free(struct pp_pin *pin);

#endif /* PINPROBE_PIN_H */
