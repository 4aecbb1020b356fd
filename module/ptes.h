/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_PTES_H
#define PINPROBE_PTES_H

#include <linux/types.h>

struct vm_area_struct;

unsigned long pp_ptes_read(struct vm_area_struct *vma, unsigned long addr,
			   unsigned long nr, unsigned long *pfns);

#endif /* PINPROBE_PTES_H */
