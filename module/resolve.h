/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_RESOLVE_H
#define PINPROBE_RESOLVE_H

#include <linux/types.h>

struct file;
struct mm_struct;
struct pp_sink;

long pp_resolve_ioctl(struct file *file, void __user *uargs);
int pp_resolve_range(struct mm_struct *mm, struct pp_sink *sink,
		     unsigned long addr, unsigned long end, bool fault,
		     unsigned long *next);

#endif /* PINPROBE_RESOLVE_H */
