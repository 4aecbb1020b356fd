/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_MEMLOCK_H
#define PINPROBE_MEMLOCK_H

struct mm_struct;

int pp_memlock_charge(struct mm_struct *mm, unsigned long nr_pages);
void pp_memlock_uncharge(struct mm_struct *mm, unsigned long nr_pages);

#endif /* PINPROBE_MEMLOCK_H */
