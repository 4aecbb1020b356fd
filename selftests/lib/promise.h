/* SPDX-License-Identifier: GPL-2.0 */
/* Which unpinnable memory the guest's profile says it has. */
#ifndef SELFTESTS_PROMISE_H
#define SELFTESTS_PROMISE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the guest's profile promises this class: cma, movable, none. */
bool promise_made(const char *class);

/* Whether the guest's profile is called so, by PINPROBE_PROFILE. */
bool promise_profile(const char *name);

/*
 * PINPROBE_UNPINNABLE_* that a page must have one of to count as unpinnable in
 * this guest, by the environment's PINPROBE_UNPINNABLE (cma, movable, none); any
 * if that is not set.
 */
uint32_t promise_unpinnable(void);

#endif /* SELFTESTS_PROMISE_H */
