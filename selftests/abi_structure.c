// SPDX-License-Identifier: GPL-2.0
/* Ioctl structures of other sizes, with unknown flags, at bad addresses. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include "kselftest_harness.h"
#include "abi_layout.h"
#include "lib/device.h"
#include "lib/memory.h"
#include "lib/vmstat.h"

#define AREA_PAGES	4
#define NR_RECORDS	8

/* How much longer than ours a newer caller's structure may be. */
static const uint32_t more[] = { 1, 4, 7, 8, 64, 1000 };

union abi_args {
	uint32_t size;
	struct pinprobe_info info;
	struct pinprobe_resolve resolve;
	struct pinprobe_pin pin;
	struct pinprobe_pin_state state;
	struct pinprobe_pin_pages pages;
	char bytes[512];
};

FIXTURE(structure)
{
	int dev;
	int pin;
	size_t page;
	char *area;
	struct pinprobe_page *records;
	int64_t held;
	int fds;
};

FIXTURE_VARIANT(structure)
{
	unsigned int cmd;
	uint32_t size;
	uint32_t first;		/* size of the first version */
	uint32_t flags;
	bool on_pin;
};

FIXTURE_VARIANT_ADD(structure, info)
{
	.cmd = PINPROBE_IOC_INFO,
	.size = sizeof(struct pinprobe_info),
	.first = PINPROBE_INFO_SIZE_V1,
};

FIXTURE_VARIANT_ADD(structure, resolve)
{
	.cmd = PINPROBE_IOC_RESOLVE,
	.size = sizeof(struct pinprobe_resolve),
	.first = PINPROBE_RESOLVE_SIZE_V1,
	.flags = PINPROBE_RESOLVE_FAULT | PINPROBE_RESOLVE_RUNS,
};

FIXTURE_VARIANT_ADD(structure, pin)
{
	.cmd = PINPROBE_IOC_PIN,
	.size = sizeof(struct pinprobe_pin),
	.first = PINPROBE_PIN_SIZE_V1,
	.flags = PINPROBE_PIN_WRITE | PINPROBE_PIN_LONGTERM |
		 PINPROBE_PIN_SNAPSHOT,
};

FIXTURE_VARIANT_ADD(structure, pin_state)
{
	.cmd = PINPROBE_IOC_PIN_STATE,
	.size = sizeof(struct pinprobe_pin_state),
	.first = PINPROBE_PIN_STATE_SIZE_V1,
	.on_pin = true,
};

FIXTURE_VARIANT_ADD(structure, pin_pages)
{
	.cmd = PINPROBE_IOC_PIN_PAGES,
	.size = sizeof(struct pinprobe_pin_pages),
	.first = PINPROBE_PIN_PAGES_SIZE_V1,
	.flags = PINPROBE_PAGES_RUNS,
	.on_pin = true,
};

static int lowest_free_fd(void)
{
	int fd = open("/dev/null", O_RDONLY);

	close(fd);
	return fd;
}

FIXTURE_SETUP(structure)
{
	void *held;

	self->page = page_size();
	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	self->area = memory_touched(AREA_PAGES * self->page);
	ASSERT_NE(NULL, self->area);
	self->records = memory_touched(NR_RECORDS * sizeof(*self->records));
	ASSERT_NE(NULL, self->records);
	/* Not of the area: held there, it could not be pinned long-term. */
	held = memory_touched(AREA_PAGES * self->page);
	ASSERT_NE(NULL, held);
	self->pin = device_pin(self->dev, held, AREA_PAGES * self->page,
			       PINPROBE_CALL_PIN_FAST, PINPROBE_PIN_WRITE, NULL);
	ASSERT_LE(0, self->pin);
	self->held = vmstat_held();
	ASSERT_LE(AREA_PAGES, self->held);
	self->fds = lowest_free_fd();
}

/* Whatever a test did, it left no page held and no descriptor behind. */
FIXTURE_TEARDOWN(structure)
{
	EXPECT_EQ(self->held, vmstat_held());
	EXPECT_EQ(self->fds, lowest_free_fd());
	close(self->pin);
	close(self->dev);
}

/* A call which succeeds. What is output holds @junk. */
static void fill(struct _test_data_structure *self, unsigned int cmd, int junk,
		 union abi_args *args)
{
	size_t len = AREA_PAGES * self->page;

	memset(args, junk, sizeof(*args));
	switch (cmd) {
	case PINPROBE_IOC_INFO:
		args->info.size = sizeof(args->info);
		args->info.flags = 0;
		break;
	case PINPROBE_IOC_RESOLVE:
		args->resolve.size = sizeof(args->resolve);
		args->resolve.flags = 0;
		args->resolve.addr = (uintptr_t)self->area;
		args->resolve.len = len;
		args->resolve.records = (uintptr_t)self->records;
		args->resolve.nr_records = NR_RECORDS;
		args->resolve.record_size = sizeof(*self->records);
		args->resolve.pid = 0;
		break;
	case PINPROBE_IOC_PIN:
		args->pin.size = sizeof(args->pin);
		args->pin.flags = 0;
		args->pin.addr = (uintptr_t)self->area;
		args->pin.len = len;
		args->pin.call = PINPROBE_CALL_PIN_FAST;
		args->pin.pid = 0;
		args->pin.timeout_ms = 0;
		break;
	case PINPROBE_IOC_PIN_STATE:
		args->state.size = sizeof(args->state);
		args->state.flags = 0;
		break;
	case PINPROBE_IOC_PIN_PAGES:
		args->pages.size = sizeof(args->pages);
		args->pages.flags = 0;
		args->pages.index = 0;
		args->pages.records = (uintptr_t)self->records;
		args->pages.nr_records = NR_RECORDS;
		args->pages.record_size = sizeof(*self->records);
		args->pages.when = PINPROBE_WHEN_HELD;
		break;
	}
}

/*
 * 0 or -errno. A pin taken is closed at once: by the descriptor reported, so
 * that one which was not reported is missed by the teardown.
 */
static int call(struct _test_data_structure *self,
		const struct _fixture_variant_structure *variant, void *args)
{
	int fd = variant->on_pin ? self->pin : self->dev;

	if (ioctl(fd, variant->cmd, args))
		return -errno;
	if (variant->cmd == PINPROBE_IOC_PIN)
		close(((struct pinprobe_pin *)args)->fd);
	return 0;
}

static bool all_bytes(const void *p, int value, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (((const unsigned char *)p)[i] != (value & 0xff))
			return false;
	return true;
}

TEST_F(structure, hole_behind)
{
	void *args = memory_before_hole(variant->size);
	union abi_args whole;

	ASSERT_NE(NULL, args);
	fill(self, variant->cmd, 0, &whole);
	memcpy(args, &whole, variant->size);
	EXPECT_EQ(0, call(self, variant, args));
}

TEST_F(structure, any_alignment)
{
	union abi_args whole;
	char room[1024];

	fill(self, variant->cmd, 0, &whole);
	for (int shift = 1; shift < 8; shift++) {
		memcpy(room + shift, &whole, variant->size);
		EXPECT_EQ(0, call(self, variant, room + shift));
	}
}

/* What the caller left in an output is no argument. */
TEST_F(structure, outputs_are_not_inputs)
{
	union abi_args args;

	fill(self, variant->cmd, 0xaa, &args);
	EXPECT_EQ(0, call(self, variant, &args));
	fill(self, variant->cmd, 0xff, &args);
	EXPECT_EQ(0, call(self, variant, &args));
}

/*
 * Every byte of an output is written, the same whatever stood there. A byte
 * that keeps two different fillings was never written.
 */
TEST_F(structure, outputs_are_written)
{
	union abi_args one, two;

	fill(self, variant->cmd, 0xaa, &one);
	fill(self, variant->cmd, 0x55, &two);
	ASSERT_EQ(0, call(self, variant, &one));
	ASSERT_EQ(0, call(self, variant, &two));
	for (size_t i = 0; i < variant->size; i++) {
		EXPECT_FALSE((one.bytes[i] & 0xff) == 0xaa &&
			     two.bytes[i] == 0x55) {
			TH_LOG("byte %zu was not written", i);
		}
	}
}

TEST_F(structure, nothing_written_past_size)
{
	union abi_args args;

	fill(self, variant->cmd, 0x5a, &args);
	ASSERT_EQ(0, call(self, variant, &args));
	EXPECT_TRUE(all_bytes(args.bytes + variant->size, 0x5a,
			      sizeof(args) - variant->size));
}

TEST_F(structure, size_too_small)
{
	union abi_args args, before;

	for (uint32_t size = 0; size < variant->first; size++) {
		fill(self, variant->cmd, 0xaa, &args);
		args.size = size;
		before = args;
		EXPECT_EQ(-EINVAL, call(self, variant, &args)) {
			TH_LOG("size %u", size);
		}
		EXPECT_EQ(0, memcmp(&before, &args, sizeof(args)));
	}
}

/* The same with no more memory there than the size says. */
TEST_F(structure, size_too_small_hole_behind)
{
	union abi_args whole;

	for (uint32_t size = 4; size < variant->first; size += 4) {
		void *args = memory_before_hole(size);

		ASSERT_NE(NULL, args);
		fill(self, variant->cmd, 0xaa, &whole);
		whole.size = size;
		memcpy(args, &whole, size);
		EXPECT_EQ(-EINVAL, call(self, variant, args)) {
			TH_LOG("size %u", size);
		}
		EXPECT_EQ(0, memcmp(&whole, args, size));
	}
}

/* What an old binary knows is enough, and no more than that is written. */
TEST_F(structure, first_version)
{
	void *args = memory_before_hole(variant->first);
	union abi_args whole;

	ASSERT_NE(NULL, args);
	fill(self, variant->cmd, 0, &whole);
	whole.size = variant->first;
	memcpy(args, &whole, variant->first);
	EXPECT_EQ(0, call(self, variant, args));
	EXPECT_EQ(variant->first, *(uint32_t *)args);
}

TEST_F(structure, longer_with_zero_tail)
{
	union abi_args whole;

	fill(self, variant->cmd, 0, &whole);
	for (size_t i = 0; i < ARRAY_SIZE(more); i++) {
		char *args = memory_before_hole(variant->size + more[i]);

		ASSERT_NE(NULL, args);
		whole.size = variant->size + more[i];
		memcpy(args, &whole, variant->size);
		EXPECT_EQ(0, call(self, variant, args)) {
			TH_LOG("%u bytes longer", more[i]);
		}
		EXPECT_EQ(whole.size, *(uint32_t *)args);
		EXPECT_TRUE(all_bytes(args + variant->size, 0, more[i]));
	}
}

TEST_F(structure, longer_with_unknown_tail)
{
	union abi_args whole;

	fill(self, variant->cmd, 0xaa, &whole);
	for (size_t i = 0; i < ARRAY_SIZE(more); i++) {
		for (int last = 0; last < 2; last++) {
			char *args = memory_before_hole(variant->size + more[i]);
			uint32_t at = last ? more[i] - 1 : 0;

			ASSERT_NE(NULL, args);
			whole.size = variant->size + more[i];
			memcpy(args, &whole, variant->size);
			args[variant->size + at] = 1;
			EXPECT_EQ(-E2BIG, call(self, variant, args)) {
				TH_LOG("%u bytes longer, byte %u set", more[i], at);
			}
			EXPECT_EQ(0, memcmp(&whole, args, variant->size));
		}
	}
}

TEST_F(structure, longer_than_memory)
{
	void *args = memory_before_hole(variant->size);
	union abi_args whole;

	ASSERT_NE(NULL, args);
	fill(self, variant->cmd, 0xaa, &whole);
	for (size_t i = 0; i < ARRAY_SIZE(more); i++) {
		whole.size = variant->size + more[i];
		memcpy(args, &whole, variant->size);
		EXPECT_EQ(-EFAULT, call(self, variant, args));
		EXPECT_EQ(0, memcmp(&whole, args, variant->size));
	}
}

/* More than a page is not read to see whether it is zero. */
TEST_F(structure, longer_than_a_page)
{
	static const uint32_t sizes[] = {
		4097, 8192, 65536, 0x7fffffff, 0x80000000, 0xffffffff,
	};
	char *args = memory_map(65536);
	union abi_args whole;

	ASSERT_NE(NULL, args);
	fill(self, variant->cmd, 0, &whole);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		whole.size = sizes[i];
		memcpy(args, &whole, variant->size);
		EXPECT_EQ(-E2BIG, call(self, variant, args)) {
			TH_LOG("size %u", sizes[i]);
		}
		EXPECT_EQ(0, memcmp(&whole, args, variant->size));
	}
	whole.size = 4096;
	memcpy(args, &whole, variant->size);
	EXPECT_EQ(0, call(self, variant, args));
}

TEST_F(structure, unknown_flags)
{
	union abi_args args;
	uint32_t *flags = &args.info.flags;	/* at the same place in all */

	for (int bit = 0; bit < 32; bit++) {
		if (variant->flags & (1U << bit))
			continue;
		for (int known = 0; known < 2; known++) {
			fill(self, variant->cmd, 0xaa, &args);
			*flags = 1U << bit | (known ? variant->flags : 0);
			EXPECT_EQ(-EINVAL, call(self, variant, &args)) {
				TH_LOG("flags %#x", *flags);
			}
		}
	}
}

TEST_F(structure, known_flags)
{
	union abi_args args;
	uint32_t *flags = &args.info.flags;	/* at the same place in all */

	for (int bit = 0; bit < 32; bit++) {
		if (!(variant->flags & (1U << bit)))
			continue;
		fill(self, variant->cmd, 0xaa, &args);
		*flags = 1U << bit;
		EXPECT_EQ(0, call(self, variant, &args)) {
			TH_LOG("bit %d", bit);
		}
	}
}

TEST_F(structure, pointer_to_nothing)
{
	static const uintptr_t bad[] = {
		0, 1, UNMAPPED_ADDR, NONCANONICAL_ADDR, KERNEL_ADDR,
		UINTPTR_MAX, UINTPTR_MAX - 4095, KERNEL_CODE_ADDR,
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EFAULT, call(self, variant, (void *)bad[i])) {
			TH_LOG("pointer %#lx", (unsigned long)bad[i]);
		}
	}
}

/* The last bytes of the structure lie behind the end of the mapping. */
TEST_F(structure, crosses_into_hole)
{
	union abi_args whole;

	fill(self, variant->cmd, 0xaa, &whole);
	for (uint32_t there = 0; there < variant->size; there++) {
		void *args = memory_before_hole(there);

		ASSERT_NE(NULL, args);
		memcpy(args, &whole, there);
		EXPECT_EQ(-EFAULT, call(self, variant, args)) {
			TH_LOG("%u bytes there", there);
		}
		EXPECT_EQ(0, memcmp(&whole, args, there));
	}
}

TEST_F(structure, not_readable)
{
	char *args = memory_touched(self->page);
	union abi_args whole;

	ASSERT_NE(NULL, args);
	fill(self, variant->cmd, 0, &whole);
	memcpy(args, &whole, variant->size);
	ASSERT_EQ(0, mprotect(args, self->page, PROT_NONE));
	EXPECT_EQ(-EFAULT, call(self, variant, args));
}

/* Everything can be read and done, but the answer cannot be written. */
TEST_F(structure, not_writable)
{
	char *args = memory_touched(self->page);
	union abi_args whole;

	ASSERT_NE(NULL, args);
	fill(self, variant->cmd, 0xaa, &whole);
	memcpy(args, &whole, variant->size);
	ASSERT_EQ(0, mprotect(args, self->page, PROT_READ));
	EXPECT_EQ(-EFAULT, call(self, variant, args));
	EXPECT_EQ(0, memcmp(&whole, args, variant->size));
}

TEST_F(structure, second_half_not_writable)
{
	char *area = memory_touched(2 * self->page);
	char *args = area + self->page - variant->size / 2;
	union abi_args whole;

	ASSERT_NE(NULL, area);
	fill(self, variant->cmd, 0, &whole);
	memcpy(args, &whole, variant->size);
	ASSERT_EQ(0, mprotect(area + self->page, self->page, PROT_READ));
	EXPECT_EQ(-EFAULT, call(self, variant, args));
}

TEST_HARNESS_MAIN
