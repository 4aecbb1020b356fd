/* SPDX-License-Identifier: GPL-2.0 */
/* The functions of all hooks by their names, and which of them a kernel has. */
#ifndef PINPROBE_HOOK_NAMES_H
#define PINPROBE_HOOK_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "source.h"

#define HOOK_NAMES	256

struct hook_name {
	const char *s;
	unsigned int hook, at;	/* hooks[hook].symbols[at] */
};

struct hook_names {
	struct hook_name all[HOOK_NAMES];
	unsigned int nr;
};

void hook_names_collect(struct hook_names *n);

/* The first of those that have a name; NULL: none has. */
const struct hook_name *hook_names_find(const struct hook_names *n, const char *s);

/* The next that has the same; NULL: there is none. */
const struct hook_name *hook_names_next(const struct hook_names *n,
					const struct hook_name *name);

/**
 * hook_names_there() - which functions the kernel and its modules have
 * @n:		from hook_names_collect()
 * @source:	where /proc/kallsyms is; addresses may be hidden
 * @there:	bits of symbols, for each hook
 *
 * Return: false where that cannot be read; then @there is as before.
 */
bool hook_names_there(const struct hook_names *n, const struct source *source,
		      uint32_t *there);

#endif
