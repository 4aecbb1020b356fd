/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_HOOKS_H
#define PINPROBE_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct hook - a place in the kernel that is watched
 * @name:	of the programs: NAME_fentry, NAME_fexit, NAME_kprobe, NAME_kretprobe
 * @tells:	what is not seen without it
 * @returns:	whether the return is watched
 * @enters:	whether the entry is
 * @need:	what it is for
 * @optional:	a driver or module that need not be there: nothing is missing
 * @symbols:	functions that do it, the first that there is; ends in NULL
 */
struct hook {
	const char *name;
	const char *tells;
	bool enters, returns;
	enum hook_need {
		HOOK_ALWAYS,		/* following calls */
		HOOK_LEDGER,		/* who holds pages */
		HOOK_RANGES,		/* the same, and costly: trace.ranges */
	} need;
	bool optional;
	const char *symbols[24];
};

extern const struct hook hooks[];
extern const unsigned int hooks_nr;

#endif
