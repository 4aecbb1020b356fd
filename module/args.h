/* SPDX-License-Identifier: GPL-2.0 */
/* Which arguments of an ioctl are allowed. Pure: kunit/ calls the same. */
#ifndef PINPROBE_ARGS_H
#define PINPROBE_ARGS_H

#include "abi.h"
#include "gup.h"

#define PP_ARGS_PIN_FLAGS (PINPROBE_PIN_WRITE | PINPROBE_PIN_LONGTERM | \
			   PINPROBE_PIN_SNAPSHOT)

/**
 * pp_args_check_resolve - are these arguments of %PINPROBE_IOC_RESOLVE
 * @args: the arguments
 *
 * Return: 0 or -errno, see the uapi header.
 */
static inline int pp_args_check_resolve(const struct pinprobe_resolve *args)
{
	int ret;

	if (args->flags & ~(PINPROBE_RESOLVE_FAULT | PINPROBE_RESOLVE_RUNS))
		return -EINVAL;
	ret = pp_abi_check_records(args->nr_records, args->record_size);
	if (ret)
		return ret;
	return pp_abi_check_range(args->addr, args->len);
}

/**
 * pp_args_check_pin - are these arguments of %PINPROBE_IOC_PIN
 * @args: the arguments
 * @max_pages: most pages of one pin
 *
 * Return: 0 or -errno, see the uapi header.
 */
static inline int pp_args_check_pin(const struct pinprobe_pin *args,
				    unsigned long max_pages)
{
	int ret;

	if (args->flags & ~PP_ARGS_PIN_FLAGS || !pp_gup_known(args->call))
		return -EINVAL;
	if (args->flags & PINPROBE_PIN_LONGTERM && !pp_gup_pins(args->call))
		return -EINVAL;
	if (args->pid && !pp_gup_remote(args->call))
		return -EINVAL;
	if (args->timeout_ms > PINPROBE_PIN_TIMEOUT_MAX_MS)
		return -EINVAL;
	ret = pp_abi_check_range(args->addr, args->len);
	if (ret)
		return ret;
	if (args->len >> PAGE_SHIFT > max_pages)
		return -EINVAL;
	if (args->flags & PINPROBE_PIN_LONGTERM && !pp_gup_longterm(args->call))
		return -EOPNOTSUPP;
	return 0;
}

/**
 * pp_args_check_pin_pages - are these arguments of %PINPROBE_IOC_PIN_PAGES
 * @args: the arguments
 * @nr_pages: pages of the pin
 * @snapshot: it has records from before the pin
 *
 * Return: 0 or -errno, see the uapi header.
 */
static inline
int pp_args_check_pin_pages(const struct pinprobe_pin_pages *args,
			    unsigned long nr_pages, bool snapshot)
{
	if (args->flags & ~PINPROBE_PAGES_RUNS ||
	    args->when > PINPROBE_WHEN_NOW || args->index >= nr_pages)
		return -EINVAL;
	if (args->when == PINPROBE_WHEN_BEFORE && !snapshot)
		return -ENODATA;
	return pp_abi_check_records(args->nr_records, args->record_size);
}

#endif /* PINPROBE_ARGS_H */
