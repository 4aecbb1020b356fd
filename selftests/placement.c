// SPDX-License-Identifier: GPL-2.0
/*
 * Where the page allocator puts movable memory as it fills up: faults it in
 * step by step, and records after each how much of the step lies in CMA, in
 * ZONE_MOVABLE or elsewhere, and what was left free.
 */
#include <errno.h>
#include <sys/mman.h>
#include "kselftest_harness.h"
#include "lib/buffer.h"
#include "lib/device.h"
#include "lib/record.h"
#include "lib/vmstat.h"
#include "lib/zones.h"

/*
 * Steps that the guest's memory is divided into, rounded up to whole GiB; of a
 * large guest so much of it.
 */
#define STEPS		32
#define GIB		(1ULL << 30)
#define MOST		(4 * GIB)
/* What the kernel and this program are left with. */
#define SPARE_KB	(64 << 10)
#define SPARE_ORDINARY_KB	(40 << 10)
/* Each look takes as much memory, whatever the size of the step. */
#define RECORDS		1024

struct placement {
	int dev;
	size_t page_size;
	char *map;
	size_t len;
	size_t step_len;
	size_t touched;			/* bytes */
	struct zones zones;
	uint64_t cma, movable, ordinary, absent;	/* pages of a step */
};

static uint64_t step_size(void)
{
	uint64_t total = (uint64_t)meminfo_kb("MemTotal") << 10;

	total = (total + GIB - 1) / GIB * GIB;
	return (total < MOST ? total : MOST) / STEPS;
}

static void count(struct placement *p, const struct pinprobe_page *page)
{
	uint64_t nr = page->nr_pages;

	if (page->state != PINPROBE_STATE_PRESENT)
		p->absent += nr;
	else if (page->unpinnable & PINPROBE_UNPINNABLE_CMA)
		p->cma += nr;
	else if (page->unpinnable & PINPROBE_UNPINNABLE_MOVABLE)
		p->movable += nr;
	else
		p->ordinary += nr;
}

static int look_at(struct placement *p, const char *at, size_t len)
{
	static struct pinprobe_page records[RECORDS];
	const char *end = at + len;
	uint64_t next;
	int nr, i;

	p->cma = 0;
	p->movable = 0;
	p->ordinary = 0;
	p->absent = 0;
	for (; at < end; at = (const char *)(uintptr_t)next) {
		nr = device_resolve(p->dev, 0, at, end - at,
				    PINPROBE_RESOLVE_RUNS, records, RECORDS,
				    &next);
		if (nr < 0)
			return nr;
		for (i = 0; i < nr; i++)
			count(p, &records[i]);
	}
	return 0;
}

static int report(struct placement *p, unsigned int step)
{
	struct zones_free now;
	int err = zones_free(&p->zones, &now);

	if (err)
		return err;
	record_write("\"type\":\"placement\",\"class\":\"%s\",\"step\":%u,\"touched_kb\":%zu,\"pages\":%ju,\"cma\":%ju,\"movable\":%ju,\"ordinary\":%ju,\"mem_free_kb\":%jd,\"cma_free_kb\":%jd,\"zones_free_kb\":%ju,\"class_free_kb\":%ju",
		     p->zones.movable ? "movable" : "cma", step,
		     p->touched >> 10,
		     (uintmax_t)(p->cma + p->movable + p->ordinary),
		     (uintmax_t)p->cma, (uintmax_t)p->movable,
		     (uintmax_t)p->ordinary, (intmax_t)meminfo_kb("MemFree"),
		     (intmax_t)meminfo_kb("CmaFree"), (uintmax_t)now.free_kb,
		     (uintmax_t)now.class_kb);
	return 0;
}

/* Whether a step more would leave the kernel enough to go on. */
static bool room(const struct placement *p)
{
	struct zones_free now;
	int64_t available = meminfo_kb("MemAvailable");

	if (p->touched + p->step_len > p->len || zones_free(&p->zones, &now))
		return false;
	return available >= (int64_t)(p->step_len >> 10) + SPARE_KB &&
	       now.ordinary_kb >= SPARE_ORDINARY_KB;
}

static void touch(const struct placement *p)
{
	char *step = p->map + p->touched;

	for (size_t i = 0; i < p->step_len; i += p->page_size)
		step[i] = 1;
}

FIXTURE(placement)
{
	struct placement p;
};

FIXTURE_SETUP(placement)
{
	struct placement *p = &self->p;

	p->dev = device_open();
	ASSERT_LE(0, p->dev);
	p->page_size = sysconf(_SC_PAGESIZE);
	p->step_len = step_size();
	p->len = p->step_len * STEPS;
	p->map = mmap(NULL, p->len, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	ASSERT_NE(MAP_FAILED, p->map);
	ASSERT_EQ(0, madvise(p->map, p->len, MADV_NOHUGEPAGE));
	ASSERT_EQ(0, zones_find(&p->zones, promise_made("movable")));
}

FIXTURE_TEARDOWN(placement)
{
	munmap(self->p.map, self->p.len);
	close(self->p.dev);
}

TEST_F_TIMEOUT(placement, fill, 1200)
{
	struct placement *p = &self->p;
	uint64_t cma = 0, movable = 0;
	unsigned int step = 0;

	ASSERT_EQ(0, report(p, 0));
	while (room(p)) {
		touch(p);
		ASSERT_EQ(0, look_at(p, p->map + p->touched, p->step_len));
		p->touched += p->step_len;
		/* What is not there lies nowhere: a share of it means nothing. */
		ASSERT_EQ(0, p->absent);
		ASSERT_EQ(p->step_len / p->page_size,
			  p->cma + p->movable + p->ordinary);
		ASSERT_EQ(0, report(p, ++step));
		cma += p->cma;
		movable += p->movable;
	}
	TH_LOG("%u steps of %zu MiB: %ju pages in CMA, %ju in ZONE_MOVABLE",
	       step, p->step_len >> 20, (uintmax_t)cma, (uintmax_t)movable);
	/* Most of memory, so that the policy has met all there is to choose. */
	ASSERT_LE(STEPS / 2, step);
	EXPECT_EQ(promise_made("cma"), cma > 0);
	EXPECT_EQ(promise_made("movable"), movable > 0);
}

TEST_HARNESS_MAIN
