// SPDX-License-Identifier: GPL-2.0
/*
 * Case B without our module as the holder: a page that lies in an unread pipe
 * cannot move, and the registration that needs it to fails. Runs with or
 * without /dev/pinprobe, which is only looked through.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include "kselftest_harness.h"
#include "lib/matrix.h"
#include "lib/migrations.h"

FIXTURE(pipe)
{
	struct matrix matrix;
	char test[96];
	int pipe[2];
};

FIXTURE_SETUP(pipe)
{
	struct matrix *matrix = &self->matrix;
	struct iovec iov;
	int err;

	snprintf(self->test, sizeof(self->test), "control_vmsplice.pipe.%s",
		 _metadata->name);
	err = matrix_open(matrix, self->test,
			  strcmp(_metadata->name, "drained_b") ? "B" : "B'");
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
	ASSERT_EQ(0, pipe2(self->pipe, O_CLOEXEC));
	iov.iov_base = matrix->buffer.addr;
	iov.iov_len = matrix->buffer.len;
	ASSERT_EQ(iov.iov_len, vmsplice(self->pipe[1], &iov, 1, 0));
}

FIXTURE_TEARDOWN(pipe)
{
	matrix_close(&self->matrix);
	close(self->pipe[0]);
	close(self->pipe[1]);
}

static void drain(struct __test_metadata *_metadata, int fd, size_t len)
{
	char *copy = malloc(len);

	ASSERT_NE(NULL, copy);
	ASSERT_EQ(len, read(fd, copy, len));
	free(copy);
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
	EXPECT_EQ(0, matrix->after->pins);
	EXPECT_LT(matrix->after->refs_expected, matrix->after->refs);
	EXPECT_EQ(VERDICT_REFS, matrix->verdict.code);
	EXPECT_STREQ("held by a plain reference, 1 of 1 folio failed to migrate",
		     matrix->verdict.text);
}

TEST_F(pipe, held_b)
{
	struct matrix *matrix = &self->matrix;

	ASSERT_EQ(0, matrix_register(matrix));
	matrix_report(matrix, "vmsplice");
	expect_refused(_metadata, matrix);
	matrix->aside = true;
	ASSERT_EQ(0, matrix_register(matrix));
	expect_refused(_metadata, matrix);
}

TEST_F(pipe, drained_b)
{
	struct matrix *matrix = &self->matrix;

	matrix->aside = true;
	ASSERT_EQ(0, matrix_register(matrix));
	expect_refused(_metadata, matrix);
	matrix->aside = false;
	matrix->with_holder = matrix->facts.error;
	drain(_metadata, self->pipe[0], matrix->buffer.len);
	ASSERT_EQ(0, matrix_register(matrix));
	matrix_report(matrix, "vmsplice, drained");

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
