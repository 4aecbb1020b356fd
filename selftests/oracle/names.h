/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ORACLE_NAMES_H
#define ORACLE_NAMES_H

#include "question.h"

/*
 * How well @word, in whatever spelling, fits an entry: its name, a part of it, a
 * word of what it stands for, how its name begins; 0: not at all.
 */
int name_score(const struct entry *entry, const char *word);

#endif /* ORACLE_NAMES_H */
