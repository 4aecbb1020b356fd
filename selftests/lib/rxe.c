// SPDX-License-Identifier: GPL-2.0
/* Opens the software RDMA device. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "rxe.h"

static struct ibv_context *open_first(struct ibv_device **list)
{
	for (; *list; list++)
		if (!strncmp(ibv_get_device_name(*list), "rxe", 3))
			return ibv_open_device(*list);
	errno = ENODEV;
	return NULL;
}

int rxe_open(struct rxe *rxe)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	int err;

	memset(rxe, 0, sizeof(*rxe));
	if (!list)
		return -errno;
	rxe->context = open_first(list);
	err = rxe->context ? 0 : -errno;
	ibv_free_device_list(list);
	if (err)
		return err;
	rxe->pd = ibv_alloc_pd(rxe->context);
	if (rxe->pd)
		return 0;
	err = -errno;
	rxe_close(rxe);
	return err;
}

void rxe_close(struct rxe *rxe)
{
	if (rxe->pd)
		ibv_dealloc_pd(rxe->pd);
	if (rxe->context)
		ibv_close_device(rxe->context);
	memset(rxe, 0, sizeof(*rxe));
}

const char *rxe_cannot_be_followed(void)
{
	struct rxe rxe;

	if (access("/sys/kernel/btf/vmlinux", R_OK))
		return "no-btf";
	if (rxe_open(&rxe))
		return "no-rxe";
	rxe_close(&rxe);
	return NULL;
}
