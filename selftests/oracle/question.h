/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A question to the oracle, in a few words in any order: names of rows, parts of
 * them, words of what they stand for, a kernel version. "ext4 shared write 6.8"
 */
#ifndef ORACLE_QUESTION_H
#define ORACLE_QUESTION_H

#include <stdbool.h>
#include <stddef.h>
#include "../contracts/rows.h"

/* What rows are called by, in the order of their names. */
enum dimension {
	OF_CONSUMER, OF_ACCESS, OF_BACKING, OF_PLACEMENT, OF_HOLD, DIMENSIONS
};

/* All entries of all registries begin like this. */
struct entry {
	const char *name;
	const char *what;
};

const char *dimension_name(enum dimension dimension);
const struct entry *dimension_entry(enum dimension dimension, size_t i);

#define NAMES_MAX	256	/* of a registry */
#define UNKNOWN_MAX	8

struct choice {
	bool said;		/* some word was about it */
	int score[NAMES_MAX];	/* how well a name fits all words, 0: not at all */
	bool chosen[NAMES_MAX];
	size_t nr;		/* how many are */
};

struct question {
	struct choice choice[DIMENSIONS];
	bool dropped;
	bool kernel_said;
	int kernel[2];
	const char *unknown[UNKNOWN_MAX];
	size_t nr_unknown;
	/* What no name is at the same time; "" if there is no such thing. */
	char contradiction[128];
	/* Of the word that comes next; DIMENSIONS: any. */
	enum dimension next;
};

/* @words of a question, each of which may have blanks in it. */
void question_read(struct question *question, int nr, char *const *words);

/* What @word was meant to be, or NULL. */
const char *question_guess(const char *word);

/* The version in "6.8", "v6.8.3", "debian-6.12"; false if it is none. */
bool question_version(const char *word, int version[2]);

#endif /* ORACLE_QUESTION_H */
