/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How much a kernel can be asked to do in the time there is: one that looks for
 * mistakes (KASAN, lockdep) takes several times as long for each step. The
 * environment's PINPROBE_SLOW says how many times.
 */
#ifndef SELFTESTS_EFFORT_H
#define SELFTESTS_EFFORT_H

#include <stdbool.h>

bool effort_slow(void);

/* @turns, or a tenth of them on a slow kernel. */
int effort_turns(int turns);

#endif /* SELFTESTS_EFFORT_H */
