// SPDX-License-Identifier: GPL-2.0
/* Structures of any version, to and from the caller. */
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
	int ret;

	if (get_user(size, (const u32 __user *)uargs))
		return -EFAULT;
	ret = pp_abi_check_size(size, first);
	if (ret)
		return ret;
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
