// SPDX-License-Identifier: GPL-2.0
/* Mounts of one process. */
#include <errno.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include "mounts.h"

int mount_here(const char *source, const char *type, unsigned long flags,
	       const char *options)
{
	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return -errno;
	if (mkdir(MOUNT_POINT, 0700) && errno != EEXIST)
		return -errno;
	return mount(source, MOUNT_POINT, type, flags, options) ? -errno : 0;
}
