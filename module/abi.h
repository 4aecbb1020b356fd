/* SPDX-License-Identifier: GPL-2.0 */
/* What every ioctl checks alike: structure sizes, ranges, record arrays. */
#ifndef PINPROBE_ABI_H
#define PINPROBE_ABI_H

#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/types.h>
#include <linux/uaccess.h>

#include <linux/pinprobe.h>

int pp_abi_get(void *args, u32 known, u32 first, const void __user *uargs);
int pp_abi_put(const void *args, u32 known, void __user *uargs);

/**
 * pp_abi_check_size - can a structure have this size
 * @size: as the caller says
 * @first: size of its first version
 *
 * Return: 0, -EINVAL or -E2BIG.
 */
static inline int pp_abi_check_size(u32 size, u32 first)
{
	if (size < first)
		return -EINVAL;
	/* No caller of ours will ever need more than a page. */
	return size > PAGE_SIZE ? -E2BIG : 0;
}

/**
 * pp_abi_check_range - is this a range of whole pages of user addresses
 * @addr: start, bytes
 * @len: length, bytes
 *
 * Return: 0, -EINVAL (empty or unaligned), -EOVERFLOW (wraps), -EFAULT (not
 * user addresses).
 */
static inline int pp_abi_check_range(u64 addr, u64 len)
{
	u64 end;

	if (!len || !PAGE_ALIGNED(addr) || !PAGE_ALIGNED(len))
		return -EINVAL;
	if (check_add_overflow(addr, len, &end) || end > ULONG_MAX)
		return -EOVERFLOW;
	if (!access_ok((void __user *)(unsigned long)addr, len))
		return -EFAULT;
	return 0;
}

/**
 * pp_abi_check_records - can records of this size be written
 * @nr_records: room
 * @record_size: size of one record as the caller knows it, bytes
 *
 * Return: 0 or -EINVAL.
 */
static inline int pp_abi_check_records(u32 nr_records, u32 record_size)
{
	if (!nr_records || record_size < PINPROBE_PAGE_SIZE_V1 ||
	    record_size % sizeof(u64) || record_size > PAGE_SIZE)
		return -EINVAL;
	return 0;
}

#endif /* PINPROBE_ABI_H */
