/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of contracts/: expect, changes and plan. Pure functions over their
 * text, shared by the program that runs rows and by the one that answers
 * questions and writes the documentation.
 *
 * All are lines of fields with blanks between; "#" begins a comment. Fields that
 * are matched are comma lists of globs, "*" is anything. The first line that
 * matches counts.
 */
#ifndef CONTRACTS_TABLE_H
#define CONTRACTS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include "../lib/verdict.h"

/* What a row is called by. All are names of the registries. */
struct row_key {
	const char *consumer;
	const char *access;	/* read, write */
	const char *backing;
	const char *placement;
	const char *hold;
	bool dropped;		/* the hold is let go before the consumer comes */
};

#define ROW_NAME	160

/* "consumer.access.backing.placement.hold", and ".dropped". */
void row_name(const struct row_key *key, char name[ROW_NAME]);

/* The reverse; points into @name, which it cuts up. False if it is none. */
bool row_parse(char *name, struct row_key *key);

/* What the target page did. */
enum effect {
	EFFECT_ANY,
	EFFECT_STAYS,		/* same PFN */
	EFFECT_MOVES,		/* another PFN */
	EFFECT_APPEARS,		/* there was none, now there is */
	EFFECT_ABSENT,		/* there was none, nor is there */
	EFFECT_GOES,		/* there was one, now there is none */
};

struct kernel_range {
	int from[2];		/* first version, patchlevel; 0 0: any */
	int to[2];		/* last; 0 0: any */
};

#define EXPECT_CHANGE	32

/* A line of the table expect. */
struct expectation {
	int line;		/* number in the table, from 1 */
	struct kernel_range kernels;
	enum verdict_code verdict;
	int error;		/* errno, 0: it succeeds */
	enum effect effect;
	char change[EXPECT_CHANGE]; /* name in the table changes; "-": none */
};

/* A line of the table changes: what made the kernel behave otherwise. */
struct change {
	char name[EXPECT_CHANGE];
	char commit[24];	/* id, or "-" where it could not be verified */
	char since[16];		/* first version, as in v6.5 */
	const char *title;	/* the commit's, @title_len characters */
	size_t title_len;
};

struct tables {
	const char *expect;
	const char *changes;
	const char *plan;
};

/*
 * What a row must do on a kernel. False if no line of the table says it: such a
 * row fails, whatever it does.
 */
bool table_expect(const struct tables *tables, const struct row_key *key,
		  const int version[2], struct expectation *expectation);

/*
 * The line of the table behind @expectation->line, which is 0 before the first.
 * False at the end. Lines that cannot be read are passed over.
 */
bool table_next_expect(const struct tables *tables,
		       struct expectation *expectation);

/*
 * The names in changes of all lines that match this row on some kernel: what to
 * suspect when it does not do what it must. How many.
 */
size_t table_suspects(const struct tables *tables, const struct row_key *key,
		      char names[][EXPECT_CHANGE], size_t room);

bool table_change(const struct tables *tables, const char *name,
		  struct change *change);

/* The @index-th from 0, in the order of the table; false behind the last. */
bool table_nth_change(const struct tables *tables, size_t index,
		      struct change *change);

/*
 * Whether there is such a row: true, or false with the rule's reason in @reason
 * ("" if no rule speaks of it).
 */
bool table_planned(const struct tables *tables, const struct row_key *key,
		   char reason[ROW_NAME]);

/*
 * 0 if every line of all tables can be read and names only what @known knows
 * (a glob must match something), else -EINVAL with the complaint in @why.
 */
int table_check(const struct tables *tables,
		bool (*known)(const char *kind, const char *glob),
		char why[256]);

/* "*", "6.5-", "-6.4", "6.2-6.4", "6.1"; cuts @text up. */
bool parse_range(char *text, struct kernel_range *range);
bool range_has(const struct kernel_range *range, const int version[2]);
const char *effect_name(enum effect effect);

/* The errno of a name (ENOMEM), 0 for "ok", -1 for none. */
int errno_by_name(const char *name);

#endif /* CONTRACTS_TABLE_H */
