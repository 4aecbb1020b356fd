// SPDX-License-Identifier: GPL-2.0
/* What is taken out of the cache, and what is not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"
#include "unit.h"

/* Entries a, b, c of 3, 2 and 1 MiB, used in that order. */
#define ENTRIES	SCRIPT_LIBRARY						\
	". \"$VM/lib/evict.sh\"\n"					\
	"say() { echo \"$1 $2\"; }\n"					\
	"n=3\n"								\
	"for e in a b c; do\n"						\
	"	mkdir -p \"$CACHE/$e\" \"$CACHE/used\" \"$CACHE/lock\"\n"	\
	"	head -c ${n}M /dev/urandom >\"$CACHE/$e/data\"\n"		\
	"	touch -d \"2026-01-0$((9 - n))\" \"$CACHE/used/$e\"\n"		\
	"	n=$((n - 1))\n"						\
	"done\n"								\
	"left() { (cd \"$CACHE\" && echo [a-c]*); }\n"

static void check_script(const char *text, const char *want)
{
	char *out;

	script_run(text, &out);
	CHECK_STRING(out, want);
}

TEST(cache_keeps_what_was_used_last)
{
	check_script(ENTRIES "limit_cache 4M; left\n",
		     "PRUNE a: 3 MiB\nCACHE 3 MiB, limit 4 MiB\nb c\n");
	check_script(ENTRIES "limit_cache 100M; left\n",
		     "CACHE 6 MiB, limit 100 MiB\na b c\n");
	check_script(ENTRIES "limit_cache much || echo no\n",
		     "pinprobe: LIMIT=much: not a size such as 8G or 500M\n");
}

/* Use is recorded: what was oldest is kept once it was used again. */
TEST(cache_use_is_recorded)
{
	check_script(ENTRIES "(cache_use a); limit_cache 6M; left\n",
		     "PRUNE b: 2 MiB\nCACHE 4 MiB, limit 6 MiB\na c\n");
	check_script(ENTRIES "fill() { :; }\n(cache_make a 1 it fill); limit_cache 6M; left\n",
		     "PRUNE b: 2 MiB\nCACHE 4 MiB, limit 6 MiB\na c\n");
}

#define USER(how)							\
	"(" how "; exec sleep 30) >/dev/null 2>&1 &\n"				\
	"user=$!\n"							\
	"until [ \"$(cat /proc/$user/comm)\" = sleep ]; do sleep 0.1; done\n"	\
	"touch -d 2026-01-01 \"$CACHE/used/a\"\n"

/* Held by what a run turned into, and then not any more. */
TEST(cache_leaves_what_is_in_use)
{
	check_script(ENTRIES USER("cache_use a") "limit_cache 5M; left; kill $user\n",
		     "KEEP a: in use\nPRUNE b: 2 MiB\nCACHE 4 MiB, limit 5 MiB\na c\n");
	check_script(ENTRIES USER("cache_use a")
		     "limit_cache 1M || echo too large; left; kill $user\n",
		     "KEEP a: in use\nPRUNE b: 2 MiB\nPRUNE c: 1 MiB\nCACHE 3 MiB, limit 1 MiB\n"
		     "pinprobe: the cache is still larger than its limit: what is left is in use\n"
		     "too large\na\n");
	check_script(ENTRIES USER("cache_use a")
		     "kill $user; wait $user 2>/dev/null || :; limit_cache 4M; left\n",
		     "PRUNE a: 3 MiB\nCACHE 3 MiB, limit 4 MiB\nb c\n");
	check_script(ENTRIES USER("exec 9>\"$CACHE/lock/a\"; flock 9")
		     "limit_cache 5M; left; kill $user\n",
		     "KEEP a: in use\nPRUNE b: 2 MiB\nCACHE 4 MiB, limit 5 MiB\na c\n");
}

/* What a killed run left goes, what one is making stays. */
TEST(cache_leftovers)
{
	check_script(ENTRIES "mkdir \"$CACHE\"/tmp.b.XYZ \"$CACHE\"/tmp.evict.b\n"
		     USER("exec 9>\"$CACHE/lock/c\"; flock 9")
		     "mkdir \"$CACHE/tmp.c.abc\"; limit_cache 100M; kill $user\n"
		     "(cd \"$CACHE\" && echo tmp*)\n",
		     "PRUNE tmp.b.XYZ: left by a run that was killed\n"
		     "KEEP tmp.c.abc: in use\n"
		     "PRUNE tmp.evict.b: left by a run that was killed\n"
		     "CACHE 6 MiB, limit 100 MiB\ntmp.c.abc\n");
}
