/* SPDX-License-Identifier: GPL-2.0 */
/* Which of a list of kernels, oldest first, is the first bad one. */
#ifndef VMRUN_FIRST_BAD_H
#define VMRUN_FIRST_BAD_H

#include <stdbool.h>
#include <stddef.h>

enum found {
	FOUND_UNKNOWN,		/* not run yet */
	FOUND_GOOD,
	FOUND_BAD,
	FOUND_SKIP,		/* it cannot be told there */
};

struct suspect {
	const char *name;
	const char *release;
	enum found found;
};

/*
 * The next one to run when as few as possible are to be run, or -1 when there
 * is nothing more to learn. Takes for granted that bad stays bad.
 */
long first_bad_next(const struct suspect *s, size_t count);
/* What is known, in one line, to be freed; *exit_code: 0 if X was found, */
/* 1 if all or none are bad, 4 if nothing can be said. */
char *first_bad_say(const struct suspect *s, size_t count, int *exit_code);

/* argv[1] is --first-bad; see vmrun --help. */
int first_bad_main(int argc, char **argv);

#endif
