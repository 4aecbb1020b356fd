// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>
#include <linux/pinprobe.h>
#include "kernel.h"
#include "promise.h"

bool promise_made(const char *class)
{
	const char *promise = getenv("PINPROBE_UNPINNABLE");

	return promise && !strcmp(promise, class);
}

bool promise_profile(const char *name)
{
	const char *profile = getenv("PINPROBE_PROFILE");

	return profile && !strcmp(profile, name);
}

uint32_t promise_unpinnable(void)
{
	if (promise_made("cma"))
		return PINPROBE_UNPINNABLE_CMA;
	/* d1e153fea2a8 ("mm/gup: migrate pinned pages out of movable zone"), v5.13 */
	if (promise_made("movable") && kernel_at_least(5, 13))
		return PINPROBE_UNPINNABLE_MOVABLE;
	return ~0U;
}
