// SPDX-License-Identifier: GPL-2.0
/* PIN: what each rung of the ladder does to a page, seen from outside. */
#include <errno.h>
#include "kselftest_harness.h"
#include "lib/buffer.h"
#include "lib/device.h"
#include "lib/memory.h"
#include "lib/migrations.h"
#include "lib/vmstat.h"

#define PAGES		16
#define SMALL_PIN_BIAS	1024	/* GUP_PIN_COUNTING_BIAS */
#define RELEASE_MS	2000

/* What a rung is, and what was seen on it. */
struct ladder {
	int dev;
	uint32_t call;
	uint32_t flags;
	struct buffer buffer;
	char *map;
	struct pinprobe_outcome outcome;
	struct vmstat_pins pins;
	struct pinprobe_page before[PAGES];
	struct pinprobe_page snapshot[PAGES];
	struct pinprobe_page held[PAGES];
	struct pinprobe_page now[PAGES];
};

FIXTURE(rung)
{
	struct ladder ladder;
};

FIXTURE_VARIANT(rung)
{
	uint32_t call;
	uint32_t flags;
};

FIXTURE_VARIANT_ADD(rung, get) { PINPROBE_CALL_GET };
FIXTURE_VARIANT_ADD(rung, get_fast) { PINPROBE_CALL_GET_FAST };
FIXTURE_VARIANT_ADD(rung, get_unlocked) { PINPROBE_CALL_GET_UNLOCKED };
FIXTURE_VARIANT_ADD(rung, get_remote) { PINPROBE_CALL_GET_REMOTE };
FIXTURE_VARIANT_ADD(rung, pin) { PINPROBE_CALL_PIN };
FIXTURE_VARIANT_ADD(rung, pin_fast) { PINPROBE_CALL_PIN_FAST };
FIXTURE_VARIANT_ADD(rung, pin_unlocked) { PINPROBE_CALL_PIN_UNLOCKED };
FIXTURE_VARIANT_ADD(rung, pin_remote) { PINPROBE_CALL_PIN_REMOTE };
FIXTURE_VARIANT_ADD(rung, longterm) {
	PINPROBE_CALL_PIN, PINPROBE_PIN_LONGTERM
};
FIXTURE_VARIANT_ADD(rung, longterm_fast) {
	PINPROBE_CALL_PIN_FAST, PINPROBE_PIN_LONGTERM
};
FIXTURE_VARIANT_ADD(rung, longterm_unlocked) {
	PINPROBE_CALL_PIN_UNLOCKED, PINPROBE_PIN_LONGTERM
};
FIXTURE_VARIANT_ADD(rung, longterm_remote) {
	PINPROBE_CALL_PIN_REMOTE, PINPROBE_PIN_LONGTERM
};

/* What this kernel refuses is in abi_pin. */
static bool takes(const struct ladder *ladder, uint64_t features)
{
	return ladder->call != PINPROBE_CALL_PIN_UNLOCKED ||
	       !(ladder->flags & PINPROBE_PIN_LONGTERM) ||
	       features & PINPROBE_FEATURE_UNLOCKED_LONGTERM;
}

FIXTURE_SETUP(rung)
{
	struct ladder *ladder = &self->ladder;
	struct pinprobe_info info;

	ladder->call = variant->call;
	ladder->flags = variant->flags;
	ladder->dev = device_open();
	ASSERT_LE(0, ladder->dev);
	ASSERT_EQ(0, device_info(ladder->dev, &info));
	if (!takes(ladder, info.features))
		SKIP(return, "not-this-kernel: no LONGTERM with pin_user_pages_unlocked()");
	ASSERT_EQ(0, memory_stay());
	ASSERT_EQ(0, migrations_start());
}

FIXTURE_TEARDOWN(rung)
{
	buffer_free(&self->ladder.buffer);
	close(self->ladder.dev);
}

static bool is_longterm(const struct ladder *ladder)
{
	return ladder->flags & PINPROBE_PIN_LONGTERM;
}

static bool is_pin(uint32_t call)
{
	return call >= PINPROBE_CALL_PIN;
}

/*
 * Touched pages, the first of them unpinnable where this guest has such. A
 * guest whose profile promises them fails without.
 */
static char *touched(struct __test_metadata *_metadata, int dev,
		     struct buffer *buffer)
{
	struct look look = { .dev = dev };
	int err = buffer_find(buffer, &look, BACKING_ANON, BUFFER_UNPINNABLE);
	char *map;

	if (err == -ENODATA && promise_unpinnable() == ~0U) {
		map = memory_touched(PAGES * page_size());
	} else {
		ASSERT_EQ(0, err) TH_LOG("saw: %s", buffer->histogram);
		map = buffer->addr;
		memset(map, 1, PAGES * page_size());
	}
	memory_settle();
	return map;
}

static int count_unpinnable(const struct pinprobe_page *pages)
{
	int i, nr = 0;

	for (i = 0; i < PAGES; i++)
		nr += !!pages[i].unpinnable;
	return nr;
}

/* Pages pinned and released in the whole system since set-up. */
static void expect_pins(struct __test_metadata *_metadata,
			const struct vmstat_pins *since, int64_t acquired,
			int64_t released)
{
	int64_t deadline = now_ms() + RELEASE_MS;
	struct vmstat_pins pins;

	do {
		ASSERT_EQ(0, vmstat_pins(&pins));
		if (pins.released - since->released >= released)
			break;
		usleep(1000);
	} while (now_ms() < deadline);
	EXPECT_EQ(acquired, pins.acquired - since->acquired);
	EXPECT_EQ(released, pins.released - since->released);
}

static void expect_outcome(struct __test_metadata *_metadata,
			   const struct pinprobe_outcome *outcome)
{
	EXPECT_EQ(0, outcome->error);
	EXPECT_EQ(PINPROBE_STAGE_DONE, outcome->stage);
	EXPECT_LE(1, outcome->calls);
	EXPECT_EQ(PAGES, outcome->nr_pages);
	EXPECT_EQ(PAGES, outcome->nr_pinned);
	EXPECT_EQ(0, outcome->fail_addr);
	EXPECT_EQ(0, outcome->failed);
	EXPECT_LT(0, outcome->duration_ns);
	EXPECT_NE(0, outcome->flags & PINPROBE_OUTCOME_SNAPSHOT);
	EXPECT_EQ(PAGES, outcome->moved + outcome->stayed + outcome->absent);
}

/*
 * What the module says it counted, what the kernel's event says, and what the
 * PFNs say must be one number.
 */
static void expect_moved(struct __test_metadata *_metadata,
			 const struct pinprobe_outcome *outcome, int moved)
{
	const struct pinprobe_migrate *counted =
		&outcome->migrate[PINPROBE_REASON_LONGTERM_PIN];
	struct migrations seen;

	ASSERT_EQ(0, migrations_read(&seen));
	EXPECT_NE(0, outcome->flags & PINPROBE_OUTCOME_MIGRATE);
	EXPECT_EQ(moved, outcome->moved);
	EXPECT_EQ(moved, seen.sums.succeeded);
	EXPECT_EQ(moved, counted->succeeded);
	EXPECT_EQ(seen.sums.calls, counted->calls);
	EXPECT_EQ(moved > 0, seen.sums.calls > 0);
	EXPECT_EQ(seen.sums.failed, counted->failed);
}

static int take(struct ladder *ladder, const char *addr, int nr, uint32_t write)
{
	return device_pin(ladder->dev, addr, nr * page_size(), ladder->call,
			  ladder->flags | PINPROBE_PIN_SNAPSHOT | write,
			  &ladder->outcome);
}

#define LOOK(pages)							\
	ASSERT_EQ(PAGES, device_resolve(ladder->dev, 0, ladder->map,	\
					PAGES * page_size(), 0, pages,	\
					PAGES, NULL))

#define PIN_PAGES(when, pages)						\
	ASSERT_EQ(PAGES, pin_pages(fd, when, 0, 0, pages, PAGES, NULL))

/* One page of the pin, against what it was before. */
static void expect_page(struct __test_metadata *_metadata,
			const struct ladder *ladder, int i)
{
	const struct pinprobe_page *before = &ladder->before[i];
	const struct pinprobe_page *held = &ladder->held[i];
	bool pin = is_pin(ladder->call);

	EXPECT_EQ(before->pfn, ladder->snapshot[i].pfn);
	EXPECT_EQ(before->unpinnable, ladder->snapshot[i].unpinnable);
	EXPECT_EQ(ladder->now[i].pfn, held->pfn);
	EXPECT_EQ(is_longterm(ladder) && before->unpinnable,
		  held->pfn != before->pfn);
	EXPECT_EQ(is_longterm(ladder) ? 0 : before->unpinnable,
		  held->unpinnable);
	EXPECT_EQ((uintptr_t)ladder->map + i * page_size(), held->addr);
	EXPECT_EQ(1, held->refs_expected);
	EXPECT_EQ(1 + (pin ? SMALL_PIN_BIAS : 1), held->refs);
	EXPECT_EQ(pin, held->pins);
	EXPECT_EQ(pin, !!(held->flags & PINPROBE_PAGE_MAYBE_PINNED));
}

static void hold_touched(struct __test_metadata *_metadata,
			 struct ladder *ladder, uint32_t write)
{
	int pinned = is_pin(ladder->call) ? PAGES : 0, dropped, moves, fd, i;

	ladder->map = touched(_metadata, ladder->dev, &ladder->buffer);
	LOOK(ladder->before);
	moves = is_longterm(ladder) ? count_unpinnable(ladder->before) : 0;
	/* The gate pins all of a batch, lets go, migrates, and pins again. */
	dropped = moves ? PAGES : 0;
	ASSERT_EQ(0, vmstat_pins(&ladder->pins));
	ASSERT_EQ(0, migrations_clear());
	fd = take(ladder, ladder->map, PAGES, write);
	ASSERT_LE(0, fd);
	expect_outcome(_metadata, &ladder->outcome);
	expect_moved(_metadata, &ladder->outcome, moves);
	EXPECT_EQ(0, ladder->outcome.absent);

	/* Where pages were moved to they pass through a batch again. */
	memory_settle();
	PIN_PAGES(PINPROBE_WHEN_BEFORE, ladder->snapshot);
	PIN_PAGES(PINPROBE_WHEN_HELD, ladder->held);
	PIN_PAGES(PINPROBE_WHEN_NOW, ladder->now);
	for (i = 0; i < PAGES; i++)
		expect_page(_metadata, ladder, i);
	EXPECT_EQ(PAGES * page_size() >> 10, status_kb(0, "VmPin"));
	expect_pins(_metadata, &ladder->pins, pinned + dropped, dropped);

	EXPECT_EQ(0, close(fd));
	EXPECT_EQ(0, status_kb(0, "VmPin"));
	expect_pins(_metadata, &ladder->pins, pinned + dropped,
		    pinned + dropped);
	LOOK(ladder->now);
	for (i = 0; i < PAGES; i++) {
		EXPECT_EQ(ladder->held[i].pfn, ladder->now[i].pfn);
		EXPECT_EQ(1, ladder->now[i].refs);
	}
}

TEST_F(rung, write)
{
	hold_touched(_metadata, &self->ladder, PINPROBE_PIN_WRITE);
}

TEST_F(rung, read)
{
	hold_touched(_metadata, &self->ladder, 0);
}

/* Untouched pages come to be where the contract wants them. */
TEST_F(rung, untouched)
{
	struct ladder *ladder = &self->ladder;
	int fd, i;

	ladder->map = memory_map(PAGES * page_size());
	ASSERT_NE(NULL, ladder->map);
	ASSERT_EQ(0, migrations_clear());
	fd = take(ladder, ladder->map, PAGES, PINPROBE_PIN_WRITE);
	ASSERT_LE(0, fd);
	expect_outcome(_metadata, &ladder->outcome);
	expect_moved(_metadata, &ladder->outcome, 0);
	EXPECT_EQ(PAGES, ladder->outcome.absent);
	EXPECT_EQ(PAGES, ladder->outcome.faults);
	PIN_PAGES(PINPROBE_WHEN_BEFORE, ladder->before);
	PIN_PAGES(PINPROBE_WHEN_HELD, ladder->held);
	for (i = 0; i < PAGES; i++) {
		EXPECT_EQ(PINPROBE_STATE_ABSENT, ladder->before[i].state);
		EXPECT_EQ(PINPROBE_STATE_PRESENT, ladder->held[i].state);
	}
	if (is_longterm(ladder))
		ASSERT_EQ(0, count_unpinnable(ladder->held));
	EXPECT_EQ(0, close(fd));
}

/* One page of a large folio: one reference, and one pin if it is a pin. */
TEST_F(rung, thp)
{
	struct ladder *ladder = &self->ladder;
	struct look look = { .dev = ladder->dev };
	bool longterm = is_longterm(ladder);
	struct pinprobe_page held, before;
	char *addr;
	int fd, err;

	err = buffer_find(&ladder->buffer, &look, BACKING_THP,
			  BUFFER_UNPINNABLE);
	if (err == -ENODATA && promise_unpinnable() == ~0U)
		SKIP(return, "not-this-profile: no unpinnable memory");
	ASSERT_EQ(0, err) TH_LOG("saw: %s", ladder->buffer.histogram);
	addr = ladder->buffer.addr + 7 * page_size();
	ASSERT_EQ(0, device_resolve_one(ladder->dev, addr, &before));
	fd = take(ladder, addr, 1, PINPROBE_PIN_WRITE);
	ASSERT_LE(0, fd);
	ASSERT_EQ(1, pin_pages(fd, PINPROBE_WHEN_HELD, 0, 0, &held, 1, NULL));
	EXPECT_EQ(9, held.order);
	EXPECT_EQ(before.refs_expected + 1, held.refs);
	EXPECT_EQ(is_pin(ladder->call), held.pins);
	EXPECT_EQ(longterm, held.pfn != before.pfn);
	EXPECT_EQ(longterm, ladder->outcome.moved);
	EXPECT_EQ(!longterm, !!held.unpinnable);
	EXPECT_EQ(longterm,
		  ladder->outcome.migrate[PINPROBE_REASON_LONGTERM_PIN]
			.thp_succeeded);
	EXPECT_EQ(0, close(fd));
	ASSERT_EQ(0, device_resolve_one(ladder->dev, addr, &held));
	EXPECT_EQ(0, held.pins);
	EXPECT_EQ(held.refs_expected, held.refs);
}

int main(int argc, char **argv)
{
	int ret;

	/* A test that cannot count finds out and says so. */
	migrations_start();
	ret = test_harness_run(argc, argv);
	migrations_stop();
	return ret;
}
