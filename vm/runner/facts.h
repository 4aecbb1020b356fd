/* SPDX-License-Identifier: GPL-2.0 */
/* What the guest said about itself after boot, and what was asked for. */
#ifndef VMRUN_FACTS_H
#define VMRUN_FACTS_H

#include <stdbool.h>
#include <stddef.h>

struct fact {
	char *key;
	char *value;
};

struct facts {
	struct fact *all;
	size_t count;
};

void facts_add(struct facts *f, const char *assignment);
const char *facts_get(const struct facts *f, const char *key);
/* A count; false if the guest did not say. "none" reads as 0. */
bool facts_number(const struct facts *f, const char *key, long long *value);
void facts_free(struct facts *f);

enum expect_op {
	EXPECT_EQ,
	EXPECT_NE,
	EXPECT_GE,
	EXPECT_LE,
};

struct expect {
	char *key;
	enum expect_op op;
	char *value;
};

struct expects {
	struct expect *all;
	size_t count;
};

/* "key=value key>=value …"; false: *bad (to be freed) is the bad word. */
bool expects_parse(struct expects *e, const char *s, char **bad);
void expects_add(struct expects *e, const char *key, enum expect_op op,
		 const char *value);
/* NULL, or what is not as asked for, in a sentence with a hint; to be freed. */
char *expects_check(const struct expects *e, const struct facts *f,
		    const char *profile);
void expects_free(struct expects *e);

#endif
