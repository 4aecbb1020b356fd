// SPDX-License-Identifier: GPL-2.0
/* The tables of the oracle as they are read, from tables made up for the purpose. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"
#include "../selftests/contracts/table.c"
#include "../selftests/contracts/table_line.c"

static const int v6_1[2] = { 6, 1 };
static const int v6_4[2] = { 6, 4 };
static const int v6_5[2] = { 6, 5 };
static const int v6_12[2] = { 6, 12 };
static const int v7_3[2] = { 7, 3 };

/* Consumer, access, placement and hold of no interest. */
static struct row_key key_of(const char *backing, const char *hold, bool dropped)
{
	return (struct row_key){ "mr", "write", backing, "cma", hold, dropped };
}

/* The line of @expect that counts, 0 for none. */
static int line_for(const char *expect, const struct row_key *key,
		    const int version[2])
{
	const struct tables tables = { expect, "", "" };
	struct expectation found;

	return table_expect(&tables, key, version, &found) ? found.line : 0;
}

static bool has(const char *range, const int version[2])
{
	char text[32];
	struct kernel_range kernels;

	snprintf(text, sizeof(text), "%s", range);
	CHECK(parse_range(text, &kernels));
	return range_has(&kernels, version);
}

static bool is_range(const char *range)
{
	char text[32];
	struct kernel_range kernels;

	snprintf(text, sizeof(text), "%s", range);
	return parse_range(text, &kernels);
}

TEST(contracts_range)
{
	CHECK(has("*", v6_1));
	CHECK(has("-6.4", v6_1));
	CHECK(has("-6.4", v6_4));
	CHECK(!has("-6.4", v6_5));
	CHECK(!has("-6.4", v7_3));
	CHECK(!has("6.5-", v6_4));
	CHECK(has("6.5-", v6_5));
	CHECK(has("6.5-", v6_12));
	CHECK(has("6.5-", v7_3));
	CHECK(has("6.1", v6_1));
	CHECK(!has("6.1", v6_12));
	CHECK(has("6.2-6.5", v6_4));
	CHECK(has("6.2-6.5", v6_5));
	CHECK(!has("6.2-6.5", v6_1));
	CHECK(!has("6.2-6.5", v6_12));
	CHECK(has("5.19-6.5", v6_1));
}

TEST(contracts_range_that_is_none)
{
	CHECK(!is_range("-"));
	CHECK(!is_range("6"));
	CHECK(!is_range("6."));
	CHECK(!is_range("6.1x"));
	CHECK(!is_range("6.1-7"));
	CHECK(!is_range("6.5-6.4"));
	CHECK(!is_range("7.0-6.12"));
	CHECK(!is_range("0.1"));
	CHECK(!is_range("newest"));
	CHECK(is_range("6.4-6.4"));
}

TEST(contracts_lines)
{
	const char *at = "# all comment\n\n  \t\n a b # c\n\td\te,f g\nlast";
	struct table_line line = { 0 };

	CHECK(table_next(&at, &line));
	CHECK_NUMBER(line.number, 4);
	CHECK_NUMBER(line.nr, 2);
	CHECK_STRING(line.field[1], "b");
	CHECK_NUMBER(line.len, 4);
	CHECK(table_next(&at, &line));
	CHECK_NUMBER(line.number, 5);
	CHECK_NUMBER(line.nr, 3);
	CHECK_STRING(line.field[0], "d");
	CHECK_STRING(line.field[1], "e,f");
	CHECK(table_next(&at, &line));
	CHECK_NUMBER(line.number, 6);
	CHECK_STRING(line.field[0], "last");
	CHECK(!table_next(&at, &line));
}

TEST(contracts_lists_of_globs)
{
	CHECK(list_matches("*", "ext4_shared"));
	CHECK(list_matches("xfs,ext4_*", "ext4_shared"));
	CHECK(list_matches("*longterm,mr", "pin_fast_longterm"));
	CHECK(list_matches("*longterm,mr", "mr"));
	CHECK(!list_matches("*longterm,mr", "pin_fast"));
	CHECK(!list_matches("ext4", "ext4_shared"));
	CHECK(!list_matches("", "ext4_shared"));
}

TEST(contracts_first_line_that_matches_counts)
{
	static const char expect[] =
		"# comment\n"
		"mr write ext4 * * 6.5- PERM EFAULT absent -\n"
		"mr read  ext4 * * *    OK ok - -\n"
		"mr write *    * * *    OK ok moves - # of all others\n"
		"*  *     ext4 * * *    OK ok stays -\n";
	struct row_key ext4 = key_of("ext4", "none", false);
	struct row_key anon = key_of("anon", "none", false);

	CHECK_NUMBER(line_for(expect, &ext4, v7_3), 2);
	CHECK_NUMBER(line_for(expect, &ext4, v6_4), 4);
	CHECK_NUMBER(line_for(expect, &anon, v7_3), 4);
	anon.access = "read";
	CHECK_NUMBER(line_for(expect, &anon, v7_3), 0);
}

TEST(contracts_expectation)
{
	const struct tables tables = {
		"mr write ext4 * * 6.5- PERM EFAULT absent gup_write\n"
		"*  *     *    * * *    OK   ok     -      -\n", "", ""
	};
	struct row_key key = key_of("ext4", "none", false);
	struct expectation found;

	CHECK(table_expect(&tables, &key, v6_5, &found));
	CHECK_STRING(verdict_name(found.verdict), "PERM");
	CHECK_NUMBER(found.error, EFAULT);
	CHECK_NUMBER(found.effect, EFFECT_ABSENT);
	CHECK_STRING(found.change, "gup_write");
	CHECK_NUMBER(found.kernels.from[1], 5);
	CHECK(table_expect(&tables, &key, v6_4, &found));
	CHECK_NUMBER(found.verdict, VERDICT_OK);
	CHECK_NUMBER(found.error, 0);
	CHECK_NUMBER(found.effect, EFFECT_ANY);
	CHECK_STRING(found.change, "-");
}

/* After a hold was let go it is as if it had never been, unless it is said. */
TEST(contracts_dropped)
{
	static const char expect[] =
		"* * * * longterm,pin * REFS ENOMEM stays -\n"
		"* * * * longterm.dropped * OK ok stays -\n"
		"* * * * none * OK ok moves -\n"
		"* * special * * * OK ok - -\n";
	struct row_key key;

	key = key_of("anon", "longterm", false);
	CHECK_NUMBER(line_for(expect, &key, v7_3), 1);
	key = key_of("anon", "longterm", true);
	CHECK_NUMBER(line_for(expect, &key, v7_3), 2);
	key = key_of("anon", "pin", true);
	CHECK_NUMBER(line_for(expect, &key, v7_3), 3);
	key = key_of("anon", "none", false);
	CHECK_NUMBER(line_for(expect, &key, v7_3), 3);
	/* "*" is none too, and a hold that no line names is what it is. */
	key = key_of("special", "get", true);
	CHECK_NUMBER(line_for(expect, &key, v7_3), 3);
	key = key_of("special", "get", false);
	CHECK_NUMBER(line_for(expect, &key, v7_3), 4);
	key = key_of("anon", "get", false);
	CHECK_NUMBER(line_for(expect, &key, v7_3), 0);
}

TEST(contracts_dropped_in_a_list)
{
	static const char expect[] =
		"* * * * none,pin.dropped * OK ok moves -\n"
		"* * * * pin* * REFS ENOMEM stays -\n";
	struct row_key key;

	key = key_of("anon", "pin", true);
	CHECK_NUMBER(line_for(expect, &key, v7_3), 1);
	key = key_of("anon", "get", true);
	CHECK_NUMBER(line_for(expect, &key, v7_3), 1);
	key = key_of("anon", "pin", false);
	CHECK_NUMBER(line_for(expect, &key, v7_3), 2);
	/* A glob does not reach into what was dropped. */
	CHECK_NUMBER(line_for(strchr(expect, '\n') + 1, &key, v7_3), 1);
	key.dropped = true;
	CHECK_NUMBER(line_for(strchr(expect, '\n') + 1, &key, v7_3), 0);
}

TEST(contracts_suspects)
{
	const struct tables tables = {
		"* * ext4 * * 6.5-  OK ok - one\n"
		"* * ext4 * * -6.4  OK ok - one\n"
		"* * xfs  * * *     OK ok - two\n"
		"* * *    * * *     OK ok - -\n"
		"* * *    * * 7.0-  OK ok - three\n", "", ""
	};
	struct row_key key = key_of("ext4", "none", false);
	char names[4][EXPECT_CHANGE];

	CHECK_NUMBER(table_suspects(&tables, &key, names, 4), 2);
	CHECK_STRING(names[0], "one");
	CHECK_STRING(names[1], "three");
	CHECK_NUMBER(table_suspects(&tables, &key, names, 1), 1);
}

TEST(contracts_change)
{
	const struct tables tables = {
		"", "# name commit since title\n"
		"one 0123456789ab v6.5 mm: a title,  with blanks # and no comment\n"
		"two - v7.0 another\n"
		"short - v7.0\n", ""
	};
	struct change change;

	CHECK(table_change(&tables, "one", &change));
	CHECK_STRING(change.commit, "0123456789ab");
	CHECK_STRING(change.since, "v6.5");
	CHECK_STRING(text_format("%.*s", (int)change.title_len, change.title),
		     "mm: a title,  with blanks");
	CHECK(table_change(&tables, "two", &change));
	CHECK_STRING(change.commit, "-");
	CHECK(!table_change(&tables, "three", &change));
	CHECK(!table_change(&tables, "short", &change));
}

TEST(contracts_planned)
{
	const struct tables tables = {
		"", "",
		"mr * dax * * no such device\n"
		"mr * *   * none,*.dropped run\n"
		"mr * *   * pin because of this,  and that # not this\n"
	};
	struct row_key key = key_of("anon", "none", false);
	char reason[ROW_NAME];

	CHECK(table_planned(&tables, &key, reason));
	CHECK_STRING(reason, "");
	key.hold = "pin";
	CHECK(!table_planned(&tables, &key, reason));
	CHECK_STRING(reason, "because of this,  and that");
	key.dropped = true;
	CHECK(table_planned(&tables, &key, reason));
	key.backing = "dax";
	CHECK(!table_planned(&tables, &key, reason));
	CHECK_STRING(reason, "no such device");
	key.backing = "anon";
	key.consumer = "other";
	CHECK(!table_planned(&tables, &key, reason));
	CHECK_STRING(reason, "");
}

TEST(contracts_row_name)
{
	struct row_key key = key_of("ext4_shared", "pin", true), again;
	char name[ROW_NAME];

	row_name(&key, name);
	CHECK_STRING(name, "mr.write.ext4_shared.cma.pin.dropped");
	CHECK(row_parse(name, &again));
	CHECK_STRING(again.consumer, "mr");
	CHECK_STRING(again.access, "write");
	CHECK_STRING(again.backing, "ext4_shared");
	CHECK_STRING(again.placement, "cma");
	CHECK_STRING(again.hold, "pin");
	CHECK(again.dropped);
	key.dropped = false;
	row_name(&key, name);
	CHECK_STRING(name, "mr.write.ext4_shared.cma.pin");
	CHECK(row_parse(name, &again));
	CHECK(!again.dropped);
}

static bool is_row_name(const char *text)
{
	char name[ROW_NAME];
	struct row_key key;

	snprintf(name, sizeof(name), "%s", text);
	return row_parse(name, &key);
}

TEST(contracts_row_name_that_is_none)
{
	CHECK(!is_row_name(""));
	CHECK(!is_row_name("mr.write.anon.cma"));
	CHECK(!is_row_name("mr.write.anon.cma.pin.let_go"));
	CHECK(!is_row_name("mr.write.anon.cma.pin.dropped.twice"));
	CHECK(!is_row_name("mr.write..cma.pin"));
	CHECK(is_row_name("mr.write.anon.cma.pin"));
}

static bool toy_known(const char *kind, const char *glob)
{
	static const char * const names[] = {
		"consumer mr", "access write", "access read", "backing anon",
		"placement cma", "hold none", "hold pin", "hold pin.dropped",
	};
	size_t i, len = strlen(kind);

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(names[i], kind, len) && names[i][len] == ' ' &&
		    list_matches(glob, names[i] + len + 1))
			return true;
	return false;
}

/* What is said about @expect beside a good plan. */
static const char *complaint(const char *expect, const char *plan)
{
	static const char changes[] =
		"one 0123456789ab v6.5 mm: something\n";
	const struct tables tables = { expect, changes, plan };
	static char why[256];

	why[0] = '\0';
	if (!table_check(&tables, toy_known, why))
		return "";
	return why;
}

#define GOOD_PLAN	"* * * * * run\n"

TEST(contracts_check)
{
	CHECK_STRING(complaint("mr write,read a* cma pin,*.dropped 6.5- REFS ENOMEM stays one\n",
			       GOOD_PLAN), "");
	CHECK_STRING(complaint("\nmr write anno cma pin * OK ok - -\n", GOOD_PLAN),
		     "line 2: no backing is called anno");
	CHECK_STRING(complaint("mr write anon cma pin,pni * OK ok - -\n", GOOD_PLAN),
		     "line 1: no hold is called pni");
	CHECK_STRING(complaint("*x write anon cma pin * OK ok - -\n", GOOD_PLAN),
		     "line 1: no consumer is called *x");
	CHECK_STRING(complaint("mr execute anon cma pin * OK ok - -\n", GOOD_PLAN),
		     "line 1: no access is called execute");
	CHECK_STRING(complaint("mr write anon moon pin * OK ok - -\n", GOOD_PLAN),
		     "line 1: no placement is called moon");
	CHECK_STRING(complaint("* * * * * 6.5- OK ok stays two\n", GOOD_PLAN),
		     "expect, line 1: no change is called two");
	CHECK_STRING(complaint("* * * * * 6 OK ok stays -\n", GOOD_PLAN),
		     "expect, line 1: cannot be read");
	CHECK_STRING(complaint("* * * * * * FINE ok stays -\n", GOOD_PLAN),
		     "expect, line 1: cannot be read");
	CHECK_STRING(complaint("* * * * * * OK EWHAT stays -\n", GOOD_PLAN),
		     "expect, line 1: cannot be read");
	CHECK_STRING(complaint("* * * * * * OK ok flies -\n", GOOD_PLAN),
		     "expect, line 1: cannot be read");
	CHECK_STRING(complaint("* * * * * * OK ok stays\n", GOOD_PLAN),
		     "expect, line 1: cannot be read");
	CHECK_STRING(complaint("* * * * * * OK ok stays - -\n", GOOD_PLAN),
		     "expect, line 1: cannot be read");
	CHECK_STRING(complaint("", "* * * * *\n"), "plan, line 1: cannot be read");
	CHECK_STRING(complaint("", "* * * * moon run\n"),
		     "line 1: no hold is called moon");
}

TEST(contracts_check_of_changes)
{
	const struct tables bad = { "", "one - v6.5\n", GOOD_PLAN };
	const struct tables twice = {
		"", "one - v6.5 a\none - v6.6 b\n", GOOD_PLAN
	};
	const struct tables when = { "", "one - 6.5 a\n", GOOD_PLAN };
	const struct tables what = { "", "one g123 v6.5 a\n", GOOD_PLAN };
	const struct tables brief = { "", "one 0123abc v6.5 a\n", GOOD_PLAN };
	char why[256];

	CHECK(table_check(&brief, toy_known, why));
	CHECK_STRING(why, "changes, line 1: cannot be read");
	CHECK(table_check(&bad, toy_known, why));
	CHECK_STRING(why, "changes, line 1: cannot be read");
	CHECK(table_check(&twice, toy_known, why));
	CHECK_STRING(why, "changes, line 2: one again");
	CHECK(table_check(&when, toy_known, why));
	CHECK_STRING(why, "changes, line 1: cannot be read");
	CHECK(table_check(&what, toy_known, why));
	CHECK_STRING(why, "changes, line 1: cannot be read");
}

TEST(contracts_errno_names)
{
	CHECK_NUMBER(errno_by_name("ok"), 0);
	CHECK_NUMBER(errno_by_name("ENOMEM"), ENOMEM);
	CHECK_NUMBER(errno_by_name("EOPNOTSUPP"), EOPNOTSUPP);
	CHECK_NUMBER(errno_by_name("EAGAIN"), EAGAIN);
	CHECK_NUMBER(errno_by_name("0"), -1);
	CHECK_NUMBER(errno_by_name("enomem"), -1);
}
