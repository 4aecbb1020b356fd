// SPDX-License-Identifier: GPL-2.0
/*
 * Case B with a true FOLL_PIN and without our module as the holder:
 * process_vm_readv() pins the pages it reads from while it copies, and the copy
 * sleeps on a page of the destination that userfaultfd withholds. Runs with or
 * without /dev/pinprobe, which is only looked through.
 */
#include <errno.h>
#include "kselftest_harness.h"
#include "lib/matrix.h"
#include "lib/migrations.h"
#include "lib/stalled_copy.h"

FIXTURE(copy)
{
	struct matrix matrix;
	struct stalled_copy copy;
	char test[96];
};

FIXTURE_SETUP(copy)
{
	struct matrix *matrix = &self->matrix;
	int err;

	self->copy.trap.fd = -1;
	snprintf(self->test, sizeof(self->test), "control_process_vm.copy.%s",
		 _metadata->name);
	err = matrix_open(matrix, self->test,
			  strcmp(_metadata->name, "finished_b") ? "B" : "B'");
	if (err == -ENODEV)
		SKIP(return, "no-rxe");
	ASSERT_EQ(0, err);
	err = matrix_place(matrix, BACKING_ANON, BUFFER_UNPINNABLE);
	if (err == -ENODATA) {
		TH_LOG("saw: %s", matrix->buffer.histogram);
		if (promise_unpinnable() == ~0U)
			SKIP(return, "not-this-profile: no unpinnable memory");
	}
	ASSERT_EQ(0, err);

	err = stalled_copy_start(&self->copy, matrix->buffer.addr,
				 matrix->buffer.len);
	if (err == -EOPNOTSUPP)
		SKIP(return, "no-userfaultfd");
	ASSERT_EQ(0, err);
}

FIXTURE_TEARDOWN(copy)
{
	stalled_copy_free(&self->copy);
	matrix_close(&self->matrix);
}

static void let_go(struct __test_metadata *_metadata,
		   struct stalled_copy *copy)
{
	ASSERT_EQ(0, stalled_copy_end(copy));
	EXPECT_EQ(0, memcmp(copy->from, copy->to, copy->len));
}

/* What is true with and without the module. */
static void expect_refused(struct __test_metadata *_metadata,
			   struct matrix *matrix)
{
	struct verdict_facts *facts = &matrix->facts;

	ASSERT_EQ(ENOMEM, facts->error);
	EXPECT_EQ(matrix->before->pfn, matrix->after->pfn);
	EXPECT_NE(0, matrix->after->unpinnable & promise_unpinnable());
	EXPECT_LT(0, facts->migrate.calls);
	EXPECT_LT(0, facts->migrate.failed);
	EXPECT_EQ(0, facts->migrate.succeeded);
	if (!look_refs(&matrix->look))
		return;
	EXPECT_EQ(1, matrix->found->pins);
	EXPECT_EQ(1, matrix->after->pins);
	EXPECT_EQ(VERDICT_REFS, matrix->verdict.code);
	EXPECT_STREQ("held by a FOLL_PIN, 1 of 1 folio failed to migrate",
		     matrix->verdict.text);
}

TEST_F(copy, stalled_b)
{
	struct matrix *matrix = &self->matrix;

	ASSERT_EQ(0, matrix_register(matrix));
	matrix_report(matrix, "process_vm_readv");
	expect_refused(_metadata, matrix);
	matrix->aside = true;
	ASSERT_EQ(0, matrix_register(matrix));
	expect_refused(_metadata, matrix);
	let_go(_metadata, &self->copy);
}

TEST_F(copy, finished_b)
{
	struct matrix *matrix = &self->matrix;

	matrix->aside = true;
	ASSERT_EQ(0, matrix_register(matrix));
	expect_refused(_metadata, matrix);
	matrix->aside = false;
	matrix->with_holder = matrix->facts.error;
	let_go(_metadata, &self->copy);
	ASSERT_EQ(0, matrix_register(matrix));
	matrix_report(matrix, "process_vm, ended");

	ASSERT_EQ(0, matrix->facts.error);
	EXPECT_EQ(matrix->before->pfn, matrix->found->pfn);
	EXPECT_NE(matrix->before->pfn, matrix->after->pfn);
	EXPECT_EQ(0, matrix->after->unpinnable);
	EXPECT_EQ(1, matrix->facts.migrate.succeeded);
	EXPECT_EQ(VERDICT_OK, matrix->verdict.code);
	EXPECT_STREQ("the holder was the cause", matrix->verdict.text);
	EXPECT_EQ(0, matrix_deregister(matrix, 0));
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
