// SPDX-License-Identifier: GPL-2.0
/*
 * A program for "pinprobe litmus --exec": it registers what it is told to, here as
 * fixed buffers of io_uring. Yours differs in open_driver(), pin() and unpin().
 * The protocol is in Documentation/tools.rst.
 */
#include <errno.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char *area;
static size_t area_len;
static int ring = -1;

static int open_driver(void)
{
	struct io_uring_params params = { 0 };

	ring = syscall(SYS_io_uring_setup, 1, &params);
	return ring < 0 ? -errno : 0;
}

/* io_uring does not ask which access is wanted. */
static int pin(int write)
{
	struct iovec buffer = { .iov_base = area, .iov_len = area_len };

	(void)write;
	return syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS,
		       &buffer, 1) ? -errno : 0;
}

static int unpin(void)
{
	return syscall(SYS_io_uring_register, ring, IORING_UNREGISTER_BUFFERS,
		       NULL, 0) ? -errno : 0;
}

/* "map anon|FD LEN r|rw private|shared none|read|write" */
static int map_area(const char *request)
{
	char what[16], prot[4], sharing[16], touch[16];
	int flags, fd = -1;
	int advice;

	if (sscanf(request, "map %15s %zu %3s %15s %15s", what, &area_len, prot,
		   sharing, touch) != 5)
		return -EINVAL;
	flags = strcmp(sharing, "shared") ? MAP_PRIVATE : MAP_SHARED;
	if (strcmp(what, "anon"))
		fd = atoi(what);
	else
		flags |= MAP_ANONYMOUS;
	area = mmap(NULL, area_len,
		    PROT_READ | (strcmp(prot, "rw") ? 0 : PROT_WRITE), flags, fd, 0);
	if (area == MAP_FAILED)
		return -errno;
	if (!strcmp(touch, "none"))
		return 0;
	advice = strcmp(touch, "write") ? MADV_POPULATE_READ : MADV_POPULATE_WRITE;
	return madvise(area, area_len, advice) ? -errno : 0;
}

static int serve(const char *request)
{
	if (!strncmp(request, "map ", 4))
		return map_area(request);
	if (!strcmp(request, "unmap"))
		return munmap(area, area_len) ? -errno : 0;
	if (!strcmp(request, "drop"))
		return madvise(area, area_len, MADV_DONTNEED) ? -errno : 0;
	if (!strcmp(request, "pin write"))
		return pin(1);
	if (!strcmp(request, "pin read"))
		return pin(0);
	if (!strcmp(request, "unpin"))
		return unpin();
	return -EINVAL;
}

int main(void)
{
	char request[256];
	int err;

	while (fgets(request, sizeof(request), stdin)) {
		request[strcspn(request, "\n")] = '\0';
		if (!strcmp(request, "quit")) {
			puts("ok");
			return 0;
		}
		err = !strcmp(request, "hello 1") ? open_driver() : serve(request);
		if (err)
			printf("error %d %s\n", -err, strerror(-err));
		else if (!strncmp(request, "map ", 4))
			printf("ok %p\n", (void *)area);
		else if (!strncmp(request, "hello ", 6))
			puts("ok io_uring");
		else
			puts("ok");
		fflush(stdout);
	}
	return 0;
}
