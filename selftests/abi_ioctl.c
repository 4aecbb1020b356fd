// SPDX-License-Identifier: GPL-2.0
/* Which ioctl numbers are ours, and that no other does anything. */
#include <errno.h>
#include <sys/ioctl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/mman.h>
#include "kselftest_harness.h"
#include "abi_layout.h"
#include "lib/device.h"
#include "lib/memory.h"

#define FIRST_NR	0x80
#define LAST_DEV_NR	0x82
#define LAST_NR		0x84

#define VFS_FIFREEZE	_IOWR('X', 119, int)
#define VFS_FITHAW	_IOWR('X', 120, int)

/* Does not compile if one of our numbers is one that the VFS answers itself. */
static bool answered_by_vfs(unsigned int cmd)
{
	switch (cmd) {
	case FIOCLEX:
	case FIONCLEX:
	case FIONBIO:
	case FIOASYNC:
	case FIOQSIZE:
	case FIBMAP:
	case FIGETBSZ:
	case FIONREAD:
	case FICLONE:
	case FICLONERANGE:
	case FIDEDUPERANGE:
	case VFS_FIFREEZE:
	case VFS_FITHAW:
	case FS_IOC_FIEMAP:
	case FS_IOC_GETFLAGS:
	case FS_IOC_SETFLAGS:
	case FS_IOC_FSGETXATTR:
	case FS_IOC_FSSETXATTR:
		return true;
	case PINPROBE_IOC_INFO:
	case PINPROBE_IOC_RESOLVE:
	case PINPROBE_IOC_PIN:
	case PINPROBE_IOC_PIN_STATE:
	case PINPROBE_IOC_PIN_PAGES:
	default:
		return false;
	}
}

FIXTURE(number)
{
	int dev;
	int pin;
	int fd;
	unsigned int first;
	unsigned int last;
	char *args;
};

FIXTURE_VARIANT(number)
{
	bool on_pin;
};

FIXTURE_VARIANT_ADD(number, device)
{
	.on_pin = false,
};

FIXTURE_VARIANT_ADD(number, pin_fd)
{
	.on_pin = true,
};

FIXTURE_SETUP(number)
{
	void *area = memory_touched(page_size());

	ASSERT_NE(NULL, area);
	self->args = memory_touched(page_size());
	ASSERT_NE(NULL, self->args);
	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	self->pin = device_pin(self->dev, area, page_size(),
			       PINPROBE_CALL_PIN_FAST, 0, NULL);
	ASSERT_LE(0, self->pin);
	self->fd = variant->on_pin ? self->pin : self->dev;
	self->first = variant->on_pin ? LAST_DEV_NR + 1 : FIRST_NR;
	self->last = variant->on_pin ? LAST_NR : LAST_DEV_NR;
}

FIXTURE_TEARDOWN(number)
{
	close(self->pin);
	close(self->dev);
}

/* ENOTTY, whatever the argument, and memory stays as it was. */
static void expect_unknown(struct __test_metadata *_metadata,
			   struct _test_data_number *self, unsigned int cmd)
{
	char before[512];

	memset(self->args, 0xaa, sizeof(before));
	memcpy(before, self->args, sizeof(before));
	EXPECT_EQ(-1, ioctl(self->fd, cmd, self->args));
	EXPECT_EQ(ENOTTY, errno) {
		TH_LOG("cmd %#x: errno %d", cmd, errno);
	}
	EXPECT_EQ(0, memcmp(before, self->args, sizeof(before)));
	EXPECT_EQ(-1, ioctl(self->fd, cmd, NULL));
	EXPECT_EQ(ENOTTY, errno);
}

TEST_F(number, unknown)
{
	for (unsigned int nr = 0; nr < 256; nr++)
		if (nr < self->first || nr > self->last)
			expect_unknown(_metadata, self,
				       _IO(PINPROBE_IOC_MAGIC, nr));
}

/* The number says nothing about direction and size, so none is ours that does. */
TEST_F(number, with_size)
{
	static const unsigned int dirs[] = { _IOC_READ, _IOC_WRITE,
					     _IOC_READ | _IOC_WRITE };

	for (unsigned int nr = self->first; nr <= self->last; nr++) {
		expect_unknown(_metadata, self,
			       _IOC(_IOC_NONE, PINPROBE_IOC_MAGIC, nr, 8));
		for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
			expect_unknown(_metadata, self,
				       _IOC(dirs[i], PINPROBE_IOC_MAGIC, nr, 0));
			expect_unknown(_metadata, self,
				       _IOC(dirs[i], PINPROBE_IOC_MAGIC, nr, 48));
		}
	}
}

TEST_F(number, other_magic)
{
	for (unsigned int magic = 0; magic < 256; magic++)
		for (unsigned int nr = FIRST_NR; nr <= LAST_NR; nr++)
			if (magic != PINPROBE_IOC_MAGIC &&
			    !answered_by_vfs(_IO(magic, nr)))
				expect_unknown(_metadata, self, _IO(magic, nr));
}

/* FIGETBSZ is one of them: the VFS answers it for any file. */
TEST_F(number, small_integers)
{
	for (unsigned int cmd = 0; cmd < 256; cmd++)
		if (cmd != FIGETBSZ)
			expect_unknown(_metadata, self, cmd);
}

TEST_F(number, of_other_files)
{
	static const unsigned int cmds[] = {
		FIONREAD, FIOQSIZE, 0x5401 /* TCGETS */, 0x5413 /* TIOCGWINSZ */,
		BLKGETSIZE, BLKROGET, 0x80000000, 0xffffffff,
	};

	for (size_t i = 0; i < ARRAY_SIZE(cmds); i++)
		expect_unknown(_metadata, self, cmds[i]);
}

TEST_F(number, is_not_for_the_vfs)
{
	for (unsigned int nr = FIRST_NR; nr <= LAST_NR; nr++)
		EXPECT_FALSE(answered_by_vfs(_IO(PINPROBE_IOC_MAGIC, nr)));
}

/* Neither descriptor is anything but a place for ioctls. */
TEST_F(number, no_other_operation)
{
	char byte = 0;

	EXPECT_GT(0, read(self->fd, &byte, 1));
	EXPECT_GT(0, write(self->fd, &byte, 1));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, page_size(), PROT_READ, MAP_SHARED,
				   self->fd, 0));
	EXPECT_EQ(ENODEV, errno);
}

TEST_HARNESS_MAIN
