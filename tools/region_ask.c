// SPDX-License-Identifier: GPL-2.0
/* Asks where a memory region is. */
#include <errno.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>

#include "region_ask.h"

#define ATTRIBUTES	5

struct request {
	struct ib_uverbs_ioctl_hdr header;
	struct ib_uverbs_attr attr[ATTRIBUTES];
};

static void add(struct request *r, unsigned int id, void *to, size_t len)
{
	struct ib_uverbs_attr *attr = &r->attr[r->header.num_attrs++];

	attr->attr_id = id;
	attr->len = len;
	attr->flags = UVERBS_ATTR_F_MANDATORY;
	attr->data = (uintptr_t)to;
}

int region_ask(int verbs, uint32_t driver, uint32_t handle,
	       struct region_place *place)
{
	struct request r = {
		.header = {
			.length = sizeof(r),
			.object_id = UVERBS_OBJECT_MR,
			.method_id = UVERBS_METHOD_QUERY_MR,
			.driver_id = driver,
		},
	};
	uint32_t rkey;

	memset(place, 0, sizeof(*place));
	add(&r, UVERBS_ATTR_QUERY_MR_HANDLE, NULL, 0);
	r.attr[0].data = handle;
	add(&r, UVERBS_ATTR_QUERY_MR_RESP_LKEY, &place->lkey,
	    sizeof(place->lkey));
	add(&r, UVERBS_ATTR_QUERY_MR_RESP_RKEY, &rkey, sizeof(rkey));
	add(&r, UVERBS_ATTR_QUERY_MR_RESP_LENGTH, &place->bytes,
	    sizeof(place->bytes));
	add(&r, UVERBS_ATTR_QUERY_MR_RESP_IOVA, &place->iova,
	    sizeof(place->iova));
	return ioctl(verbs, RDMA_VERBS_IOCTL, &r) ? -errno : 0;
}
