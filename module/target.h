/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_TARGET_H
#define PINPROBE_TARGET_H

#include <linux/types.h>

struct file;
struct mm_struct;

int pp_target_allowed(const struct file *file);
struct mm_struct *pp_target_get(s32 pid);

#endif /* PINPROBE_TARGET_H */
