// SPDX-License-Identifier: GPL-2.0
/*
 * Case B with a true FOLL_PIN and without our module as the holder:
 * process_vm_readv() pins the pages it reads from while it copies, and the copy
 * sleeps on a page of the destination that userfaultfd withholds. Runs with or
 * without /dev/pinprobe, which is only looked through.
 */
#include <errno.h>
#include <pthread.h>
#include <sys/uio.h>
#include "kselftest_harness.h"
#include "lib/fault_trap.h"
#include "lib/matrix.h"
#include "lib/migrations.h"

#define WAIT_MS	5000

struct copy {
	pthread_t thread;
	char *from;
	char *to;
	size_t len;
	ssize_t copied;
};

/* A thread, not a process: a fork would give the registration other pages. */
static void *copy_thread(void *arg)
{
	struct copy *copy = arg;
	struct iovec local = { .iov_base = copy->to, .iov_len = copy->len };
	struct iovec remote = { .iov_base = copy->from, .iov_len = copy->len };

	copy->copied = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
	return NULL;
}

FIXTURE(copy)
{
	struct matrix matrix;
	struct fault_trap trap;
	struct copy copy;
	char test[96];
};

FIXTURE_SETUP(copy)
{
	struct matrix *matrix = &self->matrix;
	struct copy *copy = &self->copy;
	int err;

	self->trap.fd = -1;
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

	copy->len = matrix->buffer.len;
	copy->from = matrix->buffer.addr;
	copy->to = mmap(NULL, copy->len, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, copy->to);
	err = fault_trap_set(&self->trap, copy->to, copy->len);
	if (err == -EOPNOTSUPP)
		SKIP(return, "no-userfaultfd");
	ASSERT_EQ(0, err);
	ASSERT_EQ(0, pthread_create(&copy->thread, NULL, copy_thread, copy));
	ASSERT_EQ(0, fault_trap_wait(&self->trap, WAIT_MS));
}

FIXTURE_TEARDOWN(copy)
{
	fault_trap_free(&self->trap);
	matrix_close(&self->matrix);
}

static void let_go(struct __test_metadata *_metadata, struct fault_trap *trap,
		   struct copy *copy)
{
	ASSERT_EQ(0, fault_trap_fill(trap, copy->to));
	ASSERT_EQ(0, pthread_join(copy->thread, NULL));
	EXPECT_EQ(copy->len, copy->copied);
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
	let_go(_metadata, &self->trap, &self->copy);
}

TEST_F(copy, finished_b)
{
	struct matrix *matrix = &self->matrix;

	matrix->aside = true;
	ASSERT_EQ(0, matrix_register(matrix));
	expect_refused(_metadata, matrix);
	matrix->aside = false;
	matrix->with_holder = matrix->facts.error;
	let_go(_metadata, &self->trap, &self->copy);
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
