// SPDX-License-Identifier: GPL-2.0
/*
 * The four cases, through a real consumer: does an earlier hold on a page
 * decide whether ibv_reg_mr() can make it long-term pinnable?
 */
#include <errno.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include "kselftest_harness.h"
#include "lib/device.h"
#include "lib/matrix.h"
#include "lib/migrations.h"
#include "lib/vmstat.h"

#define HOLD_PIN	PINPROBE_PIN_WRITE
#define HOLD_LONGTERM	(PINPROBE_PIN_WRITE | PINPROBE_PIN_LONGTERM)

/* v6.1 fails to move a hugetlb page for a long-term pin, and warns. */
static bool moves_hugetlb(void)
{
	struct utsname name;

	return uname(&name) || strncmp(name.release, "6.1.", 4);
}

/*
 * True if the buffer is there. A guest of a profile that promises unpinnable
 * memory fails without; nothing here passes without having run on it.
 */
static bool place(struct __test_metadata *_metadata, struct matrix *matrix,
		  enum backing backing, enum buffer_want want)
{
	int err;

	if (backing == BACKING_HUGETLB && !moves_hugetlb())
		SKIP(return false, "not-this-kernel: hugetlb pages do not move for a long-term pin");
	err = matrix_place(matrix, backing, want);
	if ((err == -ENODEV || err == -ENOMEM) && backing == BACKING_HUGETLB)
		SKIP(return false, "no-hugetlb: the pool cannot be filled");
	if (err == -ENODATA) {
		TH_LOG("wanted %s %s memory, saw: %s", backing_name(backing),
		       want == BUFFER_ORDINARY ? "ordinary" : "unpinnable",
		       matrix->buffer.histogram);
		if (want == BUFFER_UNPINNABLE &&
		    promise_unpinnable() == ~0U)
			SKIP(return false, "not-this-profile: no unpinnable memory");
	}
	ASSERT_EQ(0, err);
	return true;
}

static bool begin(struct __test_metadata *_metadata, struct matrix *matrix,
		  const char *test, const char *which)
{
	int err = matrix_open(matrix, test, which);

	if (err == -ENODEV)
		SKIP(return false, "no-rxe");
	ASSERT_EQ(0, err);
	/* A case without its reference counts proves nothing about a holder. */
	ASSERT_TRUE(look_refs(&matrix->look)) TH_LOG("no /dev/pinprobe");
	return true;
}

static int hold(struct matrix *matrix, size_t first, size_t nr, uint32_t flags)
{
	size_t page_size = matrix->buffer.len / matrix->buffer.nr_pages;

	return device_pin(matrix->look.dev,
			  matrix->buffer.addr + first * page_size,
			  nr * page_size, PINPROBE_CALL_PIN_FAST, flags, NULL);
}

FIXTURE(mr)
{
	struct matrix matrix;
	char test[96];
};

FIXTURE_VARIANT(mr)
{
	enum backing backing;
};

FIXTURE_VARIANT_ADD(mr, anon) { .backing = BACKING_ANON };
FIXTURE_VARIANT_ADD(mr, thp) { .backing = BACKING_THP };
FIXTURE_VARIANT_ADD(mr, range) { .backing = BACKING_RANGE };
FIXTURE_VARIANT_ADD(mr, hugetlb) { .backing = BACKING_HUGETLB };

FIXTURE_SETUP(mr)
{
	snprintf(self->test, sizeof(self->test), "causal_matrix.mr.%s.%s",
		 backing_name(variant->backing), _metadata->name);
}

FIXTURE_TEARDOWN(mr)
{
	matrix_close(&self->matrix);
}

static bool set(struct __test_metadata *_metadata, struct matrix *matrix,
		const char *test, const char *which, enum backing backing,
		enum buffer_want want)
{
	return begin(_metadata, matrix, test, which) &&
	       place(_metadata, matrix, backing, want);
}

#define SET(which, want)						\
	set(_metadata, &self->matrix, self->test, which,		\
	    variant->backing, want)

#define REGISTER()	ASSERT_EQ(0, matrix_register(&self->matrix))

/*
 * What nobody holds may be held for a moment all the same. Three times in a row
 * it is not by chance.
 */
#define TRIES	3

/* Whether @matrix was refused for a reference that was gone again at once. */
static bool in_passing(struct __test_metadata *_metadata,
		       const struct matrix *matrix)
{
	const struct verdict_facts *facts = &matrix->facts;

	if (facts->error)
		TH_LOG("%s: %s, %s; migrations: %ju calls, %ju pages moved, %ju not, of the last %ju",
		       matrix->which, verdict_name(matrix->verdict.code),
		       matrix->verdict.text, (uintmax_t)facts->migrate.calls,
		       (uintmax_t)facts->migrate.succeeded,
		       (uintmax_t)facts->migrate.failed,
		       (uintmax_t)facts->last_failed);
	return verdict_passing(facts);
}

/* For pages that nobody holds any more, refused before or not. */
static void register_free(struct __test_metadata *_metadata,
			  struct matrix *matrix)
{
	int try = 0;

	do {
		ASSERT_EQ(0, matrix_register(matrix));
	} while (in_passing(_metadata, matrix) && ++try < TRIES);
}

TEST_F(mr, unheld_a)
{
	struct matrix *matrix = &self->matrix;
	struct verdict_facts *facts = &matrix->facts;
	int try = 0;

	/* Other pages each time: the first registration of any has to succeed. */
	for (;;) {
		if (!SET("A", BUFFER_UNPINNABLE))
			return;
		EXPECT_EQ(0, status_kb(0, "VmPin"));
		REGISTER();
		if (!in_passing(_metadata, matrix) || ++try == TRIES)
			break;
		matrix_close(matrix);
	}
	matrix_report(matrix, "none");

	ASSERT_EQ(0, facts->error);
	EXPECT_LT(0, facts->before.unpinnable);
	EXPECT_EQ(facts->before.unpinnable, facts->change.moved);
	EXPECT_EQ(facts->before.unpinnable, facts->migrate.succeeded);
	EXPECT_EQ(0, facts->migrate.failed);
	EXPECT_EQ(0, facts->after.unpinnable);
	EXPECT_EQ(0, facts->after.unpinned);
	EXPECT_EQ(VERDICT_OK, matrix->verdict.code);
	EXPECT_STREQ("moved out, then pinned", matrix->verdict.text);

	EXPECT_EQ(matrix->buffer.len >> 10, status_kb(0, "VmPin"));
	EXPECT_EQ(0, matrix_deregister(matrix, 0));
	EXPECT_EQ(0, status_kb(0, "VmPin"));
	ASSERT_EQ(0, matrix_snapshot(matrix, "released", matrix->found,
				     matrix->after));
	verdict_count(matrix->found, matrix->buffer.nr_pages, &facts->after);
	EXPECT_EQ(matrix->buffer.nr_pages, facts->after.unpinned);
}

/* What a registration that meets one held page must have left behind. */
static void expect_refused(struct __test_metadata *_metadata,
			   struct matrix *matrix)
{
	const struct pinprobe_page *found = &matrix->found[matrix->held_page];
	const struct pinprobe_page *after = &matrix->after[matrix->held_page];
	struct verdict_facts *facts = &matrix->facts;

	ASSERT_EQ(ENOMEM, facts->error);
	EXPECT_EQ(1, found->pins);
	EXPECT_EQ(found->pfn, after->pfn);
	EXPECT_EQ(1, after->pins);
	EXPECT_NE(0, after->unpinnable & promise_unpinnable());
	EXPECT_LT(0, facts->migrate.failed);
	EXPECT_EQ(facts->migrate.succeeded, facts->change.moved);
	EXPECT_EQ(1, facts->change.stuck_pinned);
	EXPECT_EQ(VERDICT_REFS, matrix->verdict.code);
	EXPECT_STRNE("", matrix->verdict.not_lock);
}

TEST_F(mr, held_pin_b)
{
	struct matrix *matrix = &self->matrix;
	size_t page_size;
	int fd;

	if (!SET("B", BUFFER_UNPINNABLE))
		return;
	page_size = matrix->buffer.len / matrix->buffer.nr_pages;
	fd = hold(matrix, matrix->held_page, 1, HOLD_PIN);
	ASSERT_LE(0, fd);
	REGISTER();
	matrix_report(matrix, "pin");
	EXPECT_EQ(0, matrix->facts.moved_earlier);
	expect_refused(_metadata, matrix);
	/* A registration that fails has an effect all the same. */
	EXPECT_EQ(variant->backing == BACKING_RANGE,
		  matrix->facts.change.moved > 0);
	EXPECT_EQ(page_size >> 10, status_kb(0, "VmPin"));

	matrix->aside = true;
	REGISTER();
	expect_refused(_metadata, matrix);
	EXPECT_EQ(matrix->before[matrix->held_page].pfn,
		  matrix->after[matrix->held_page].pfn);
	EXPECT_EQ(0, close(fd));
	EXPECT_EQ(0, status_kb(0, "VmPin"));
}

TEST_F(mr, held_pin_dropped_b)
{
	struct matrix *matrix = &self->matrix;
	struct verdict_facts *facts = &matrix->facts;
	uint64_t pfn;
	int fd;

	if (!SET("B'", BUFFER_UNPINNABLE))
		return;
	pfn = matrix->before[matrix->held_page].pfn;
	fd = hold(matrix, matrix->held_page, 1, HOLD_PIN);
	ASSERT_LE(0, fd);
	matrix->aside = true;
	REGISTER();
	expect_refused(_metadata, matrix);
	matrix->aside = false;
	matrix->with_holder = facts->error;
	ASSERT_EQ(0, close(fd));
	register_free(_metadata, matrix);
	matrix_report(matrix, "pin, then dropped");

	ASSERT_EQ(0, facts->error);
	EXPECT_EQ(pfn, matrix->found[matrix->held_page].pfn);
	EXPECT_NE(pfn, matrix->after[matrix->held_page].pfn);
	EXPECT_LT(0, facts->before.unpinnable);
	EXPECT_EQ(facts->before.unpinnable, facts->migrate.succeeded);
	EXPECT_EQ(facts->before.unpinnable, facts->change.moved);
	EXPECT_EQ(0, facts->after.unpinnable);
	EXPECT_EQ(0, facts->after.unpinned);
	EXPECT_EQ(VERDICT_OK, matrix->verdict.code);
	EXPECT_STREQ("the holder was the cause", matrix->verdict.text);
	EXPECT_EQ(0, matrix_deregister(matrix, 0));
	EXPECT_EQ(0, status_kb(0, "VmPin"));
}

TEST_F(mr, held_longterm_c)
{
	struct matrix *matrix = &self->matrix;
	struct verdict_facts *facts = &matrix->facts;
	uint32_t pins;
	int fd;

	if (!SET("C", BUFFER_UNPINNABLE))
		return;
	fd = hold(matrix, 0, matrix->buffer.nr_pages, HOLD_LONGTERM);
	ASSERT_LE(0, fd);
	REGISTER();
	matrix_report(matrix, "pin + longterm");

	ASSERT_EQ(0, facts->error);
	verdict_count(matrix->before, matrix->buffer.nr_pages, &facts->before);
	EXPECT_LT(0, facts->before.unpinnable);
	EXPECT_EQ(facts->before.unpinnable, facts->moved_earlier);
	EXPECT_EQ(0, facts->migrate.calls);
	EXPECT_EQ(0, facts->change.moved);
	EXPECT_EQ(0, facts->after.unpinnable);
	EXPECT_EQ(VERDICT_OK, matrix->verdict.code);
	EXPECT_STREQ("an earlier pin had moved it out, nothing to move",
		     matrix->verdict.text);

	/* A small folio counts its own pins, a large one those of all pages. */
	pins = matrix->found[matrix->held_page].pins;
	EXPECT_EQ(2 * pins, matrix->after[matrix->held_page].pins);
	EXPECT_EQ(0, matrix_deregister(matrix, pins));
	EXPECT_EQ(0, close(fd));
	EXPECT_EQ(0, status_kb(0, "VmPin"));
	ASSERT_EQ(0, matrix_snapshot(matrix, "released", matrix->found,
				     matrix->after));
	EXPECT_EQ(0, matrix->found[matrix->held_page].pins);
}

TEST_F(mr, ordinary_held_pin_d)
{
	struct matrix *matrix = &self->matrix;
	struct verdict_facts *facts = &matrix->facts;
	int fd;

	if (!SET("D", BUFFER_ORDINARY))
		return;
	fd = hold(matrix, matrix->held_page, 1, HOLD_PIN);
	ASSERT_LE(0, fd);
	REGISTER();
	matrix_report(matrix, "pin");

	ASSERT_EQ(0, facts->error);
	EXPECT_EQ(1, matrix->found[matrix->held_page].pins);
	EXPECT_EQ(0, facts->before.unpinnable);
	EXPECT_EQ(0, facts->moved_earlier);
	EXPECT_EQ(0, facts->migrate.calls);
	EXPECT_EQ(0, facts->change.moved);
	EXPECT_EQ(matrix->buffer.nr_pages, facts->change.stayed);
	EXPECT_EQ(VERDICT_OK, matrix->verdict.code);
	EXPECT_STREQ("nothing to move", matrix->verdict.text);
	EXPECT_EQ(0, matrix_deregister(matrix, 1));
	EXPECT_EQ(0, close(fd));
	EXPECT_EQ(0, status_kb(0, "VmPin"));
}

FIXTURE(memlock)
{
	struct matrix matrix;
	char test[96];
};

FIXTURE_SETUP(memlock)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct caps[2];

	snprintf(self->test, sizeof(self->test), "causal_matrix.memlock.%s",
		 _metadata->name);
	ASSERT_EQ(0, syscall(SYS_capget, &header, caps));
	caps[0].effective &= ~(1U << CAP_IPC_LOCK);
	ASSERT_EQ(0, syscall(SYS_capset, &header, caps));
}

FIXTURE_TEARDOWN(memlock)
{
	matrix_close(&self->matrix);
}

static void limit(struct __test_metadata *_metadata, rlim_t bytes)
{
	struct rlimit value;

	ASSERT_EQ(0, getrlimit(RLIMIT_MEMLOCK, &value));
	if (value.rlim_max < bytes)
		value.rlim_max = bytes;
	value.rlim_cur = bytes;
	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &value));
}

/* The same errno as a held page, and nothing to do with where pages lie. */
TEST_F(memlock, too_small)
{
	struct matrix *matrix = &self->matrix;
	struct verdict_facts *facts = &matrix->facts;

	if (!set(_metadata, matrix, self->test, "L", BACKING_THP,
		 BUFFER_UNPINNABLE))
		return;
	limit(_metadata, 64 << 10);
	REGISTER();
	matrix_report(matrix, "none");
	ASSERT_EQ(ENOMEM, facts->error);
	EXPECT_EQ(0, facts->migrate.calls);
	EXPECT_EQ(0, facts->change.moved);
	EXPECT_EQ(VERDICT_LOCK, matrix->verdict.code);
	EXPECT_STREQ("", matrix->verdict.not_lock);
	EXPECT_EQ(0, status_kb(0, "VmPin"));

	limit(_metadata, matrix->buffer.len);
	matrix->aside = true;
	register_free(_metadata, matrix);
	ASSERT_EQ(0, facts->error);
	EXPECT_EQ(facts->before.unpinnable, facts->change.moved);
	EXPECT_EQ(VERDICT_OK, matrix->verdict.code);
	EXPECT_EQ(0, matrix_deregister(matrix, 0));
}

TEST_F(memlock, zero)
{
	struct matrix *matrix = &self->matrix;

	if (!set(_metadata, matrix, self->test, "L", BACKING_ANON,
		 BUFFER_UNPINNABLE))
		return;
	limit(_metadata, 0);
	REGISTER();
	matrix_report(matrix, "none");
	ASSERT_EQ(EPERM, matrix->facts.error);
	EXPECT_EQ(0, matrix->facts.migrate.calls);
	EXPECT_EQ(VERDICT_LOCK, matrix->verdict.code);
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
