// SPDX-License-Identifier: GPL-2.0
/* An O_DIRECT read into the page, from a device that does not answer. */
#include <errno.h>
#include <linux/aio_abi.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "../lib/stalled.h"
#include "holds.h"

#define ANSWER_S	5

struct transfer {
	struct stalled device;
	aio_context_t context;
	size_t len;
	bool begun;
};

static int begin(struct transfer *transfer, char *addr)
{
	struct iocb read = {
		.aio_lio_opcode = IOCB_CMD_PREAD,
		.aio_fildes = transfer->device.fd,
		.aio_buf = (uintptr_t)addr,
		.aio_nbytes = transfer->len,
	};
	struct iocb *list[] = { &read };
	int err;

	if (syscall(SYS_io_setup, 1, &transfer->context))
		return -errno;
	err = stalled_suspend(&transfer->device);
	if (err)
		return err;
	if (syscall(SYS_io_submit, transfer->context, 1, list) != 1)
		return -errno;
	transfer->begun = true;
	return 0;
}

static int await(struct transfer *transfer)
{
	struct timespec limit = { .tv_sec = ANSWER_S };
	struct io_event event;

	if (syscall(SYS_io_getevents, transfer->context, 1, 1, &event,
		    &limit) != 1)
		return -ETIME;
	return event.res == (int64_t)transfer->len ? 0 : -EIO;
}

static int end(struct transfer *transfer)
{
	int err = stalled_resume(&transfer->device), closed;

	if (!err && transfer->begun)
		err = await(transfer);
	if (transfer->context)
		syscall(SYS_io_destroy, transfer->context);
	closed = stalled_close(&transfer->device);
	free(transfer);
	return err ? err : closed;
}

static int take(struct world *world, struct area *area, struct held *held)
{
	struct transfer *transfer = calloc(1, sizeof(*transfer));
	int err;

	if (!transfer)
		return -ENOMEM;
	transfer->len = world->page_size;
	err = stalled_open(&transfer->device);
	if (err) {
		free(transfer);
		if (err == -ENODEV)
			return row_skip(world, "no-device-mapper: no dm_zero");
		return err;
	}
	err = begin(transfer, area->addr + area->target);
	if (err)
		end(transfer);
	else
		held->private = transfer;
	return err;
}

static int drop(struct world *world, struct area *area, struct held *held)
{
	struct transfer *transfer = held->private;

	held->private = NULL;
	return transfer ? end(transfer) : 0;
}

const struct hold hold_direct_io = {
	.name = "direct_io",
	.what = "an O_DIRECT read into it, from a suspended device",
	.kind = HOLD_FOLL_PIN,
	.kind_before = HOLD_REFERENCE,
	.since = { 6, 5 },
	.take = take,
	.drop = drop,
};
