// SPDX-License-Identifier: GPL-2.0
/* What every ioctl checks alike: structure sizes, ranges, record arrays. */
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>
#include "abi.h"

#include <linux/pinprobe.h>

/**
 * pp_abi_get - copy an ioctl structure in, whatever version the caller knows
 * @args: where to
 * @known: size of the structure as this module knows it
 * @first: size of its first version
 * @uargs: the caller's structure; its first member is its size
 *
 * Return: 0, -EINVAL for a size below @first, -E2BIG for a non-zero tail that
 * this module does not know, -EFAULT.
 */
int pp_abi_get(void *args, u32 known, u32 first, const void __user *uargs)
{
	u32 size;

	if (get_user(size, (const u32 __user *)uargs))
		return -EFAULT;
	if (size < first)
		return -EINVAL;
	/* No caller of ours will ever need more than a page. */
	if (size > PAGE_SIZE)
		return -E2BIG;
	return copy_struct_from_user(args, known, uargs, size);
}

/**
 * pp_abi_put - copy an ioctl structure back, no more than the caller knows
 * @args: the structure; its first member is still the caller's size
 * @known: size of the structure as this module knows it
 * @uargs: the caller's structure
 *
 * Return: 0 or -EFAULT.
 */
int pp_abi_put(const void *args, u32 known, void __user *uargs)
{
	u32 size = *(const u32 *)args;

	return copy_to_user(uargs, args, min(size, known)) ? -EFAULT : 0;
}

/**
 * pp_abi_check_range - is this a range of whole pages of user addresses
 * @addr: start, bytes
 * @len: length, bytes
 *
 * Return: 0, -EINVAL (empty or unaligned), -EOVERFLOW (wraps), -EFAULT (not
 * user addresses).
 */
int pp_abi_check_range(u64 addr, u64 len)
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
int pp_abi_check_records(u32 nr_records, u32 record_size)
{
	if (!nr_records || record_size < PINPROBE_PAGE_SIZE_V1 ||
	    record_size % sizeof(u64) || record_size > PAGE_SIZE)
		return -EINVAL;
	return 0;
}
