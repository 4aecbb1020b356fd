// SPDX-License-Identifier: GPL-2.0
/* Which ranges, processes and calls RESOLVE and PIN take. */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include "kselftest_harness.h"
#include "abi_layout.h"
#include "lib/device.h"
#include "lib/memory.h"
#include "lib/vmstat.h"

#define AREA_PAGES	4
#define RESOLVE		0xffffffffU	/* no PIN call has this number */

FIXTURE(range)
{
	int dev;
	uint64_t page;
	char *area;
	struct pinprobe_page records[AREA_PAGES];
	struct pinprobe_pin pin;
	int64_t held;
};

FIXTURE_VARIANT(range)
{
	uint32_t call;
};

FIXTURE_VARIANT_ADD(range, resolve)
{
	.call = RESOLVE,
};

FIXTURE_VARIANT_ADD(range, get)
{
	.call = PINPROBE_CALL_GET,
};

FIXTURE_VARIANT_ADD(range, get_fast)
{
	.call = PINPROBE_CALL_GET_FAST,
};

FIXTURE_VARIANT_ADD(range, get_unlocked)
{
	.call = PINPROBE_CALL_GET_UNLOCKED,
};

FIXTURE_VARIANT_ADD(range, get_remote)
{
	.call = PINPROBE_CALL_GET_REMOTE,
};

FIXTURE_VARIANT_ADD(range, pin)
{
	.call = PINPROBE_CALL_PIN,
};

FIXTURE_VARIANT_ADD(range, pin_fast)
{
	.call = PINPROBE_CALL_PIN_FAST,
};

FIXTURE_VARIANT_ADD(range, pin_unlocked)
{
	.call = PINPROBE_CALL_PIN_UNLOCKED,
};

FIXTURE_VARIANT_ADD(range, pin_remote)
{
	.call = PINPROBE_CALL_PIN_REMOTE,
};

FIXTURE_SETUP(range)
{
	self->page = page_size();
	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	self->area = memory_touched(AREA_PAGES * self->page);
	ASSERT_NE(NULL, self->area);
	self->held = vmstat_held();
	ASSERT_LE(0, self->held);
}

FIXTURE_TEARDOWN(range)
{
	EXPECT_EQ(self->held, vmstat_held());
	EXPECT_EQ(0, status_kb(0, "VmPin"));
	close(self->dev);
}

static bool remote(uint32_t call)
{
	return call == PINPROBE_CALL_GET_REMOTE ||
	       call == PINPROBE_CALL_PIN_REMOTE;
}

static struct pinprobe_pin request(uint32_t call, uint64_t addr, uint64_t len)
{
	struct pinprobe_pin pin;

	memset(&pin, 0xaa, sizeof(pin));
	pin.size = sizeof(pin);
	pin.flags = 0;
	pin.addr = addr;
	pin.len = len;
	pin.call = call;
	pin.pid = 0;
	pin.timeout_ms = 0;
	return pin;
}

/* The errno, positive; 0 if it worked. A pin is closed again. */
static int take(struct _test_data_range *self, const struct pinprobe_pin *pin)
{
	self->pin = *pin;
	if (ioctl(self->dev, PINPROBE_IOC_PIN, &self->pin))
		return errno;
	close(self->pin.fd);
	return 0;
}

static int attempt(struct _test_data_range *self, uint32_t call, int32_t pid,
		   uint64_t addr, uint64_t len)
{
	struct pinprobe_pin pin = request(call, addr, len);
	struct pinprobe_resolve resolve = {
		.size = sizeof(resolve),
		.addr = addr,
		.len = len,
		.records = (uintptr_t)self->records,
		.nr_records = AREA_PAGES,
		.record_size = sizeof(*self->records),
		.pid = pid,
		.filled = 0xaaaaaaaa,
		.next = 0xaaaaaaaaaaaaaaaa,
	};

	if (call != RESOLVE) {
		pin.pid = pid;
		return take(self, &pin);
	}
	if (!ioctl(self->dev, PINPROBE_IOC_RESOLVE, &resolve))
		return 0;
	/* A failure leaves both as the caller put them there. */
	if (resolve.filled != 0xaaaaaaaa || resolve.next != 0xaaaaaaaaaaaaaaaa)
		return -1;
	return errno;
}

/* Refused before anything was tried, and a PIN says so in its outcome. */
static void expect_refused(struct __test_metadata *_metadata,
			   struct _test_data_range *self, uint32_t call,
			   int error, int seen)
{
	const struct pinprobe_outcome *outcome = &self->pin.outcome;

	EXPECT_EQ(error, seen);
	if (call == RESOLVE)
		return;
	EXPECT_EQ(-1, self->pin.fd);
	EXPECT_EQ(error, outcome->error);
	EXPECT_EQ(PINPROBE_STAGE_ARGUMENT, outcome->stage) {
		TH_LOG("stage %s", stage_name(outcome->stage));
	}
	EXPECT_EQ(0, outcome->nr_pinned);
	EXPECT_EQ(0, outcome->calls);
	EXPECT_EQ(0, outcome->moved);
	EXPECT_EQ(0, outcome->stayed);
	EXPECT_EQ(0, outcome->absent);
	EXPECT_EQ(0, outcome->failed);
}

static void expect_range(struct __test_metadata *_metadata,
			 struct _test_data_range *self,
			 const struct _fixture_variant_range *variant, int error,
			 uint64_t addr, uint64_t len)
{
	int seen = attempt(self, variant->call, 0, addr, len);

	expect_refused(_metadata, self, variant->call, error, seen);
	if (seen != error)
		TH_LOG("addr %#llx len %#llx: errno %d",
		       (unsigned long long)addr, (unsigned long long)len, seen);
}

TEST_F(range, accepted)
{
	uint64_t addr = (uintptr_t)self->area;

	EXPECT_EQ(0, attempt(self, variant->call, 0, addr, self->page));
	EXPECT_EQ(0, attempt(self, variant->call, 0, addr,
			     AREA_PAGES * self->page));
}

TEST_F(range, empty)
{
	expect_range(_metadata, self, variant, EINVAL, (uintptr_t)self->area, 0);
	expect_range(_metadata, self, variant, EINVAL, 0, 0);
}

TEST_F(range, unaligned)
{
	uint64_t addr = (uintptr_t)self->area;
	uint64_t page = self->page;

	for (uint64_t off = 1; off < page; off *= 2) {
		expect_range(_metadata, self, variant, EINVAL, addr + off, page);
		expect_range(_metadata, self, variant, EINVAL, addr, off);
		expect_range(_metadata, self, variant, EINVAL, addr, page + off);
		expect_range(_metadata, self, variant, EINVAL, addr + off,
			     page - off);
	}
	expect_range(_metadata, self, variant, EINVAL, addr + 1, page - 1);
	expect_range(_metadata, self, variant, EINVAL, addr, page - 1);
}

TEST_F(range, wraps)
{
	uint64_t addr = (uintptr_t)self->area;
	uint64_t page = self->page;

	expect_range(_metadata, self, variant, EOVERFLOW, addr, -addr);
	expect_range(_metadata, self, variant, EOVERFLOW, addr, -page);
	expect_range(_metadata, self, variant, EOVERFLOW, -page, page);
	expect_range(_metadata, self, variant, EOVERFLOW, -page, 2 * page);
	expect_range(_metadata, self, variant, EOVERFLOW, -page, -page);
}

/* get_user_pages() alone would hand out the page at KERNEL_GATE_ADDR. */
TEST_F(range, not_of_the_user)
{
	uint64_t addr = (uintptr_t)self->area;
	uint64_t page = self->page;

	expect_range(_metadata, self, variant, EFAULT, KERNEL_ADDR, page);
	expect_range(_metadata, self, variant, EFAULT, KERNEL_CODE_ADDR, page);
	expect_range(_metadata, self, variant, EFAULT, KERNEL_GATE_ADDR, page);
	expect_range(_metadata, self, variant, EFAULT, NONCANONICAL_ADDR, page);
	expect_range(_metadata, self, variant, EFAULT, -2 * page, page);
	expect_range(_metadata, self, variant, EFAULT, addr,
		     KERNEL_ADDR - addr);
	expect_range(_metadata, self, variant, EFAULT, addr,
		     NONCANONICAL_ADDR - addr);
	expect_range(_metadata, self, variant, EFAULT, addr,
		     -(addr + page));
	expect_range(_metadata, self, variant, EFAULT, 0, -page);
}

TEST_F(range, process_that_cannot_be)
{
	static const int32_t pids[] = { -1, -2, INT_MIN };
	uint64_t addr = (uintptr_t)self->area;

	for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
		int seen = attempt(self, variant->call, pids[i], addr,
				   self->page);

		expect_refused(_metadata, self, variant->call, EINVAL, seen);
	}
}

TEST_F(range, process_that_is_not)
{
	static const int32_t pids[] = { 0x3fffffff, INT_MAX };
	uint64_t addr = (uintptr_t)self->area;
	int error = variant->call == RESOLVE || remote(variant->call) ?
		    ESRCH : EINVAL;

	for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
		int seen = attempt(self, variant->call, pids[i], addr,
				   self->page);

		expect_refused(_metadata, self, variant->call, error, seen);
	}
}

/* Process 2 starts the kernel threads; it has no memory of a user. */
TEST_F(range, kernel_thread)
{
	int error = variant->call == RESOLVE || remote(variant->call) ?
		    ESRCH : EINVAL;
	int seen = attempt(self, variant->call, 2, (uintptr_t)self->area,
			   self->page);

	expect_refused(_metadata, self, variant->call, error, seen);
}

/* Only a remote call may name a process, be it the caller. */
TEST_F(range, own_pid)
{
	int error = variant->call == RESOLVE || remote(variant->call) ?
		    0 : EINVAL;
	int seen = attempt(self, variant->call, getpid(), (uintptr_t)self->area,
			   self->page);

	EXPECT_EQ(error, seen);
	if (error)
		expect_refused(_metadata, self, variant->call, error, seen);
}

TEST_F(range, longterm)
{
	struct pinprobe_pin pin = request(variant->call, (uintptr_t)self->area,
					  self->page);
	int error = variant->call < PINPROBE_CALL_PIN ? EINVAL : 0;
	struct pinprobe_info info;
	int seen;

	if (variant->call == RESOLVE)
		return;
	ASSERT_EQ(0, device_info(self->dev, &info));
	if (variant->call == PINPROBE_CALL_PIN_UNLOCKED &&
	    !(info.features & PINPROBE_FEATURE_UNLOCKED_LONGTERM))
		error = EOPNOTSUPP;
	pin.flags = PINPROBE_PIN_LONGTERM;
	seen = take(self, &pin);
	EXPECT_EQ(error, seen);
	if (error)
		expect_refused(_metadata, self, variant->call, error, seen);
}

TEST_F(range, timeout)
{
	static const uint32_t good[] = { 0, 1000, PINPROBE_PIN_TIMEOUT_DEFAULT_MS,
					 PINPROBE_PIN_TIMEOUT_MAX_MS };
	static const uint32_t bad[] = { PINPROBE_PIN_TIMEOUT_MAX_MS + 1,
					INT_MAX, 0x80000000, UINT_MAX };
	struct pinprobe_pin pin = request(variant->call, (uintptr_t)self->area,
					  self->page);

	if (variant->call == RESOLVE)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		pin.timeout_ms = good[i];
		EXPECT_EQ(0, take(self, &pin));
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		pin.timeout_ms = bad[i];
		expect_refused(_metadata, self, variant->call, EINVAL,
			       take(self, &pin));
	}
}

TEST_F(range, unknown_call)
{
	struct pinprobe_pin pin = request(0, (uintptr_t)self->area, self->page);
	uint32_t call = PINPROBE_CALL_PIN_REMOTE + 1;

	if (variant->call != RESOLVE)
		return;
	for (int i = 0; i < 300; i++, call++) {
		pin.call = call;
		expect_refused(_metadata, self, call, EINVAL, take(self, &pin));
	}
	for (call = 1024; call; call <<= 1) {
		pin.call = call | PINPROBE_CALL_PIN;
		expect_refused(_metadata, self, 0, EINVAL, take(self, &pin));
	}
	pin.call = UINT_MAX;
	expect_refused(_metadata, self, 0, EINVAL, take(self, &pin));
}

/* One page more than INFO says one PIN takes. */
TEST_F(range, too_many_pages)
{
	struct pinprobe_info info;
	uint64_t len;
	void *area;

	ASSERT_EQ(0, device_info(self->dev, &info));
	ASSERT_LT(0, info.max_pin_pages);
	if (variant->call == RESOLVE)
		return;
	len = (info.max_pin_pages + 1) * self->page;
	area = mmap(NULL, len, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS |
		    MAP_NORESERVE, -1, 0);
	ASSERT_NE(MAP_FAILED, area);
	expect_range(_metadata, self, variant, EINVAL, (uintptr_t)area, len);
}

TEST_HARNESS_MAIN
