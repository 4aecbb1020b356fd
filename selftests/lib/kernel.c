// SPDX-License-Identifier: GPL-2.0
/* Which kernel this is. */
#include <stdio.h>
#include <sys/utsname.h>
#include "kernel.h"

bool kernel_at_least(int version, int patchlevel)
{
	int is_version, is_patchlevel;
	struct utsname name;

	if (uname(&name) ||
	    sscanf(name.release, "%d.%d", &is_version, &is_patchlevel) != 2)
		return false;
	return is_version > version ||
	       (is_version == version && is_patchlevel >= patchlevel);
}
