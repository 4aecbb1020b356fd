/* SPDX-License-Identifier: GPL-2.0 */
/* Where a memory region is, from the device file that it was made through. */
#ifndef PINPROBE_REGION_ASK_H
#define PINPROBE_REGION_ASK_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct region_place - what UVERBS_METHOD_QUERY_MR says
 * @lkey:	its key
 * @bytes:	its length
 * @iova:	address on the wire; that in the process unless ibv_reg_mr_iova()
 *		was given another one
 */
struct region_place {
	uint32_t lkey;
	uint64_t bytes;
	uint64_t iova;
};

/**
 * region_ask() - asks for one object of a device file
 * @verbs:	/dev/infiniband/uverbsN, as its user has opened it
 * @driver:	enum rdma_driver_id of the device
 * @handle:	number of the object in that file
 * @place:	filled in
 *
 * While the kernel answers, a deregistration of this region fails with EBUSY.
 *
 * Return: 0, or -errno; -EINVAL and -ENOENT where the object is no region.
 */
int region_ask(int verbs, uint32_t driver, uint32_t handle,
	       struct region_place *place);

#endif
