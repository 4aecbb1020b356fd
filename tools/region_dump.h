/* SPDX-License-Identifier: GPL-2.0 */
/* RDMA devices and their memory regions, as netlink lists them. */
#ifndef PINPROBE_REGION_DUMP_H
#define PINPROBE_REGION_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct nlmsghdr;

/**
 * struct rdma_device - an RDMA device
 * @index:	of the kernel
 * @name:	"rxe0"
 * @driver:	enum rdma_driver_id
 * @has_driver:	that was told
 */
struct rdma_device {
	uint32_t index;
	char name[64];
	uint32_t driver;
	bool has_driver;
};

/**
 * struct region - a memory region
 * @device:	its device's name
 * @id:		number of the region, unique on its device
 * @pid:	who made it; 0: the kernel, or the process is gone
 * @kernel:	it is the kernel's own
 * @lkey:	its key
 * @has_lkey:	that was told, which needs CAP_NET_ADMIN
 * @iova:	address on the wire, by default that in the process
 * @has_iova:	that was told
 * @bytes:	its length
 */
struct region {
	char device[64];
	uint32_t id;
	pid_t pid;
	bool kernel;
	uint32_t lkey;
	bool has_lkey;
	uint64_t iova;
	bool has_iova;
	uint64_t bytes;
};

struct regions {
	struct rdma_device *device;
	size_t devices;
	struct region *region;
	size_t nr;
};

/* Parts of regions_read(), for tests: messages of one answer. False: not so. */
bool regions_add_device(struct regions *r, struct nlmsghdr *message);
bool regions_add(struct regions *r, struct nlmsghdr *message);

/**
 * regions_read() - asks the kernel
 * @r:	filled in; for regions_free()
 *
 * Return: NULL, or what went wrong. A kernel without RDMA has no regions.
 */
const char *regions_read(struct regions *r);
/* Fills in @driver; false if it is not told. */
bool regions_driver(struct rdma_device *device);
void regions_free(struct regions *r);

#endif
