/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Somebody may look at a program and write to the same standard output what it saw;
 * a program that must not change anything before that waits for it.
 */
#ifndef SELFTESTS_ONLOOKER_H
#define SELFTESTS_ONLOOKER_H

#include <stddef.h>

/* Lines in standard output so far; 0 where that is no file. */
size_t onlooker_lines(void);

/* Waits until there are @nr. Without a file a second must do. */
void onlooker_wait(size_t nr);

#endif /* SELFTESTS_ONLOOKER_H */
