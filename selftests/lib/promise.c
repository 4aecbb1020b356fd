// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>
#include <linux/pinprobe.h>
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
	if (promise_made("movable"))
		return PINPROBE_UNPINNABLE_MOVABLE;
	return ~0U;
}
