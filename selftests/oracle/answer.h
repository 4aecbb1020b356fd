/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ORACLE_ANSWER_H
#define ORACLE_ANSWER_H

#include <stdio.h>
#include "question.h"

/* The kernels that rows are run on, as versions; the first is the default. */
struct store {
	int kernel[32][2];
	size_t nr;
};

/*
 * One line for each row that the question is about; rows that differ in nothing
 * but where the page lies, which the question did not say, and have the same
 * answer, share one. 0; 1: the tables do not say; 2: it was not understood, and
 * @complaints has why.
 */
int answer(const struct question *question, const struct store *store,
	   FILE *out, FILE *complaints);

/* "FILE, EFAULT, the page stays, since v6.5 (commit 0123456789ab "title")" */
void answer_text(const struct expectation *expectation, const int kernel[2],
		 char *text, size_t room);

#endif /* ORACLE_ANSWER_H */
