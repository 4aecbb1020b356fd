// SPDX-License-Identifier: GPL-2.0
/* A 32-bit program on a 64-bit kernel makes every ioctl: compat32/caller.c. */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include "kselftest_harness.h"
#include "compat32/caller.h"
#include "lib/child.h"
#include "lib/device.h"
#include "lib/vmstat.h"

#define NOT_RUN	77

#if defined(__x86_64__) || defined(__aarch64__)
/* The program itself: the guest needs no second file, and cannot lack it. */
asm(".section .rodata\n"
	".globl caller_start, caller_end\n"
	"caller_start:\n"
	".incbin \"compat32_caller\"\n"
	"caller_end:\n"
	".previous");

static int run_caller(int sock, void *arg)
{
	char * const argv[] = { "compat32_caller", NULL };
	char * const envp[] = { NULL };
	size_t len = caller_end - caller_start;
	int fd = memfd_create("compat32_caller", MFD_CLOEXEC);

	if (fd < 0 || write(fd, caller_start, len) != (ssize_t)len)
		return 1;
	fexecve(fd, argv, envp);
	return errno == ENOEXEC ? NOT_RUN : 1;
}

TEST(every_ioctl)
{
	int64_t held = vmstat_held();
	struct child child;
	int ret;

	ASSERT_LE(0, held);
	ASSERT_EQ(0, child_start(&child, run_caller, NULL));
	ret = child_wait(&child);
	close(child.sock);
	EXPECT_EQ(held, vmstat_held());
	if (ret == NOT_RUN)
		SKIP(return, "no-32bit: the kernel does not know the format");
	EXPECT_EQ(0, ret);
}
#else
TEST(every_ioctl)
{
	SKIP(return, "no-32bit: none on this architecture");
}
#endif

TEST_HARNESS_MAIN
