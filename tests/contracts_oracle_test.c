// SPDX-License-Identifier: GPL-2.0
/* Questions to a small oracle, in many ways of asking. */
#include <stdio.h>
#include <string.h>

#include "contracts_toy.h"
#include "unit.h"
#include "../selftests/oracle/answer.c"
#include "../selftests/oracle/names.c"
#include "../selftests/oracle/page.c"
#include "../selftests/oracle/page_lists.c"
#include "../selftests/oracle/page_text.c"
#include "../selftests/oracle/question.c"

static const struct store store = {
	.kernel = { { 7, 3 }, { 6, 12 }, { 6, 1 } }, .nr = 3,
};

/* What is said to a question; its exit code in *ret. Fails if both are said. */
static char *asked(const char *words, int *ret)
{
	char *copy = text_dup(words), *out, *complaints;
	struct question *question = text_alloc(sizeof(*question));
	size_t len[2];
	FILE *f[2] = {
		open_memstream(&out, &len[0]), open_memstream(&complaints, &len[1])
	};

	CHECK(f[0] && f[1]);
	question_read(question, 1, &copy);
	*ret = answer(question, &store, f[0], f[1]);
	fclose(f[0]);
	fclose(f[1]);
	CHECK(!*out || !*complaints);
	return *out ? out : complaints;
}

#define ANSWERS(words, wanted)						\
	do {								\
		int code;						\
									\
		CHECK_STRING(asked(words, &code), wanted);		\
		CHECK_NUMBER(code, 0);					\
	} while (0)

#define ENDS(words, wanted_code, wanted)				\
	do {								\
		int code;						\
									\
		CHECK_STRING(asked(words, &code), wanted);		\
		CHECK_NUMBER(code, wanted_code);			\
	} while (0)

#define BY_RULE	"; by rule, rows are not run on this version"

TEST(oracle_one_line)
{
	ANSWERS("ext4 shared write longterm 6.8",
		"rxe_mr.write.ext4_shared.*.none on 6.8: PERM, EFAULT, the page stays, since v6.5 (0123456789ab \"mm: no such pins any more\")"
		BY_RULE "\n");
	ANSWERS("anon cma held by pin on 7.3",
		"rxe_mr.write.anon.cma.pin on 7.3: REFS, ENOMEM, the page stays\n");
}

/* What is a kind of consumer is a hold where a hold is spoken of. */
TEST(oracle_held)
{
	ANSWERS("cma held longterm read",
		"rxe_mr.read.anon.cma.longterm on 7.3: OK, the page stays\n");
	ANSWERS("pin_fast longterm cma after longterm",
		"pin_fast_longterm.write.anon.cma.longterm on 7.3: OK, the page stays\n");
}

TEST(oracle_defaults)
{
	ANSWERS("cma", "rxe_mr.write.anon.cma.none on 7.3: OK, the page moves\n");
	ANSWERS("cma read", "rxe_mr.read.anon.cma.none on 7.3: OK, the page moves\n");
	/* who cannot write is not asked to */
	ANSWERS("offline cma",
		"offline.read.anon.cma.none on 7.3: OK, the page moves\n");
	ANSWERS("cma dropped pin",
		"rxe_mr.write.anon.cma.pin.dropped on 7.3: OK, the page moves\n");
	ANSWERS("cma hold=none dropped",
		"rxe_mr.write.anon.cma.none on 7.3: OK, the page moves\n");
	ANSWERS("cma dropped",
		"rxe_mr.write.anon.cma.pin.dropped on 7.3: OK, the page moves\n"
		"rxe_mr.write.anon.cma.longterm.dropped on 7.3: OK, the page stays\n");
}

TEST(oracle_places_that_differ)
{
	ANSWERS("anon 6.1",
		"rxe_mr.write.anon.ordinary.none on 6.1: OK, the page stays\n"
		"rxe_mr.write.anon.cma.none on 6.1: OK, the page moves\n"
		"rxe_mr.write.anon.movable.none on 6.1: OK, the page moves\n");
	ANSWERS("anon 6.1 unpinnable",
		"rxe_mr.write.anon.*.none on 6.1: OK, the page moves\n");
	ANSWERS("anon 6.1 pinnable",
		"rxe_mr.write.anon.ordinary.none on 6.1: OK, the page stays\n");
	/* places without rows are not asked about unless somebody does */
	ANSWERS("offline memfd pin",
		"offline.read.memfd.*.pin on 7.3: REFS, EBUSY, the page stays\n");
	ANSWERS("offline.read.memfd.*.pin",
		"offline.read.memfd.*.pin on 7.3: REFS, EBUSY, the page stays\n");
	/* and where there are none anywhere, that is the answer */
	ANSWERS("pin_fast hold=pin",
		"pin_fast.write.anon.*.pin on 7.3: OK, the page stays; no row, never run: holds do not matter to it\n");
	ANSWERS("offline memfd ordinary after pin",
		"offline.read.memfd.ordinary.pin on 7.3: REFS, EBUSY, the page stays; no row, never run: nobody wants it\n");
}

TEST(oracle_kernels)
{
	static const char old[] =
		"rxe_mr.write.ext4_shared.cma.none on 6.4: OK, the page moves" BY_RULE "\n";

	ANSWERS("ext4_shared cma 6.4", old);
	ANSWERS("ext4_shared cma v6.4.16", old);
	ANSWERS("ext4_shared cma linux-6.4-rc3", old);
	ANSWERS("cma debian-6.12-arm64",
		"rxe_mr.write.anon.cma.none on 6.12: OK, the page moves\n");
	ANSWERS("cma 9.9", "rxe_mr.write.anon.cma.none on 9.9: OK, the page moves" BY_RULE "\n");
}

/* Which side of a change a version is on. */
TEST(oracle_since_and_until)
{
	toy_tables("* * * * * 6.5- PERM EFAULT - one\n* * * * * * OK ok moves one\n",
		   "one - v6.5 a title\n", "* * * * * run\n");
	ANSWERS("cma 6.4", "rxe_mr.write.anon.cma.none on 6.4: OK, the page moves, until v6.5 (\"a title\")"
		BY_RULE "\n");
	ANSWERS("cma 6.12", "rxe_mr.write.anon.cma.none on 6.12: PERM, EFAULT, since v6.5 (\"a title\")\n");
	/* nor is 7.3 before 6.12 */
	toy_tables("* * * * * * OK ok - one\n", "one 0123456789ab v6.12 t\n", NULL);
	ANSWERS("cma 7.3", "rxe_mr.write.anon.cma.none on 7.3: OK, since v6.12 (0123456789ab \"t\")\n");
	/* 6.12 is not before 6.5 */
	toy_tables("* * * * * * OK ok - one\n", "one 0123456789ab v6.12 t\n", NULL);
	ANSWERS("cma 6.5", "rxe_mr.write.anon.cma.none on 6.5: OK, until v6.12 (0123456789ab \"t\")"
		BY_RULE "\n");
}

TEST(oracle_spellings)
{
	static const char wanted[] =
		"pin_fast_longterm.write.memfd.cma.none on 7.3: OK, the page moves\n";

	ANSWERS("pin_fast_longterm memfd cma", wanted);
	ANSWERS("Pin-Fast-Longterm MEMFD CMA", wanted);
	ANSWERS("pin_fast longterm memfd cma", wanted);
	ANSWERS("longterm pin_fast memfd cma", wanted);
	ANSWERS("what does pin_fast longterm do on a memfd in CMA, on Linux?", wanted);
	ANSWERS("consumer=pin_fast_longterm backing=memfd placement:cma hold=none", wanted);
	ANSWERS("pin_fast_longterm.write.memfd.cma.none", wanted);
	ANSWERS("memf cma", "rxe_mr.write.memfd.cma.none on 7.3: OK, the page moves\n");
	ANSWERS("ibv_reg_mr ZONE_MOVABLE rw",
		"rxe_mr.write.anon.movable.none on 7.3: OK, the page moves\n");
	ANSWERS("pin_fast cma",
		"pin_fast.write.anon.cma.none on 7.3: OK, the page stays\n");
	ANSWERS("pin_fast fast cma",
		"pin_fast.write.anon.cma.none on 7.3: OK, the page stays\n");
	ANSWERS("shortterm cma",
		"pin_fast.write.anon.cma.none on 7.3: OK, the page stays\n");
}

/* It understands what it says. */
TEST(oracle_rows_as_it_prints_them)
{
	ANSWERS("rxe_mr.write.ext4_shared.*.none 6.12",
		"rxe_mr.write.ext4_shared.*.none on 6.12: PERM, EFAULT, the page stays, since v6.5 (0123456789ab \"mm: no such pins any more\")\n");
	ANSWERS("rxe_mr.read.anon.cma.pin.dropped",
		"rxe_mr.read.anon.cma.pin.dropped on 7.3: OK, the page moves\n");
	ANSWERS("pin*.read.memfd.cma.none",
		"pin_fast.read.memfd.cma.none on 7.3: OK, the page stays\n"
		"pin_fast_longterm.read.memfd.cma.none on 7.3: OK, the page moves\n");
	ENDS("rxe_mr.write.nothing.cma.none", 2,
	     "oracle: no backing is all that was said of it\n");
}

TEST(oracle_ambiguous)
{
	ANSWERS("ext4 cma 6.12",
		"rxe_mr.write.ext4_private.cma.none on 6.12: OK, the page moves\n"
		"rxe_mr.write.ext4_shared.cma.none on 6.12: PERM, EFAULT, the page stays, since v6.5 (0123456789ab \"mm: no such pins any more\")\n");
	ANSWERS("ext4 private cma",
		"rxe_mr.write.ext4_private.cma.none on 7.3: OK, the page moves\n");
	/* a part of a name is more than a word about another */
	ANSWERS("shared cma read",
		"rxe_mr.read.ext4_shared.cma.none on 7.3: OK, the page moves\n");
	ANSWERS("backing=* cma read",
		"rxe_mr.read.anon.cma.none on 7.3: OK, the page moves\n"
		"rxe_mr.read.memfd.cma.none on 7.3: OK, the page moves\n"
		"rxe_mr.read.ext4_private.cma.none on 7.3: OK, the page moves\n"
		"rxe_mr.read.ext4_shared.cma.none on 7.3: OK, the page moves\n");
}

TEST(oracle_not_understood)
{
	ENDS("xfs write", 2, "oracle: \"xfs\" means nothing here\n");
	ENDS("memdf cma, frobnicated", 2,
	     "oracle: \"memdf\" means nothing here (memfd?)\n"
	     "oracle: \"frobnicated\" means nothing here\n");
	ENDS("backing=cma", 2, "oracle: \"backing=cma\" means nothing here\n");
	ENDS("memfd ext4", 2, "oracle: no backing is all that was said of it\n");
	ENDS("cma movable", 2, "oracle: no placement is all that was said of it\n");
	ENDS("6", 2, "oracle: \"6\" means nothing here\n");
	ENDS("6.x", 2, "oracle: \"6.x\" means nothing here\n");
}

TEST(oracle_tables_do_not_say)
{
	toy_tables("* * memfd * * * OK ok - -\n", NULL, "* * * * * run\n");
	ENDS("anon cma", 1,
	     "rxe_mr.write.anon.cma.none on 7.3: the tables do not say\n");
	ENDS("offline write cma", 1, "oracle: it never asks for that access\n");
}

static char *page(void)
{
	size_t len;
	char *text;
	FILE *f = open_memstream(&text, &len);

	CHECK(f);
	CHECK_NUMBER(page_write(&store, f), 0);
	fclose(f);
	return text;
}

/* The text of a section, without its head. */
static char *section(const char *text, const char *title)
{
	char *begin = strstr(text, text_format("\n%s\n", title)), *end;

	CHECK(begin);
	begin = strchr(begin + 1, '\n') + 1;
	begin = strchr(begin, '\n') + 1;
	for (end = begin; *end; end++)
		if (!strncmp(end, "\n---", 4) || !strncmp(end, "\n===", 4))
			break;
	return text_dup_len(begin, end - begin);
}

TEST(oracle_page_cells)
{
	char *text = page();

	CHECK(strstr(section(text, "Linux 6.1"),
		     "   * - `ext4_shared <backing ext4_shared_>`__\n"
		     "     - `OK stays <rxe_mr.write.ext4_shared.ordinary.none_>`__\n"
		     "     - `OK moves <rxe_mr.write.ext4_shared.cma.none_>`__\n"));
	CHECK(strstr(section(text, "Linux 7.3"),
		     "     - write: `PERM EFAULT stays <rxe_mr.write.ext4_shared.ordinary.none_>`__ (`v6.5 <change ext4_write_>`__); read: `OK stays <rxe_mr.read.ext4_shared.ordinary.none_>`__\n"));
	CHECK(strstr(section(text, "By consumer"),
		     "   * - `offline <consumer offline_>`__\n     - no row\n"));
	CHECK(strstr(section(text, "By earlier hold"),
		     "   * - `pin.dropped <hold pin_>`__\n"
		     "     - `OK stays <rxe_mr.write.anon.ordinary.pin.dropped_>`__\n"));
	CHECK(strstr(text, "_`change ext4_write`\n    v6.5, commit 0123456789ab, \"mm: no such pins any more\"\n"));
	CHECK(strstr(section(text, "What is not run"),
		     "- ``pin_fast * * * *``: holds do not matter to it\n"));
}

TEST(oracle_page_rows)
{
	char *text = page();

	CHECK(strstr(text, "- _`rxe_mr.write.anon.cma.none`: OK moves\n"));
	CHECK(strstr(text, "- _`rxe_mr.write.ext4_shared.cma.none`: 6.1: OK moves; 6.12 to 7.3: PERM EFAULT stays (`v6.5 <change ext4_write_>`__)\n"));
	CHECK(!strstr(text, "_`pin_fast.write.anon.cma.pin`"));
	CHECK(strstr(section(text, "backing"),
		     "_`backing memfd`\n    memfd, mapped shared\n"));
}

/* Each link leads somewhere. */
TEST(oracle_page_links)
{
	char *text = page(), *at = text, *end, *target;
	size_t nr = 0;

	while ((at = strstr(at, " <"))) {
		end = strchr(at, '>');
		CHECK(end);
		if (end[-1] == '_') {
			target = text_format("_`%.*s`", (int)(end - at - 3), at + 2);
			if (!strstr(text, target))
				unit_fail(__FILE__, __LINE__, "no %s", target);
			nr++;
		}
		at = end;
	}
	CHECK(nr > 50);
}

/* No two places have the same name. */
TEST(oracle_page_targets)
{
	char *text = page(), *at = text, *end, *target;
	size_t nr = 0;

	for (; (at = strstr(at, "_`")); at = end, nr++) {
		end = strchr(at + 2, '`');
		CHECK(end);
		target = text_dup_len(at, end + 1 - at);
		if (strstr(end, target))
			unit_fail(__FILE__, __LINE__, "%s twice", target);
	}
	CHECK(nr > 50);
}

TEST(oracle_page_escapes)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	text_plain(f, "a* `b` c_ d_e |f\\", 17);
	fclose(f);
	CHECK_STRING(text, "a\\* \\`b\\` c\\_ d_e \\|f\\\\");
}
