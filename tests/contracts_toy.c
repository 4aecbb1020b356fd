// SPDX-License-Identifier: GPL-2.0
#include "contracts_toy.h"
#include "unit.h"
#include "../selftests/contracts/coverage.c"
#include "../selftests/contracts/rows.c"
#include "../selftests/contracts/rules.c"

static const struct backing anon = {
	.name = "anon", .what = "private anonymous memory",
	.kind = BACKING_OF_ANON,
};

static const struct backing memfd = {
	.name = "memfd", .what = "memfd, mapped shared",
	.kind = BACKING_OF_SHMEM,
};

static const struct backing ext4_private = {
	.name = "ext4_private", .what = "a file of ext4, mapped private",
	.kind = BACKING_OF_FILE,
};

static const struct backing ext4_shared = {
	.name = "ext4_shared", .what = "a file of ext4, mapped shared",
	.kind = BACKING_OF_FILE,
};

const struct backing *const backings[] = {
	&anon, &memfd, &ext4_private, &ext4_shared, NULL
};

static int not_here(struct world *world)
{
	(void)world;
	return ROW_SKIP;
}

static const struct placement ordinary = {
	.name = "ordinary", .what = "memory where a long-term pin may stay",
};

static const struct placement cma = {
	.name = "cma", .what = "a MIGRATE_CMA pageblock",
	.unpinnable = PINPROBE_UNPINNABLE_CMA,
};

static const struct placement movable = {
	.name = "movable", .what = "ZONE_MOVABLE",
	.unpinnable = PINPROBE_UNPINNABLE_MOVABLE, .here = not_here,
};

const struct placement *const placements[] = {
	&ordinary, &cma, &movable, NULL
};

static const struct hold none = {
	.name = "none", .what = "nothing", .kind = HOLD_NOTHING,
};

static const struct hold pin = {
	.name = "pin", .what = "pin_user_pages_fast(), still held",
	.kind = HOLD_FOLL_PIN,
};

static const struct hold longterm = {
	.name = "longterm", .what = "the same with FOLL_LONGTERM",
	.kind = HOLD_LONGTERM_PIN,
};

const struct hold *holds[HOLDS_ROOM] = { &none, &pin, &longterm, NULL };

static const struct consumer pin_fast = {
	.name = "pin_fast", .what = "pin_user_pages_fast()",
	.kind = CONSUMES_SHORT, .access = ACCESS_READ | ACCESS_WRITE,
};

static const struct consumer pin_fast_longterm = {
	.name = "pin_fast_longterm",
	.what = "pin_user_pages_fast() with FOLL_LONGTERM",
	.kind = CONSUMES_LONGTERM, .access = ACCESS_READ | ACCESS_WRITE,
};

static const struct consumer rxe_mr = {
	.name = "rxe_mr", .what = "ibv_reg_mr() on Soft-RoCE",
	.kind = CONSUMES_LONGTERM, .access = ACCESS_READ | ACCESS_WRITE,
};

static const struct consumer offline = {
	.name = "offline", .what = "a memory block taken offline",
	.kind = CONSUMES_PLACE, .access = ACCESS_READ,
};

const struct consumer *consumers[CONSUMERS_ROOM] = {
	&pin_fast, &pin_fast_longterm, &rxe_mr, &offline, NULL
};

int row_skip(struct world *world, const char *format, ...)
{
	(void)world;
	(void)format;
	return ROW_SKIP;
}

#define TOY_EXPECT							\
	"offline	*	*	*	pin	*	REFS	EBUSY	stays	-\n" \
	"offline	*	*	*	*	*	OK	ok	moves	-\n" \
	"pin_fast	*	*	*	*	*	OK	ok	stays	-\n" \
	"*	write	ext4_shared *	*	6.5-	PERM	EFAULT	stays	ext4_write\n" \
	"*	*	*	ordinary *	*	OK	ok	stays	-\n" \
	"*	*	*	*	longterm,longterm.dropped * OK ok	stays	-\n" \
	"*	*	*	*	none	*	OK	ok	moves	-\n" \
	"*	*	*	*	pin	*	REFS	ENOMEM	stays	-\n"

#define TOY_CHANGES							\
	"ext4_write 0123456789ab v6.5 mm: no such pins any more\n"

#define TOY_PLAN							\
	"offline  *	*	ordinary *	nobody wants it\n"	\
	"pin_fast *	*	*	none	run\n"			\
	"pin_fast *	*	*	*	holds do not matter to it\n" \
	"*	*	*	*	*	run\n"

/* The tables are const for the program; their text is the test's to set. */
static char expect_text[4096] = TOY_EXPECT;
static char changes_text[1024] = TOY_CHANGES;
static char plan_text[32768] = TOY_PLAN;

const struct tables contract_tables = {
	expect_text, changes_text, plan_text,
};

static void set(char *to, size_t room, const char *text)
{
	if (!text)
		return;
	CHECK(strlen(text) < room);
	memcpy(to, text, strlen(text) + 1);
}

void toy_tables(const char *expect, const char *changes, const char *plan)
{
	set(expect_text, sizeof(expect_text), expect);
	set(changes_text, sizeof(changes_text), changes);
	set(plan_text, sizeof(plan_text), plan);
}
