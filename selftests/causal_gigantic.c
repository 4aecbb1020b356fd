// SPDX-License-Identifier: GPL-2.0
/*
 * The cases of the causal matrix for a gigantic page that lies in the CMA area
 * of hugetlb_cma=. The kernel makes no gigantic page for a migration, so that
 * only one that lies free in the pool can be its target: a second cause of
 * ENOMEM, with gigabytes free and nobody holding anything.
 *
 * One test for all of them, in an order in which the page has to be moved once:
 * filling and copying it is what takes the time.
 */
#include <errno.h>
#include "kselftest_harness.h"
#include "lib/device.h"
#include "lib/hugetlb.h"
#include "lib/matrix.h"
#include "lib/migrations.h"
#include "lib/vmstat.h"

#define TEST_NAME	"causal_gigantic.mr.gigantic"
#define GIGANTIC_KB	(HUGETLB_GIGANTIC_SIZE >> 10)

FIXTURE(mr)
{
	struct matrix matrix;
};

FIXTURE_SETUP(mr)
{
	struct matrix *matrix = &self->matrix;
	int err = matrix_open(matrix, TEST_NAME, "A");

	if (err == -ENODEV)
		SKIP(return, "no-rxe");
	ASSERT_EQ(0, err);
	ASSERT_TRUE(look_refs(&matrix->look)) TH_LOG("no /dev/pinprobe");
	err = matrix_place(matrix, BACKING_GIGANTIC, BUFFER_UNPINNABLE);
	if (err == -ENODEV)
		SKIP(return, "no-hugetlb: no gigantic pages on this CPU or kernel");
	ASSERT_EQ(0, err) TH_LOG("saw: %s", matrix->buffer.histogram);
}

FIXTURE_TEARDOWN(mr)
{
	matrix_close(&self->matrix);
}

#define REGISTER()	ASSERT_EQ(0, matrix_register(matrix))

static void next_case(struct matrix *matrix, const char *which)
{
	matrix->which = which;
	matrix->with_holder = 0;
}

static int hold(struct matrix *matrix)
{
	size_t page_size = matrix->buffer.len / matrix->buffer.nr_pages;

	return device_pin(matrix->look.dev,
			  matrix->buffer.addr + matrix->held_page * page_size,
			  page_size, PINPROBE_CALL_PIN_FAST,
			  PINPROBE_PIN_WRITE, NULL);
}

static void expect_stayed(struct __test_metadata *_metadata,
			  struct matrix *matrix)
{
	struct verdict_facts *facts = &matrix->facts;

	ASSERT_EQ(ENOMEM, facts->error);
	EXPECT_EQ(1, facts->before.unpinnable_folios);
	EXPECT_EQ(matrix->buffer.nr_pages, facts->before.unpinnable);
	EXPECT_LT(0, facts->migrate.failed);
	EXPECT_EQ(0, facts->migrate.succeeded);
	EXPECT_EQ(0, facts->change.moved);
	EXPECT_EQ(matrix->before[0].pfn, matrix->after[0].pfn);
	EXPECT_NE(0, matrix->after[0].unpinnable & PINPROBE_UNPINNABLE_CMA);
}

/* More than the CMA areas can hold: one at least lies elsewhere. */
static int make_target(void)
{
	int64_t cma_kb = meminfo_kb("CmaTotal");

	if (cma_kb < 0)
		return cma_kb;
	return hugetlb_pool_set(HUGETLB_GIGANTIC_SIZE,
				cma_kb / GIGANTIC_KB + 1);
}

static void unheld_without_target(struct __test_metadata *_metadata,
				  struct matrix *matrix)
{
	next_case(matrix, "A");
	REGISTER();
	matrix_report(matrix, "none");
	expect_stayed(_metadata, matrix);
	EXPECT_EQ(0, matrix->facts.pool_free);
	EXPECT_EQ(0, matrix->facts.change.stuck_pinned);
	EXPECT_EQ(0, matrix->facts.change.stuck_referenced);
	/* Not for want of memory. */
	EXPECT_LT(matrix->buffer.len, matrix->facts.pinnable_free);
	EXPECT_EQ(VERDICT_TARGET, matrix->verdict.code);
	EXPECT_EQ(0, status_kb(0, "VmPin"));
}

static void held_with_target(struct __test_metadata *_metadata,
			     struct matrix *matrix)
{
	int fd;

	next_case(matrix, "B");
	fd = hold(matrix);
	ASSERT_LE(0, fd);
	REGISTER();
	matrix_report(matrix, "pin");
	expect_stayed(_metadata, matrix);
	EXPECT_LT(0, matrix->facts.pool_free);
	EXPECT_EQ(1, matrix->facts.change.stuck_pinned);
	EXPECT_EQ(VERDICT_REFS, matrix->verdict.code);
	EXPECT_EQ(0, close(fd));
}

static void hold_dropped(struct __test_metadata *_metadata,
			 struct matrix *matrix)
{
	struct verdict_facts *facts = &matrix->facts;

	next_case(matrix, "B'");
	matrix->with_holder = ENOMEM;
	REGISTER();
	matrix_report(matrix, "pin, then dropped");
	ASSERT_EQ(0, facts->error);
	EXPECT_EQ(matrix->buffer.nr_pages, facts->change.moved);
	EXPECT_EQ(matrix->buffer.nr_pages, facts->migrate.succeeded);
	EXPECT_EQ(0, facts->migrate.failed);
	EXPECT_EQ(0, facts->after.unpinnable);
	EXPECT_EQ(0, facts->after.unpinned);
	EXPECT_NE(matrix->before[0].pfn, matrix->after[0].pfn);
	EXPECT_EQ(VERDICT_OK, matrix->verdict.code);
	EXPECT_STREQ("the holder was the cause", matrix->verdict.text);
	EXPECT_EQ(GIGANTIC_KB, status_kb(0, "VmPin"));
	EXPECT_EQ(0, matrix_deregister(matrix, 0));
	EXPECT_EQ(0, status_kb(0, "VmPin"));
}

/* Where it lies now, a hold matters no more. */
static void held_in_place(struct __test_metadata *_metadata,
			  struct matrix *matrix)
{
	struct verdict_facts *facts = &matrix->facts;
	int err, fd;

	next_case(matrix, "D");
	err = matrix_snapshot(matrix, "before", matrix->before, NULL);
	ASSERT_EQ(0, err);
	fd = hold(matrix);
	ASSERT_LE(0, fd);
	REGISTER();
	matrix_report(matrix, "pin");
	ASSERT_EQ(0, facts->error);
	EXPECT_EQ(0, facts->before.unpinnable);
	EXPECT_EQ(0, facts->migrate.calls);
	EXPECT_EQ(0, facts->change.moved);
	EXPECT_EQ(VERDICT_OK, matrix->verdict.code);
	EXPECT_STREQ("nothing to move", matrix->verdict.text);
	EXPECT_EQ(0, matrix_deregister(matrix, 1));
	EXPECT_EQ(0, close(fd));
}

TEST_F_TIMEOUT(mr, gigantic, 600)
{
	struct matrix *matrix = &self->matrix;
	int err;

	unheld_without_target(_metadata, matrix);
	err = make_target();
	if (err == -ENOMEM)
		SKIP(return, "no-memory: no gigantic page outside the CMA area");
	ASSERT_EQ(0, err);
	held_with_target(_metadata, matrix);
	hold_dropped(_metadata, matrix);
	held_in_place(_metadata, matrix);
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
