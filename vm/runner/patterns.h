/* SPDX-License-Identifier: GPL-2.0 */
/* The deny and the allow list of the console scan. */
#ifndef VMRUN_PATTERNS_H
#define VMRUN_PATTERNS_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

struct pattern {
	regex_t regex;
	char *source;
	char *reason;		/* allow list only */
};

struct patterns {
	struct pattern *all;
	size_t count;
	/* All of them in one, so that a clean line costs one match. */
	regex_t any;
	bool have_any;
};

/*
 * Both return NULL, or what is wrong, to be freed. A deny list that is missing
 * or has no pattern is an error: a console checked against nothing is not
 * clean. An allow entry without a reason is one too.
 */
char *patterns_load_deny(struct patterns *p, const char *path);
char *patterns_load_allow(struct patterns *p, const char *path,
			  const char *release);
void patterns_free(struct patterns *p);

bool patterns_any(const struct patterns *p, const char *s, int eflags);
/* The first that matches; *end is where its match ends. NULL: none. */
const struct pattern *patterns_find(const struct patterns *p, const char *s,
				    int eflags, size_t *end);

#endif
