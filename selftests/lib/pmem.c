// SPDX-License-Identifier: GPL-2.0
/*
 * Persistent memory, set up through sysfs. As it comes it is a disk with pages
 * (/dev/pmemN); a character device is made by giving its namespace to a device
 * of that kind.
 */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include "pmem.h"
#include "put.h"

#define BUS	"/sys/bus/nd/"
/* Virtio's number of it, as its devices say. */
#define DEVICES	"/sys/bus/virtio/devices/*/device"
#define PMEM_ID	27

static int read_line(const char *path, char *line, size_t len)
{
	FILE *file = fopen(path, "re");
	char *got;

	if (!file)
		return -errno;
	got = fgets(line, len, file);
	fclose(file);
	if (!got)
		return -EIO;
	line[strcspn(line, "\n")] = '\0';
	return 0;
}

int pmem_found(void)
{
	unsigned int id;
	char line[32];
	glob_t found;
	int nr = 0;
	size_t i;

	if (glob(DEVICES, 0, NULL, &found))
		return -ENODEV;
	for (i = 0; i < found.gl_pathc; i++)
		nr += !read_line(found.gl_pathv[i], line, sizeof(line)) &&
		      sscanf(line, "%x", &id) == 1 && id == PMEM_ID;
	globfree(&found);
	return nr;
}

/* The first path that @pattern finds, into @path. */
static int find(const char *pattern, char *path, size_t len)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found))
		return -ENOENT;
	snprintf(path, len, "%s", found.gl_pathv[0]);
	globfree(&found);
	return 0;
}

int pmem_disk(char *path, size_t len)
{
	return find("/dev/pmem0", path, len);
}

static int set(const char *device, const char *attribute, const char *value)
{
	char path[128];

	snprintf(path, sizeof(path), BUS "devices/%s/%s", device, attribute);
	return put(path, value);
}

/* The namespace that region 1 has becomes that of its device without one. */
static int make_device(void)
{
	char seed[32], uuid[40];
	int err;

	err = read_line(BUS "devices/region1/dax_seed", seed, sizeof(seed));
	if (!err)
		err = read_line("/proc/sys/kernel/random/uuid", uuid, sizeof(uuid));
	if (!err)
		err = put(BUS "drivers/nd_pmem/unbind", "namespace1.0");
	if (!err)
		err = set(seed, "uuid", uuid);
	/* Where the kernel keeps what it knows of the pages. */
	if (!err)
		err = set(seed, "mode", "ram");
	if (!err)
		err = set(seed, "namespace", "namespace1.0");
	return err ? err : put(BUS "drivers/dax_pmem/bind", seed);
}

int pmem_device(char *path, size_t len)
{
	int err;

	if (!find("/dev/dax*", path, len))
		return 0;
	err = make_device();
	return err ? err : find("/dev/dax*", path, len);
}
