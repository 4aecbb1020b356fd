// SPDX-License-Identifier: GPL-2.0
/* Measures one registration. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "device.h"
#include "hugetlb.h"
#include "kpath.h"
#include "matrix.h"
#include "memory.h"
#include "migrations.h"
#include "record.h"
#include "surroundings.h"
#include "vmstat.h"

/* Pins of some kinds of region are dropped after the call that frees them. */
#define RELEASE_DEADLINE_MS	1000

/* Buffers up to this size are written whole each time. */
#define WHOLE_PAGES		512

int matrix_open(struct matrix *matrix, const char *test, const char *which)
{
	int err;

	memset(matrix, 0, sizeof(*matrix));
	matrix->test = test;
	matrix->which = which;
	err = look_open(&matrix->look);
	if (err)
		return err;
	err = rxe_open(&matrix->rxe);
	if (!err)
		err = migrations_start();
	if (err)
		matrix_close(matrix);
	return err;
}

void matrix_close(struct matrix *matrix)
{
	if (matrix->mr)
		ibv_dereg_mr(matrix->mr);
	matrix->mr = NULL;
	rxe_close(&matrix->rxe);
	look_close(&matrix->look);
	buffer_free(&matrix->buffer);
	free(matrix->before);
	free(matrix->found);
	free(matrix->after);
	matrix->before = NULL;
	matrix->found = NULL;
	matrix->after = NULL;
}

int matrix_snapshot(struct matrix *matrix, const char *when,
		    struct pinprobe_page *pages,
		    const struct pinprobe_page *previous)
{
	size_t nr = matrix->buffer.nr_pages;
	int err = look_pages(&matrix->look, matrix->buffer.addr, nr, pages);

	if (err)
		return err;
	record_pages(matrix->test, matrix->which, when, pages,
		     nr > WHOLE_PAGES ? previous : NULL, nr,
		     look_refs(&matrix->look));
	return 0;
}

int matrix_place(struct matrix *matrix, enum backing backing,
		 enum buffer_want want)
{
	struct buffer *buffer = &matrix->buffer;
	int err;

	matrix->backing = backing;
	err = buffer_find(buffer, &matrix->look, backing, want);
	if (err)
		return err;
	matrix->before = calloc(buffer->nr_pages, sizeof(*matrix->before));
	matrix->found = calloc(buffer->nr_pages, sizeof(*matrix->found));
	matrix->after = calloc(buffer->nr_pages, sizeof(*matrix->after));
	if (!matrix->before || !matrix->found || !matrix->after)
		return -ENOMEM;
	err = matrix_snapshot(matrix, "before", matrix->before, NULL);
	if (err)
		return err;
	/*
	 * Late in the buffer, so that pages before it can move although this
	 * one cannot.
	 */
	matrix->held_page = buffer->nr_pages * 3 / 4;
	while (want == BUFFER_UNPINNABLE &&
	       matrix->held_page < buffer->nr_pages - 1 &&
	       !matrix->before[matrix->held_page].unpinnable)
		matrix->held_page++;
	return 0;
}

static int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

/* Of this thread. */
static int64_t cpu_us(void)
{
	struct timespec spent;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
	return spent.tv_sec * 1000000LL + spent.tv_nsec / 1000;
}

static void call_register(struct matrix *matrix)
{
	int64_t start = now_us(), cpu = cpu_us();

	errno = 0;
	matrix->mr = ibv_reg_mr(matrix->rxe.pd, matrix->buffer.addr,
				matrix->buffer.len, IBV_ACCESS_LOCAL_WRITE);
	matrix->facts.error = matrix->mr ? 0 : errno;
	matrix->register_us = now_us() - start;
	matrix->facts.spent_us = matrix->register_us;
	matrix->facts.cpu_us = cpu_us() - cpu;
}

static void call_register_traced(struct matrix *matrix)
{
	struct kpath kpath;
	int err = kpath_begin(&kpath);

	if (err) {
		record_print("no trace of %s: %s", matrix->test, strerror(-err));
		call_register(matrix);
		return;
	}
	call_register(matrix);
	err = kpath_end(&kpath, "ibv_reg_mr", matrix->facts.error);
	if (err)
		record_print("trace of %s is not whole: %s", matrix->test,
			     strerror(-err));
	kpath_emit(&kpath, record_channel(), matrix->test, matrix->which);
	kpath_free(&kpath);
}

static int measure_around(struct matrix *matrix, const char *when)
{
	bool traced = getenv("PINPROBE_TRACE") && record_channel() >= 0 &&
		      !matrix->aside;
	struct migrations seen;
	int err = matrix_snapshot(matrix, when, matrix->found,
				  matrix->seen ? matrix->after : matrix->before);

	if (!err)
		err = migrations_clear();
	if (err)
		return err;
	if (traced)
		call_register_traced(matrix);
	else
		call_register(matrix);
	err = migrations_read(&seen);
	if (err)
		return err;
	if (matrix->buffer.pool)
		migrations_of_hugetlb(&seen, matrix->buffer.pool / page_size());
	matrix->facts.migrate = seen.sums;
	matrix->facts.last_failed = seen.last_failed;
	matrix->facts.migrate_measured = true;
	matrix->seen = true;
	return matrix_snapshot(matrix, "after", matrix->after, matrix->found);
}

static int measure_pool(struct matrix *matrix)
{
	struct verdict_facts *facts = &matrix->facts;
	int64_t pages;

	facts->pool_only = matrix->backing == BACKING_GIGANTIC;
	if (!facts->pool_only)
		return 0;
	pages = hugetlb_pool_free(matrix->buffer.pool);
	if (pages < 0)
		return pages;
	facts->pool_free = pages;
	return 0;
}

int matrix_register(struct matrix *matrix)
{
	struct verdict_facts *facts = &matrix->facts;
	size_t nr = matrix->buffer.nr_pages;
	struct verdict_change earlier;
	long denied;
	int err;

	memset(facts, 0, sizeof(*facts));
	facts->write = true;
	facts->refs_measured = look_refs(&matrix->look);
	facts->with_holder = matrix->with_holder;
	facts->pinnable_free = surroundings_pinnable_free();
	facts->barred = surroundings_barred();
	denied = memory_denied(matrix->buffer.addr, matrix->buffer.len);
	facts->denied = denied < 0 ? UINT64_MAX :
			denied / (matrix->buffer.len / nr);
	err = surroundings_memlock(&facts->memlock, matrix->buffer.len);
	if (!err)
		err = measure_pool(matrix);
	if (!err)
		err = measure_around(matrix, matrix->with_holder ? "released"
								 : "held");
	if (err)
		return err;
	verdict_compare(matrix->before, matrix->found, nr, &earlier);
	facts->moved_earlier = earlier.moved;
	verdict_count(matrix->found, nr, &facts->before);
	verdict_count(matrix->after, nr, &facts->after);
	verdict_compare(matrix->found, matrix->after, nr, &facts->change);
	verdict_decide(facts, &matrix->verdict);
	return 0;
}

int matrix_deregister(struct matrix *matrix, uint32_t pins)
{
	int64_t deadline = now_us() + RELEASE_DEADLINE_MS * 1000LL;
	const char *addr = matrix->buffer.addr;
	struct pinprobe_page page;
	int err = ibv_dereg_mr(matrix->mr);

	matrix->mr = NULL;
	if (err || !look_refs(&matrix->look))
		return -err;
	addr += matrix->held_page * (matrix->buffer.len /
				     matrix->buffer.nr_pages);
	do {
		err = look_pages(&matrix->look, addr, 1, &page);
		if (err || page.pins == pins)
			return err;
		usleep(1000);
	} while (now_us() < deadline);
	return -ETIME;
}

static const char *placement(const struct pinprobe_page *page)
{
	if (page->unpinnable & PINPROBE_UNPINNABLE_CMA)
		return "cma";
	if (page->unpinnable & PINPROBE_UNPINNABLE_MOVABLE)
		return "movable";
	return page->unpinnable ? "other" : "ordinary";
}

void matrix_report(struct matrix *matrix, const char *hold)
{
	const struct pinprobe_page *before = &matrix->before[matrix->held_page];
	const struct pinprobe_page *after = &matrix->after[matrix->held_page];
	const struct verdict_facts *facts = &matrix->facts;

	record_write("\"type\":\"case\",\"test\":\"%s\",\"case\":\"%s\",\"placement\":\"%s\",\"backing\":\"%s\",\"origin\":\"%s\",\"histogram\":\"%s\",\"hold\":\"%s\",\"consumer\":\"ibv_reg_mr\",\"errno\":%d,\"errno_name\":\"%s\",\"pages\":%" PRIu64
		     ",\"pfn_before\":\"0x%" PRIx64 "\",\"pfn_after\":\"0x%" PRIx64
		     "\",\"mt_before\":\"%s\",\"mt_after\":\"%s\",\"zone_before\":\"%s\",\"zone_after\":\"%s\",\"moved\":%" PRIu64
		     ",\"stayed\":%" PRIu64 ",\"moved_earlier\":%" PRIu64
		     ",\"had_to_move\":%" PRIu64 ",\"migrate_calls\":%" PRIu64
		     ",\"migrated\":%" PRIu64 ",\"migrate_failed\":%" PRIu64
		     ",\"duration_us\":%" PRId64 ",\"verdict\":\"%s\",\"text\":\"%s\",\"not_lock\":\"%s\"",
		     matrix->test, matrix->which, placement(before),
		     backing_name(matrix->backing), matrix->buffer.origin,
		     matrix->buffer.histogram, hold, facts->error,
		     facts->error ? record_errno_name(facts->error) : "ok",
		     facts->before.pages, (uint64_t)before->pfn,
		     (uint64_t)after->pfn,
		     migratetype_name(before->migratetype),
		     migratetype_name(after->migratetype),
		     zone_name(before->zone), zone_name(after->zone),
		     facts->change.moved, facts->change.stayed,
		     facts->moved_earlier, facts->before.unpinnable,
		     (uint64_t)facts->migrate.calls,
		     (uint64_t)facts->migrate.succeeded,
		     (uint64_t)facts->migrate.failed, matrix->register_us,
		     verdict_name(matrix->verdict.code), matrix->verdict.text,
		     matrix->verdict.not_lock);
}
