// SPDX-License-Identifier: GPL-2.0
/*
 * pinprobe litmus on pin calls whose contract is known from the kernel's source,
 * rung by rung, and on the real ones that this guest has.
 */
#include <errno.h>
#include "kselftest_harness.h"
#include "lib/kernel.h"
#include "lib/promise.h"
#include "lib/rxe.h"
#include "lib/tool.h"
#include "lib/vfio.h"

#define TIMEOUT		120

#define NONE		"takes no page"
#define GET		"GET"
#define PIN		"PIN"
#define LONGTERM	"PIN+LONGTERM"

/*
 * Long-term pins are told by what leaves unpinnable memory, or by untouched pages,
 * which kernels from v6.2 on give away to who can ask to read only. Where new
 * pages come from ZONE_MOVABLE first, some are always there to leave; how many
 * come from CMA depends on what was freed before.
 */
static bool longterm_can_be_told(bool one_access)
{
	return (promise_made("movable") && kernel_at_least(5, 13)) ||
	       (kernel_at_least(6, 2) && !one_access);
}

/*
 * Who takes no page is told from who refers to one by what is left when the mapping
 * goes. Of locked memory that goes by 9457056ac426 ("mm: madvise:
 * MADV_DONTNEED_LOCKED"), v5.18.
 */
static bool none_can_be_told(const char *provider)
{
	return strcmp(provider, "mlock") || kernel_at_least(5, 18);
}

/* The rung or, where it need not be told, none; never another. */
static bool right(const struct tool *tool, const char *rung, bool told)
{
	const char *said = tool_string(tool->json, "rung");

	if (!strcmp(said, rung))
		return !tool->code;
	return !told && tool->code == 4 && !strcmp(said, "unknown");
}

/* "weakest" and "strongest" have both, where the two cannot be told apart. */
static bool between(const struct tool *tool, const char *rung)
{
	return !strcmp(tool_string(tool->json, "weakest"), rung) ||
	       !strcmp(tool_string(tool->json, "strongest"), rung);
}

FIXTURE(litmus)
{
	struct tool tool;
};

FIXTURE_VARIANT(litmus)
{
	const char *provider;
	const char *rung;
	const char *skip;	/* why it may not be here */
	bool one_access;	/* it always asks to write */
};

FIXTURE_VARIANT_ADD(litmus, module_none) {
	.provider = "pinprobe-none", .rung = NONE, .one_access = true,
};

FIXTURE_VARIANT_ADD(litmus, module_get) {
	.provider = "pinprobe-get", .rung = GET,
};

FIXTURE_VARIANT_ADD(litmus, module_pin) {
	.provider = "pinprobe-pin", .rung = PIN,
};

FIXTURE_VARIANT_ADD(litmus, module_longterm) {
	.provider = "pinprobe-longterm", .rung = LONGTERM,
};

FIXTURE_VARIANT_ADD(litmus, mlock) {
	.provider = "mlock", .rung = NONE, .one_access = true,
};

FIXTURE_VARIANT_ADD(litmus, vmsplice) {
	.provider = "vmsplice", .rung = GET, .skip = "no-vmsplice", .one_access = true,
};

FIXTURE_VARIANT_ADD(litmus, process_vm) {
	.provider = "process_vm", .rung = PIN,
};

FIXTURE_VARIANT_ADD(litmus, io_uring) {
	.provider = "io_uring", .rung = LONGTERM, .skip = "no-io_uring", .one_access = true,
};

FIXTURE_VARIANT_ADD(litmus, xdp) {
	.provider = "xdp", .rung = LONGTERM, .skip = "no-xdp", .one_access = true,
};

FIXTURE_SETUP(litmus)
{
}

FIXTURE_TEARDOWN(litmus)
{
	tool_free(&self->tool);
}

TEST_F_TIMEOUT(litmus, rung, TIMEOUT)
{
	bool told = longterm_can_be_told(variant->one_access) ||
		    (strcmp(variant->rung, PIN) &&
		     strcmp(variant->rung, LONGTERM) &&
		     none_can_be_told(variant->provider));

	ASSERT_EQ(0, TOOL_RUN(&self->tool, "litmus", "--json", variant->provider));
	ASSERT_NE(NULL, self->tool.json) TH_LOG("%s", self->tool.err);
	if (variant->skip && !tool_at(self->tool.json, "measured"))
		SKIP(return, "%s: %s", variant->skip,
		     tool_string(self->tool.json, "why_not"));
	EXPECT_TRUE(right(&self->tool, variant->rung, told))
		TH_LOG("%s", self->tool.out);
	EXPECT_TRUE(between(&self->tool, variant->rung));
}

FIXTURE(real)
{
	struct tool tool;
};

FIXTURE_SETUP(real)
{
}

FIXTURE_TEARDOWN(real)
{
	tool_free(&self->tool);
}

/* The kernel's umem asks for a long-term pin, for whichever device. */
TEST_F_TIMEOUT(real, ibverbs, TIMEOUT)
{
	struct rxe rxe;
	int err = rxe_open(&rxe);

	if (err == -ENODEV)
		SKIP(return, "no-rxe");
	ASSERT_EQ(0, err);
	rxe_close(&rxe);
	ASSERT_EQ(0, TOOL_RUN(&self->tool, "litmus", "ibverbs", "--device",
			      "rxe0", "--json"));
	EXPECT_STREQ("rxe0", tool_string(self->tool.json, "what"));
	EXPECT_TRUE(right(&self->tool, LONGTERM, longterm_can_be_told(false)))
		TH_LOG("%s", self->tool.out);
	EXPECT_TRUE(between(&self->tool, LONGTERM));
}

/* Until v6.2 it wrote, by force, where it was asked to read. */
TEST_F_TIMEOUT(real, ibverbs_writes_if_asked, TIMEOUT)
{
	ASSERT_EQ(0, TOOL_RUN(&self->tool, "litmus", "ibverbs", "--json"));
	EXPECT_STREQ(kernel_at_least(6, 2) ? "if asked" : "always, with FORCE",
		     tool_string(self->tool.json, "write"));
}

TEST_F(real, ibverbs_of_no_such_device)
{
	ASSERT_EQ(0, TOOL_RUN(&self->tool, "litmus", "ibverbs", "--device",
			      "rxe9", "--json"));
	EXPECT_EQ(4, self->tool.code);
	EXPECT_STREQ("no RDMA device rxe9",
		     tool_string(self->tool.json, "why_not"));
}

TEST_F_TIMEOUT(real, vfio, TIMEOUT)
{
	char device[128];
	int err;

	if (!vfio_iommu())
		SKIP(return, "not-this-profile: no IOMMU");
	err = vfio_ready(device, sizeof(device));
	if (err == -ENODEV || err == -ENOENT)
		SKIP(return, "no-vfio");
	ASSERT_EQ(0, err);
	ASSERT_EQ(0, TOOL_RUN(&self->tool, "litmus", "vfio", "--json"));
	EXPECT_TRUE(right(&self->tool, LONGTERM, longterm_can_be_told(false)))
		TH_LOG("%s", self->tool.out);
	EXPECT_TRUE(between(&self->tool, LONGTERM));
}

/* All that have a known rung at once: no piece of evidence speaks against it. */
TEST_F_TIMEOUT(real, self_test, TIMEOUT)
{
	static const char *const always[] = {
		"pinprobe-none", "pinprobe-get", "mlock",
	};
	json_object *one;
	size_t i;

	ASSERT_EQ(0, TOOL_RUN(&self->tool, "litmus", "--self-test", "--json"));
	EXPECT_EQ(0, self->tool.code);
	one = tool_find(self->tool.json, "", "result", "WRONG");
	EXPECT_EQ(NULL, one)
		TH_LOG("%s: %s", tool_string(one, "provider"),
		       tool_string(one, "why_not"));
	for (i = 0; i < sizeof(always) / sizeof(*always); i++) {
		one = tool_find(self->tool.json, "", "provider", always[i]);
		if (none_can_be_told(always[i]))
			EXPECT_STREQ("ok", tool_string(one, "result"))
				TH_LOG("%s", always[i]);
	}
}

TEST_HARNESS_MAIN
