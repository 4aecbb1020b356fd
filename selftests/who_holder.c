// SPDX-License-Identifier: GPL-2.0
/*
 * What "pinprobe who" is tried on: a program that holds a page in one way, and knows
 * nothing of pinprobe. It says its process, the address and the frame, and waits
 * to be ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include "lib/frames.h"
#include "lib/memory.h"
#include "lib/rxe.h"
#include "lib/stalled_copy.h"

static int nobody(char *page)
{
	return 0;
}

static int in_a_pipe(char *page)
{
	struct iovec iov = { page, page_size() };
	int ends[2];

	return pipe(ends) || vmsplice(ends[1], &iov, 1, 0) < 0;
}

static int of_a_ring(char *page)
{
	struct io_uring_params params = { 0 };
	struct iovec iov = { page, page_size() };
	int ring = syscall(SYS_io_uring_setup, 1, &params);

	return ring < 0 || syscall(SYS_io_uring_register, ring,
				   IORING_REGISTER_BUFFERS, &iov, 1);
}

static int of_a_region(char *page)
{
	struct rxe rxe;

	return rxe_open(&rxe) ||
	       !ibv_reg_mr(rxe.pd, page, page_size(), IBV_ACCESS_LOCAL_WRITE);
}

static int copied(char *page)
{
	static struct stalled_copy copy;

	return stalled_copy_start(&copy, page, page_size());
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*hold)(char *page);
	} all[] = {
		{ "nobody", nobody }, { "pipe", in_a_pipe },
		{ "ring", of_a_ring }, { "region", of_a_region },
		{ "copy", copied },
	};
	char *page = memory_touched(page_size());
	size_t i = 0;

	while (argc == 2 && i < sizeof(all) / sizeof(*all) &&
	       strcmp(all[i].name, argv[1]))
		i++;
	if (argc != 2 || i == sizeof(all) / sizeof(*all) || !page)
		return 3;
	prctl(PR_SET_NAME, argv[1]);
	if (all[i].hold(page))
		return 1;
	printf("%d %#lx %#lx\n", getpid(), (unsigned long)page,
	       (unsigned long)frame_of(page));
	fflush(stdout);
	pause();
	return 0;
}
