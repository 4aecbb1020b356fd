// SPDX-License-Identifier: GPL-2.0
/* A row's process with less than it needs of RLIMIT_MEMLOCK. */
#include <errno.h>
#include <sys/resource.h>
#include "../lib/privilege.h"
#include "memlock.h"

int memlock_limit(rlim_t bytes)
{
	const struct rlimit limit = { .rlim_cur = bytes, .rlim_max = bytes };

	if (setrlimit(RLIMIT_MEMLOCK, &limit))
		return -errno;
	return privilege_drop(CAP_IPC_LOCK);
}
