// SPDX-License-Identifier: GPL-2.0
/* Finds the PCI device that nobody drives, and gives it to VFIO. */
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "module.h"
#include "put.h"
#include "vfio.h"

#define DEVICES		"/sys/bus/pci/devices"
#define DRIVER		"/sys/bus/pci/drivers/vfio-pci"
#define UNSAFE		"/sys/module/vfio_iommu_type1/parameters/allow_unsafe_interrupts"
/* QEMU's pci-testdev. */
#define VENDOR		0x1b36
#define DEVICE		0x0005

bool vfio_iommu(void)
{
	return !access("/sys/kernel/iommu_groups/0", F_OK);
}

static unsigned long number(const char *device, const char *name)
{
	char path[PATH_MAX];
	unsigned long value = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", device, name);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%lx", &value) != 1)
		value = 0;
	fclose(file);
	return value;
}

static int find_device(char *device, size_t size)
{
	int err = -ENODEV;
	glob_t found;
	size_t i;

	if (glob(DEVICES "/*", 0, NULL, &found))
		return -ENODEV;
	for (i = 0; err && i < found.gl_pathc; i++)
		if (number(found.gl_pathv[i], "vendor") == VENDOR &&
		    number(found.gl_pathv[i], "device") == DEVICE)
			err = snprintf(device, size, "%s", found.gl_pathv[i]) <
			      (int)size ? 0 : -ENAMETOOLONG;
	globfree(&found);
	return err;
}

/* Another test may have done it. */
static int bind_driver(const char *device)
{
	const char *name = strrchr(device, '/') + 1;
	char path[PATH_MAX];
	int err;

	snprintf(path, sizeof(path), DRIVER "/%s", name);
	if (!access(path, F_OK))
		return 0;
	snprintf(path, sizeof(path), "%s/driver_override", device);
	err = put(path, "vfio-pci");
	return err ? err : put(DRIVER "/bind", name);
}

int vfio_ready(char *device, size_t size)
{
	int err = find_device(device, size);

	if (!err)
		err = module_load("vfio_pci");
	if (!err)
		err = module_load("vfio_iommu_type1");
	/* With KVM an emulated IOMMU may not remap interrupts. None is used. */
	if (!err)
		err = put(UNSAFE, "Y");
	return err ? err : bind_driver(device);
}
