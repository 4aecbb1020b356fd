// SPDX-License-Identifier: GPL-2.0
/*
 * Commands of uverbs for which the library has no function. By ioctl: write()
 * is only for the very credentials that opened the file, which a row's task has
 * not.
 */
#include <errno.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_user_ioctl.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <sys/ioctl.h>
#include "uverbs.h"

int uverbs_invoke(int fd, uint32_t command, const void *body, uint16_t len,
		  void *answer, uint16_t room)
{
	struct {
		struct ib_uverbs_ioctl_hdr head;
		struct ib_uverbs_attr attrs[3];
	} call = {
		.head = {
			.length = sizeof(call),
			.object_id = UVERBS_OBJECT_DEVICE,
			.method_id = UVERBS_METHOD_INVOKE_WRITE,
			.num_attrs = 3,
			.driver_id = RDMA_DRIVER_RXE,
		},
		.attrs = {
			{
				.attr_id = UVERBS_ATTR_CORE_IN,
				.flags = UVERBS_ATTR_F_MANDATORY,
				.len = len,
				.data = (uintptr_t)body,
			}, {
				.attr_id = UVERBS_ATTR_CORE_OUT,
				.flags = UVERBS_ATTR_F_MANDATORY,
				.len = room,
				.data = (uintptr_t)answer,
			}, {
				.attr_id = UVERBS_ATTR_WRITE_CMD,
				.flags = UVERBS_ATTR_F_MANDATORY,
				.len = sizeof(uint64_t),
				.data = command,
			},
		},
	};

	return ioctl(fd, RDMA_VERBS_IOCTL, &call) ? -errno : 0;
}
