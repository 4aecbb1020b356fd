/* SPDX-License-Identifier: GPL-2.0 */
/* Which skips are expected; any other one is a failure. */
#ifndef VMRUN_SKIPS_H
#define VMRUN_SKIPS_H

#include <stdbool.h>
#include <stddef.h>

#include "results.h"

struct skip_rule {
	char *kernel;		/* globs */
	char *profile;
	char *test;
	char *reason;
	bool due;		/* something that it could be about ran */
	size_t used;
};

struct skips {
	struct skip_rule *all;
	size_t count;
};

/* The fixed list of reasons, ended by NULL. */
extern const char * const skip_reasons[];

/* NULL, or what is wrong, to be freed. */
char *skips_load(struct skips *s, const char *path);
void skips_free(struct skips *s);

/*
 * Turns each skip that has no reason of the list, or no rule, into a failure.
 */
void skips_apply(struct skips *s, struct results *r, const char *kernel,
		 const char *profile);

#endif
