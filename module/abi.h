/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_ABI_H
#define PINPROBE_ABI_H

#include <linux/types.h>

int pp_abi_get(void *args, u32 known, u32 first, const void __user *uargs);
int pp_abi_put(const void *args, u32 known, void __user *uargs);
int pp_abi_check_range(u64 addr, u64 len);
int pp_abi_check_records(u32 nr_records, u32 record_size);

#endif /* PINPROBE_ABI_H */
