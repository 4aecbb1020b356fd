// SPDX-License-Identifier: GPL-2.0
/* The lists in vm/ and the small things that read them. */
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "lines.h"
#include "patterns.h"
#include "skips.h"
#include "unit.h"

static char *deny_error(const char *list)
{
	struct patterns p;
	char *path = unit_path("list"), *error;

	unit_write("list", list, strlen(list));
	error = patterns_load_deny(&p, path);
	patterns_free(&p);
	free(path);
	return error;
}

static char *allow_error(const char *list)
{
	struct patterns p;
	char *path = unit_path("list"), *error;

	unit_write("list", list, strlen(list));
	error = patterns_load_allow(&p, path, "7.3.4");
	patterns_free(&p);
	free(path);
	return error;
}

static char *skips_error(const char *list)
{
	struct skips s;
	char *path = unit_path("list"), *error;

	unit_write("list", list, strlen(list));
	error = skips_load(&s, path);
	skips_free(&s);
	free(path);
	return error;
}

TEST(deny_list)
{
	struct patterns p;

	CHECK(!deny_error("# comment\n\n^WARNING: x\n"));
	CHECK(strstr(deny_error(""), "no pattern in the deny list"));
	CHECK(strstr(deny_error("# only\n\n\t\t\n# comments\n"), "no pattern"));
	CHECK(strstr(deny_error("ok\n(\n"), "list:2: bad pattern \"(\""));
	CHECK(strstr(patterns_load_deny(&p, "/nonexistent/deny"),
		     "/nonexistent/deny: No such file"));
	CHECK(patterns_load_deny(&p, "/") != NULL);
}

TEST(allow_list)
{
	CHECK(!allow_error(""));
	CHECK(!allow_error("# x\n*\t^WARNING\tbecause\n"));
	CHECK(allow_error("^WARNING\n"));
	CHECK(allow_error("*\t^WARNING\n"));
	CHECK(allow_error("*\t^WARNING\t\n"));
	CHECK(allow_error("*\t^WARNING\t  "));
	CHECK(allow_error("\t^WARNING\tbecause\n"));
	CHECK(allow_error("*\t\tbecause\n"));
	CHECK(allow_error("*\t(\tbecause\n"));
}

TEST(lists_of_this_project)
{
	struct patterns p;
	struct skips s;
	char *path;

	path = text_format("%s/console-deny", unit_vm);
	CHECK(!patterns_load_deny(&p, path));
	path = text_format("%s/console-allow", unit_vm);
	CHECK(!patterns_load_allow(&p, path, NULL));
	path = text_format("%s/expected-skips", unit_vm);
	CHECK(!skips_load(&s, path));
}

/* The head of vm/expected-skips explains each reason that the code takes. */
TEST(skip_reasons_are_explained)
{
	char *path = text_format("%s/expected-skips", unit_vm);
	char *list = unit_read(path, NULL), *line, *rest = list;
	size_t i, explained = 0, known = 0;

	for (i = 0; skip_reasons[i]; i++) {
		char *want = text_format("\n#   %s\t", skip_reasons[i]);

		if (!strstr(list, want))
			unit_fail(__FILE__, __LINE__, "%s is not explained",
				  skip_reasons[i]);
		free(want);
		known++;
	}
	while ((line = strsep(&rest, "\n")))
		explained += text_starts(line, "#   ");
	CHECK_NUMBER(explained, known);
}

TEST(skips_list)
{
	CHECK(!skips_error("# x\n\ndebian-* cma a.* no-cma\n"));
	CHECK(skips_error("debian-* cma a.*\n"));
	CHECK(skips_error("debian-* cma a.* whatever\n"));
	CHECK(skips_error("debian-* cma a.* no-cma and more\n"));
}

static char *skip_said;

static enum status skip_status(const char *rules, const char *reason)
{
	struct results r = { 0 };
	struct result *one = results_add(&r, "prog", "prog.a.b",
					 STATUS_SKIPPED);
	struct skips s;
	char *path = unit_path("list");

	one->reason = reason ? text_dup(reason) : NULL;
	unit_write("list", rules, strlen(rules));
	CHECK(!skips_load(&s, path));
	skips_apply(&s, &r, "debian-6.12", "movable");
	skip_said = r.all[0].reason;
	return r.all[0].status;
}

TEST(skips_apply_rules)
{
	static const char rules[] = "debian-6.* mov* prog.a.* no-cma\n";

	CHECK_NUMBER(skip_status(rules, "no-cma: CmaTotal is 0"), STATUS_SKIPPED);
	CHECK_NUMBER(skip_status(rules, "no-cma"), STATUS_SKIPPED);
	CHECK_NUMBER(skip_status(rules, "no-cma and more"), STATUS_SKIPPED);
	CHECK_NUMBER(skip_status(rules, "no-cmas"), STATUS_FAILED);
	CHECK_NUMBER(skip_status(rules, "no-rxe: x"), STATUS_FAILED);
	CHECK_NUMBER(skip_status(rules, "I do not like it"), STATUS_FAILED);
	CHECK_STRING(skip_said,
		     "skipped without a reason of the list (it said: I do not like it)");
	CHECK_NUMBER(skip_status(rules, ""), STATUS_FAILED);
	CHECK_NUMBER(skip_status(rules, NULL), STATUS_FAILED);
	CHECK_NUMBER(skip_status("", "no-cma"), STATUS_FAILED);
	CHECK_NUMBER(skip_status("debian-7.* * * no-cma\n", "no-cma"),
		     STATUS_FAILED);
	CHECK_NUMBER(skip_status("* cma * no-cma\n", "no-cma"), STATUS_FAILED);
	CHECK_NUMBER(skip_status("* * other.* no-cma\n", "no-cma"),
		     STATUS_FAILED);
}

static char *unmet(const char *facts, const char *expect)
{
	struct expects e = { 0 };
	struct facts f = { 0 };
	char *copy = text_dup(facts), *rest = copy, *line, *bad;

	while ((line = strsep(&rest, " ")))
		facts_add(&f, line);
	if (!expects_parse(&e, expect, &bad))
		unit_fail(__FILE__, __LINE__, "bad: %s", bad);
	free(copy);
	return expects_check(&e, &f, "cma");
}

TEST(expect_met)
{
	static const char facts[] =
		"cma_total_kb=524288 cma_blocks=256 zones=dma32,movable x=";

	CHECK(!unmet(facts, ""));
	CHECK(!unmet(facts, "cma_total_kb=524288"));
	CHECK(!unmet(facts, "cma_total_kb>=524288 cma_total_kb<=524288"));
	CHECK(!unmet(facts, "cma_blocks>=255 cma_blocks!=255"));
	CHECK(!unmet(facts, "zones=dma32,movable zones!=dma32"));
	CHECK(!unmet("cma_total_kb=none", "cma_total_kb=0"));
}

TEST(expect_not_met)
{
	static const char facts[] = "cma_total_kb=0 cma_blocks=256 zones=dma32";

	CHECK_STRING(unmet(facts, "cma_total_kb=524288"),
		     "profile cma: wanted cma_total_kb=524288, got 0: no CMA area: cma= was not given or did not fit, or this kernel has no CONFIG_CMA");
	CHECK_STRING(unmet("cma_total_kb=none", "cma_total_kb>=1"),
		     "profile cma: wanted cma_total_kb>=1, got none: this kernel has no CONFIG_CMA");
	CHECK(unmet(facts, "cma_blocks>=257"));
	CHECK(unmet(facts, "cma_blocks<=255"));
	CHECK(unmet(facts, "cma_blocks!=256"));
	CHECK(unmet(facts, "zones=dma"));
	CHECK(unmet(facts, "zones>=1"));
	CHECK_STRING(unmet(facts, "cma_blocks=256 a=1 b!=2"),
		     "profile cma: wanted a=1, got nothing: the guest did not report it; wanted b!=2, got nothing: the guest did not report it");
	/* a fact repeated later changes nothing */
	CHECK(unmet("a=1 a=2", "a=2"));
}

TEST(expect_is_malformed)
{
	static const char * const bad[] = {
		"a", "=1", "a=", "a>1", "a>=x", "a<=", "a==", "a!1",
	};
	struct expects e = { 0 };
	size_t i;
	char *word;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		if (expects_parse(&e, bad[i], &word))
			unit_fail(__FILE__, __LINE__, "took \"%s\"", bad[i]);
}

TEST(text_is_made_printable)
{
	static const struct {
		const char *in;
		const char *out;
	} all[] = {
		{ "plain \t\n", "plain \t\n" },
		{ "\x1b[31m", "?[31m" },
		{ "\r\x7f\x01", "???" },
		{ "\xe2\x86\x92 \xc2\xb7", "\xe2\x86\x92 \xc2\xb7" },
		{ "\xff\xfe", "??" },
		{ "\xc0\xaf", "??" },			/* overlong */
		{ "\xed\xa0\x80", "???" },		/* surrogate */
		{ "\xf4\x90\x80\x80", "????" },		/* beyond Unicode */
		{ "\xef\xbf\xbe", "???" },		/* not a character in XML */
		{ "\xc2\x9b", "??" },			/* CSI in one character */
		{ "\xe2\x86", "??" },			/* cut off */
		{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++)
		CHECK_STRING(text_printable(all[i].in, strlen(all[i].in)),
			     all[i].out);
}

TEST(text_is_quoted_for_a_shell)
{
	struct text t = { 0 };

	text_quote(&t, "plain-1.2/x=y,z");
	text_puts(&t, " ");
	text_quote(&t, "it's $HOME");
	text_puts(&t, " ");
	text_quote(&t, "");
	CHECK_STRING(t.s, "plain-1.2/x=y,z 'it'\\''s $HOME' ''");
}

static void join(void *ctx, char *line, bool cut)
{
	text_printf(ctx, "[%s%s]", line, cut ? "+" : "");
}

TEST(lines_are_cut)
{
	struct text t = { 0 };
	struct lines l;

	lines_init(&l, 8, 0, join, &t);
	lines_feed(&l, "ab\r\n\ncde", 8);
	lines_feed(&l, "f\n0123456789", 12);
	lines_feed(&l, "0123\nx\nend", 10);
	lines_flush(&l);
	CHECK_STRING(t.s, "[ab][][cdef][01234567+][x][end]");
}

TEST(lines_overlap)
{
	struct text t = { 0 };
	struct lines l;

	lines_init(&l, 8, 3, join, &t);
	lines_feed(&l, "0123456789abcdef\nx\n", 19);
	CHECK_STRING(t.s, "[01234567+][56789abc+][abcdef][x]");
}
