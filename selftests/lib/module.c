// SPDX-License-Identifier: GPL-2.0
/* Loads modules that vm/lib/initrd.sh packed for tests to load. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "module.h"

#define LIST	"/m/later"

static int load(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return -errno;
	if (syscall(SYS_finit_module, fd, "", 0) && errno != EEXIST)
		err = -errno;
	close(fd);
	return err;
}

int module_load(const char *name)
{
	char path[128], last[128];
	int err = -ENOENT;
	FILE *list;

	snprintf(path, sizeof(path), "/sys/module/%s", name);
	if (!access(path, F_OK))
		return 0;
	snprintf(last, sizeof(last), "/m/%s.ko", name);
	list = fopen(LIST, "re");
	if (!list)
		return -errno;
	while (fgets(path, sizeof(path), list)) {
		path[strcspn(path, "\n")] = '\0';
		err = load(path);
		if (err || !strcmp(path, last))
			break;
		err = -ENOENT;
	}
	fclose(list);
	return err;
}
