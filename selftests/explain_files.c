// SPDX-License-Identifier: GPL-2.0
/*
 * What "pinprobe explain" is tried on: a program that registers memory of files and
 * of storage. It says "NAME ERRNO", as the call ended. Exit code 0 where there was
 * such a call.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include "lib/disks.h"
#include "lib/memory.h"
#include "lib/mounts.h"
#include "lib/pmem.h"
#include "lib/rxe.h"

#define LIMIT		(64UL << 10)
#define NOBODY		65534

enum memory {
	EXT4, FSDAX, DEVDAX
};

enum call {
	REGION, RING
};

struct victim {
	const char *name;
	enum memory memory;
	enum call call;
	int share;		/* MAP_SHARED or MAP_PRIVATE */
	size_t over;		/* bytes beyond LIMIT, which the process has then */
};

static const struct victim victims[] = {
	{ "ext4", EXT4, REGION, MAP_SHARED },
	{ "ext4_private", EXT4, REGION, MAP_PRIVATE },
	{ "ext4_ring", EXT4, RING, MAP_SHARED },
	{ "fsdax", FSDAX, REGION, MAP_SHARED },
	{ "fsdax_over", FSDAX, REGION, MAP_SHARED, 1 },
	{ "devdax", DEVDAX, REGION, MAP_SHARED },
	{ "devdax_over", DEVDAX, REGION, MAP_SHARED, 1 },
};

static int open_file(size_t len)
{
	int fd = open(MOUNT_POINT, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	char text[4096] = "";
	size_t at;

	for (at = 0; fd >= 0 && at < len; at += sizeof(text))
		if (pwrite(fd, text, sizeof(text), at) != sizeof(text))
			return -1;
	return fd;
}

static int open_memory(enum memory memory, size_t len)
{
	char path[32];

	if (disks_find("/dev/ram0"))
		return -1;
	switch (memory) {
	case EXT4:
		return disks_mount("/dev/ram0", "ext4", NULL) ? -1 : open_file(len);
	case FSDAX:
		return pmem_disk(path, sizeof(path)) ||
		       disks_mount(path, "ext4", "dax=always") ? -1 : open_file(len);
	default:
		return pmem_device(path, sizeof(path)) ? -1 :
		       open(path, O_RDWR | O_CLOEXEC);
	}
}

static int region(char *p, size_t len, bool limited)
{
	const struct rlimit limit = { LIMIT, LIMIT };
	struct rxe rxe;

	if (rxe_open(&rxe))
		return -1;
	if (limited && (setrlimit(RLIMIT_MEMLOCK, &limit) || setuid(NOBODY)))
		return -1;
	return ibv_reg_mr(rxe.pd, p, len, IBV_ACCESS_LOCAL_WRITE) ? 0 : errno;
}

/* The second of two buffers; the first is as they should be. */
static int ring(char *p, size_t len)
{
	struct io_uring_params params = { 0 };
	struct iovec iov[] = { { memory_touched(len), len }, { p, len } };
	int fd = syscall(SYS_io_uring_setup, 1, &params);

	if (fd < 0 || !iov[0].iov_base)
		return -1;
	printf("iovec %#lx\n", (unsigned long)p);
	return syscall(SYS_io_uring_register, fd, IORING_REGISTER_BUFFERS, iov,
		       2) ? errno : 0;
}

static int run(const struct victim *v)
{
	size_t unit = v->memory == DEVDAX ? pmd_size() : page_size();
	size_t len = LIMIT + v->over, mapped = (len + unit - 1) / unit * unit, at;
	int fd = open_memory(v->memory, mapped), error;
	char *p;

	if (fd < 0)
		return 1;
	p = mmap(NULL, mapped, PROT_READ | PROT_WRITE, v->share, fd, 0);
	if (p == MAP_FAILED)
		return 1;
	for (at = 0; v->share == MAP_SHARED && at < len; at += page_size())
		p[at] = 1;
	error = v->call == RING ? ring(p, len) :
		region(p, len, v->memory != EXT4);
	if (error < 0)
		return 1;
	printf("%s %d\n", v->name, error);
	return 0;
}

int main(int argc, char **argv)
{
	int ret = 3;
	size_t i;

	/* By which it is found in what is told. */
	if (argc == 2)
		prctl(PR_SET_NAME, argv[1]);
	for (i = 0; argc == 2 && i < sizeof(victims) / sizeof(*victims); i++)
		if (!strcmp(victims[i].name, argv[1]))
			ret = run(victims + i);
	fflush(stdout);
	return ret;
}
