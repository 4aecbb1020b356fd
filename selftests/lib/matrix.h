/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One cell of the causal matrix: a buffer, perhaps an earlier hold on it, an
 * ibv_reg_mr(), and everything measured around it. The test asserts, this
 * measures and writes the records.
 */
#ifndef SELFTESTS_MATRIX_H
#define SELFTESTS_MATRIX_H

#include "buffer.h"
#include "look.h"
#include "rxe.h"
#include "verdict.h"

struct matrix {
	const char *test;		/* name of the test in the results */
	const char *which;		/* case: A, B, B', C, D, ... */
	enum backing backing;
	struct look look;
	struct rxe rxe;
	struct buffer buffer;
	size_t held_page;		/* index of the page that a hold is on */
	struct ibv_mr *mr;
	int64_t register_us;		/* how long ibv_reg_mr() took */
	/* Snapshots of the buffer, a record a page. */
	struct pinprobe_page *before;	/* untouched by anybody else */
	struct pinprobe_page *found;	/* as the registration finds it */
	struct pinprobe_page *after;	/* as the registration leaves it */
	bool seen;			/* @after holds an earlier look */
	/*
	 * Errno while a holder was there; set by the test when it has let the
	 * hold go and is about to try again.
	 */
	int with_holder;
	/* This registration is not the one the case is about: not traced. */
	bool aside;
	struct verdict_facts facts;
	struct verdict verdict;
};

/*
 * All return 0 or -errno. Open finds a device and makes ready to count the
 * migrations of the thread that registers; -ENODEV without an rxe device.
 */
int matrix_open(struct matrix *matrix, const char *test, const char *which);
void matrix_close(struct matrix *matrix);

/* Finds the buffer and takes the first snapshot. */
int matrix_place(struct matrix *matrix, enum backing backing,
		 enum buffer_want want);

/*
 * Looks at the buffer and writes page records. Of a large buffer only the pages
 * that have changed since @previous, a look at it or NULL.
 */
int matrix_snapshot(struct matrix *matrix, const char *when,
		    struct pinprobe_page *pages,
		    const struct pinprobe_page *previous);

/*
 * ibv_reg_mr() for local writes. 0 when it was measured, whether it succeeded
 * or not: that is facts.error, and @mr.
 */
int matrix_register(struct matrix *matrix);

/*
 * Lets the region go and waits until the held page is seen to have @pins left
 * (without the module: not at all); -ETIME if it still has others.
 */
int matrix_deregister(struct matrix *matrix, uint32_t pins);

/* Writes the case record. */
void matrix_report(struct matrix *matrix, const char *hold);

#endif /* SELFTESTS_MATRIX_H */
