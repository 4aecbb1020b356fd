// SPDX-License-Identifier: GPL-2.0
/* A file of a disk that can be told not to answer. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>
#include "../lib/mounts.h"
#include "backings.h"
#include "disk.h"
#include "files.h"
#include "mapper.h"

#define DISK	"/dev/ram0"

/* A process has one. */
static struct stalled disk;
static bool mounted;

static int size_of(const char *path, uint64_t *sectors)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;
	uint64_t bytes;

	if (fd < 0)
		return -errno;
	if (ioctl(fd, BLKGETSIZE64, &bytes))
		err = -errno;
	else
		*sectors = bytes / 512;
	close(fd);
	return err;
}

int mapper_mount(struct world *world)
{
	uint64_t sectors = 0;
	int err = disk_find(world, DISK);

	if (!err)
		err = size_of(DISK, &sectors);
	if (!err)
		err = stalled_open_disk(&disk, DISK, sectors);
	if (err == -ENODEV)
		return row_skip(world, "no-device-mapper: no dm_mod");
	if (err)
		return err;
	err = disk_mount(world, disk.path, "ext4", NULL);
	if (err)
		stalled_close(&disk);
	mounted = !err;
	return err;
}

void mapper_unmount(struct world *world)
{
	if (!mounted)
		return;
	mounted = false;
	stalled_resume(&disk);
	umount2(MOUNT_POINT, 0);
	stalled_close(&disk);
}

struct stalled *mapper_disk(void)
{
	return mounted ? &disk : NULL;
}

const struct backing backing_ext4_mapper = {
	.name = "ext4_mapper",
	.what = "file of ext4 on a device of device-mapper, mapped shared",
	.kind = BACKING_OF_FILE,
	.prepare = mapper_mount,
	.make = file_shared,
	.drop = area_unmap,
	.done = mapper_unmount,
};
