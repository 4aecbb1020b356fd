// SPDX-License-Identifier: GPL-2.0
/* How the guest programs open a module that is not the one they know. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "unit.h"

static int fake_fd;

static int fake_open(const char *path, int flags, ...);
static int fake_ioctl(int fd, unsigned long cmd, void *args);

#define open	fake_open
#define ioctl	fake_ioctl
#include "../selftests/lib/device.c"
#undef open
#undef ioctl

static unsigned int fake_version;
static int fake_errno;

static int fake_open(const char *path, int flags, ...)
{
	CHECK_STRING(path, "/dev/pinprobe");
	CHECK(flags & O_CLOEXEC);
	fake_fd = dup(0);
	return fake_fd;
}

static int fake_ioctl(int fd, unsigned long cmd, void *args)
{
	struct pinprobe_info *info = args;

	CHECK_NUMBER(fd, fake_fd);
	CHECK(cmd == PINPROBE_IOC_INFO);
	CHECK_NUMBER(info->size, sizeof(*info));
	if (fake_errno) {
		errno = fake_errno;
		return -1;
	}
	info->abi_version = fake_version;
	return 0;
}

/* What device_open() returns; @said gets what it prints. */
static int open_module(unsigned int version, int err, char **said)
{
	int saved = dup(2), ret;

	fake_version = version;
	fake_errno = err;
	fflush(stderr);
	CHECK(freopen(unit_path("said"), "w", stderr));
	ret = device_open();
	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	*said = unit_read(unit_path("said"), NULL);
	return ret;
}

TEST(device_of_this_abi)
{
	char *said;
	int dev = open_module(PINPROBE_ABI_VERSION, 0, &said);

	CHECK_NUMBER(dev, fake_fd);
	CHECK(dev > 2);
	CHECK_STRING(said, "");
	CHECK_NUMBER(close(dev), 0);
}

TEST(device_of_another_abi)
{
	static const unsigned int versions[] = {
		0, PINPROBE_ABI_VERSION + 1, ~0U,
	};
	char *said, *want;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(versions); i++) {
		want = text_format("pinprobe: the module speaks ABI %u, this program ABI %u\n",
				   versions[i], PINPROBE_ABI_VERSION);
		CHECK_NUMBER(open_module(versions[i], 0, &said), -EPROTO);
		CHECK_STRING(said, want);
		CHECK_NUMBER(close(fake_fd), -1);
		free(want);
		free(said);
	}
}

/* Something else has the name: its errno, and no word about versions. */
TEST(device_of_no_abi)
{
	char *said;

	CHECK_NUMBER(open_module(0, ENOTTY, &said), -ENOTTY);
	CHECK_STRING(said, "");
	CHECK_NUMBER(close(fake_fd), -1);
}
