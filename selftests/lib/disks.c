// SPDX-License-Identifier: GPL-2.0
/* Disks and their modules. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "disks.h"
#include "mounts.h"

/* The size that vm/lib/disks.sh makes them, KiB, and one to swap to. */
#define BRD_ARGUMENTS	"rd_nr=3 rd_size=16384"

static int load(const char *path)
{
	const char *name = strrchr(path, '/');
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return -errno;
	if (syscall(SYS_finit_module, fd, name && !strcmp(name, "/brd.ko") ?
		    BRD_ARGUMENTS : "", 0) && errno != EEXIST)
		err = -errno;
	close(fd);
	return err;
}

int disks_load(void)
{
	FILE *list = fopen(DISKS_MODULES, "re");
	char path[128];
	int err = 0;

	if (!list)
		return -ENODEV;
	while (!err && fscanf(list, "%127s", path) == 1)
		err = load(path);
	fclose(list);
	return err;
}

static int fill(const char *device, const char *type)
{
	char command[96];

	snprintf(command, sizeof(command), "zcat /disks/%s.gz >%s", type, device);
	return system(command) ? -EIO : 0;
}

int disks_find(const char *device)
{
	int err = access(device, F_OK) ? disks_load() : 0;

	return !err && access(device, F_OK) ? -ENODEV : err;
}

int disks_mount(const char *device, const char *type, const char *options)
{
	int err = mount_here(device, type, 0, options);

	if (err != -EINVAL)
		return err;
	err = fill(device, type);
	return err ? err : mount_here(device, type, 0, options);
}
