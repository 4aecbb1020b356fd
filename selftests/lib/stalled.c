// SPDX-License-Identifier: GPL-2.0
/* Device-mapper by its ioctls. */
#include <errno.h>
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "module.h"
#include "vmstat.h"
#include "stalled.h"

#define SECTORS		2048
#define REMOVE_MS	2000

struct request {
	struct dm_ioctl head;
	struct dm_target_spec target;
	char params[64];
};

static int command(struct stalled *stalled, unsigned long what,
		   struct request *request, uint32_t flags)
{
	struct dm_ioctl *head = &request->head;

	head->version[0] = DM_VERSION_MAJOR;
	head->data_size = sizeof(*request);
	head->data_start = sizeof(*head);
	head->flags = flags;
	snprintf(head->name, sizeof(head->name), "%s", stalled->name);
	return ioctl(stalled->control, what, request) ? -errno : 0;
}

static int simple(struct stalled *stalled, unsigned long what, uint32_t flags)
{
	struct request request = { 0 };

	return command(stalled, what, &request, flags);
}

static int load_table(struct stalled *stalled, const char *target,
		      const char *params, uint64_t sectors)
{
	struct request request = {
		.head.target_count = 1,
		.target = { .length = sectors },
	};

	snprintf(request.target.target_type,
		 sizeof(request.target.target_type), "%s", target);
	snprintf(request.params, sizeof(request.params), "%s", params);
	return command(stalled, DM_TABLE_LOAD, &request, 0);
}

static int create(struct stalled *stalled)
{
	struct request request = { 0 };
	int err = command(stalled, DM_DEV_CREATE, &request, 0);

	if (err)
		return err;
	stalled->exists = true;
	snprintf(stalled->path, sizeof(stalled->path), "/dev/dm-%u",
		 minor(request.head.dev));
	return 0;
}

int stalled_suspend(struct stalled *stalled)
{
	return simple(stalled, DM_DEV_SUSPEND, DM_SUSPEND_FLAG |
		      DM_SKIP_LOCKFS_FLAG | DM_NOFLUSH_FLAG);
}

int stalled_resume(struct stalled *stalled)
{
	return simple(stalled, DM_DEV_SUSPEND, 0);
}

static int make(struct stalled *stalled, const char *target,
		const char *params, uint64_t sectors)
{
	int err;

	memset(stalled, 0, sizeof(*stalled));
	stalled->fd = -1;
	snprintf(stalled->name, sizeof(stalled->name), "stalled-%d", getpid());
	err = module_load("dm_zero");
	stalled->control = open("/dev/mapper/control", O_RDWR | O_CLOEXEC);
	if (err || stalled->control < 0)
		return -ENODEV;
	err = create(stalled);
	if (!err)
		err = load_table(stalled, target, params, sectors);
	if (!err)
		err = stalled_resume(stalled);
	if (err)
		stalled_close(stalled);
	return err;
}

int stalled_open(struct stalled *stalled)
{
	int err = make(stalled, "zero", "", SECTORS);

	if (err)
		return err;
	stalled->fd = open(stalled->path, O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (stalled->fd >= 0)
		return 0;
	err = -errno;
	stalled_close(stalled);
	return err;
}

int stalled_open_disk(struct stalled *stalled, const char *disk,
		      uint64_t sectors)
{
	char params[64];

	snprintf(params, sizeof(params), "%s 0", disk);
	return make(stalled, "linear", params, sectors);
}

/* Who had it open a moment ago may not have let go of it. */
static int remove_device(struct stalled *stalled)
{
	int64_t deadline = now_ms() + REMOVE_MS;
	int err;

	while ((err = simple(stalled, DM_DEV_REMOVE, 0)) == -EBUSY &&
	       now_ms() < deadline)
		usleep(1000);
	return err;
}

int stalled_close(struct stalled *stalled)
{
	int err = 0;

	if (stalled->exists)
		err = stalled_resume(stalled);
	if (stalled->fd >= 0)
		close(stalled->fd);
	if (!err && stalled->exists)
		err = remove_device(stalled);
	if (stalled->control >= 0)
		close(stalled->control);
	return err;
}
