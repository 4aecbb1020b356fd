// SPDX-License-Identifier: GPL-2.0
/* PCI memory through sysfs. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bar.h"

/* A driver that has claimed it, or lockdown, forbids it: only the try tells. */
static bool can_map(int fd, size_t len)
{
	struct stat stat;
	void *map;

	if (fstat(fd, &stat) || stat.st_size < (off_t)len)
		return false;
	map = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return false;
	munmap(map, len);
	return true;
}

int bar_open(size_t len)
{
	glob_t found;
	int fd = -1;
	size_t i;

	if (glob("/sys/bus/pci/devices/*/resource[0-5]", 0, NULL, &found))
		return -ENODEV;
	for (i = 0; fd < 0 && i < found.gl_pathc; i++) {
		fd = open(found.gl_pathv[i], O_RDWR | O_SYNC | O_CLOEXEC);
		if (fd < 0 || can_map(fd, len))
			continue;
		close(fd);
		fd = -1;
	}
	globfree(&found);
	return fd < 0 ? -ENODEV : fd;
}
