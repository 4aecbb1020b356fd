// SPDX-License-Identifier: GPL-2.0
/* Tables of many runs, from saved run folders: tests/data/runs. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <libxml/parser.h>

#include "grid.h"
#include "fields.h"
#include "unit.h"

static struct grid_runs runs;
static struct grid grid;

static void load(const char *name)
{
	char *path = text_format("%s/data/runs/%s", unit_tests, name);
	char *error = grid_load(&runs, path, false);

	if (error)
		unit_fail(__FILE__, __LINE__, "%s", error);
}

static void load_two(void)
{
	load("old-movable");
	load("new-movable");
	grid_build(&grid, &runs);
}

static size_t row_of(const char *name)
{
	size_t i;

	for (i = 0; i < grid.nr_rows; i++)
		if (!strcmp(grid.rows[i].name, name))
			return i;
	unit_fail(__FILE__, __LINE__, "no row %s", name);
}

static char *cell(const char *name, size_t column)
{
	return grid_cell_text(&grid, row_of(name), column);
}

TEST(grid_columns)
{
	load_two();
	CHECK_NUMBER(grid.nr_columns, 2);
	CHECK_STRING(grid.columns[0].name, "debian-6.12/movable");
	CHECK_STRING(grid.columns[0].runs[0]->release, "6.12.118+deb13-amd64");
	CHECK_STRING(grid.columns[0].runs[0]->accel, "tcg");
	CHECK_STRING(grid.columns[0].began, "2026-11-29T19:00:00Z");
	CHECK_STRING(grid.columns[1].name, "debian-7.3/movable");
	CHECK_NUMBER(grid.columns[0].counts.passed, 11);
	CHECK_NUMBER(grid.columns[1].counts.failed, 1);
	CHECK_NUMBER(grid.columns[1].counts.skipped, 2);
	CHECK_STRING(grid.columns[1].outcome, "failed");
}

/* What is equal is not marked, and what differs in a verdict alone is. */
TEST(grid_differences)
{
	load_two();
	CHECK(!grid.rows[row_of("causal.mr.held_b")].differs);
	CHECK_STRING(cell("causal.mr.held_b", 0), "ok B ENOMEM REFS, B' ok OK");
	CHECK(grid.rows[row_of("causal.mr.verdict")].differs);
	CHECK_STRING(cell("causal.mr.verdict", 0), "ok A ENOMEM REFS");
	CHECK_STRING(cell("causal.mr.verdict", 1), "ok A ENOMEM TARGET");
	CHECK(grid.rows[row_of("causal.mr.fails")].differs);
	CHECK_STRING(cell("causal.mr.fails", 1), "FAIL: wanted 1, got 2");
	CHECK(grid.rows[row_of("causal.mr.skips")].differs);
	CHECK_STRING(cell("causal.mr.skips", 1), "skip: no-odp: rxe0 has none");
	CHECK(!grid.rows[row_of("plain.one")].differs);
}

/* A row that its program did not report is missing, not "not run". */
TEST(grid_missing_is_seen)
{
	load_two();
	CHECK_NUMBER(grid_cell(&grid, row_of("plain.only_old"), 1), CELL_MISSING);
	CHECK(grid.rows[row_of("plain.only_old")].differs);
	CHECK_NUMBER(grid_cell(&grid, row_of("plain.pins_balanced"), 1),
		     CELL_PASSED);
	CHECK(grid_row_is_check("plain.pins_balanced"));
	CHECK(!grid_row_is_check("plain.only_old"));
}

/* A program that only one of them was asked for makes no difference. */
TEST(grid_not_run_is_no_difference)
{
	load_two();
	CHECK_NUMBER(grid_cell(&grid, row_of("extra.one"), 0), CELL_NOT_RUN);
	CHECK(!grid.rows[row_of("extra.one")].differs);
}

TEST(grid_lost_run_fails)
{
	struct counts n;

	unit_write("result.json", "{\"outcome\":\"passed\",\"exit_code\":0}", 34);
	grid_load_run(&runs, unit_scratch);
	CHECK_STRING(runs.all[0].outcome, "lost VM");
	grid_runs_count(&runs, &n);
	CHECK_NUMBER(n.failed, 1);
	CHECK_NUMBER(grid_runs_exit(&runs), 126);
}

/* All that a run says must be whole, its outcome too. */
TEST(grid_incomplete_run_fails)
{
	static const char incomplete[] =
		"{\"outcome\":\"incomplete\",\"exit_code\":126,\"tests\":[],\"counts\":{\"passed\":0,\"failed\":0,\"skipped\":0}}";

	unit_write("result.json", incomplete, strlen(incomplete));
	grid_load_run(&runs, unit_scratch);
	CHECK_STRING(runs.all[0].tests[0].name, "run.result");
	CHECK_NUMBER(grid_runs_exit(&runs), 126);
}

static bool has_line(const struct grid_lines *l, const char *name, size_t count)
{
	size_t i;

	for (i = 0; i < l->count; i++)
		if (!strcmp(l->all[i].name, name))
			return l->all[i].count == count;
	return false;
}

/* Alike rows are one line; a failure is never inside of one. */
TEST(grid_collapses)
{
	struct grid_lines lines;

	load_two();
	grid_lines_make(&lines, &grid);
	CHECK(has_line(&lines, "group.a.*", 3));
	CHECK(has_line(&lines, "group.b.w", 1));
	CHECK(has_line(&lines, "causal.mr.fails", 1));
	CHECK(has_line(&lines, "plain.only_old", 1));
	CHECK(!has_line(&lines, "group.a.x", 1));
}

TEST(grid_failures_stay_apart)
{
	struct grid_lines lines;

	load_two();
	grid_free(&grid);
	grid_test_add(&runs.all[0], "alike.a", STATUS_FAILED, "one reason");
	grid_test_add(&runs.all[0], "alike.b", STATUS_FAILED, "another");
	grid_build(&grid, &runs);
	grid_lines_make(&lines, &grid);
	CHECK(has_line(&lines, "alike.a", 1));
	CHECK(has_line(&lines, "alike.b", 1));
}

TEST(grid_text_table)
{
	char *text;

	load_two();
	text = grid_text(&grid);
	CHECK(strstr(text, "  1  debian-6.12/movable  6.12.118+deb13-amd64"));
	CHECK(strstr(text, "\n* causal.mr.verdict"));
	CHECK(strstr(text, "1: A ENOMEM REFS; 2: A ENOMEM TARGET\n"));
	CHECK(strstr(text, "\n  causal.mr.held_b"));
	CHECK(strstr(text, "  B ENOMEM REFS, B' ok OK\n"));
	CHECK(strstr(text, "ok    skip  2: no-odp: rxe0 has none\n"));
	CHECK(strstr(text, "ok    MISS\n"));
	CHECK(strstr(text, "\n  group.a.* (3)"));
	CHECK(strstr(text, "rows, 5 of them differ (*)\n"));
}

#define HOSTILE	"bad.</td><script>alert(1)</script>\"'&amp;"

static void write_hostile(void)
{
	struct grid_run *r;

	runs.count = 0;
	r = grid_run_new(&runs, "x");
	r->kernel = text_dup("<b>k</b>");
	r->profile = text_dup("\"p\"");
	r->note = text_dup("]]>");
	r->release = text_dup("</style>");
	r->accel = text_dup("&");
	r->began = text_dup("<!--");
	r->suite = text_dup("s");
	r->outcome = text_dup("failed");
	r->diagnosis = text_dup("");
	r->rank = OUTCOME_FAILED;
	r->exit_code = 1;
	grid_test_add(r, HOSTILE, STATUS_FAILED, "<img src=x onerror=1>\x1b[1m\xff]]>");
	grid_build(&grid, &runs);
	CHECK(!grid_html_write(&grid, unit_path("t.html")));
	CHECK(!grid_junit_write(&grid, unit_path("t.xml")));
	CHECK(!grid_json_write(&grid, &runs, unit_path("t.json")));
}

static xmlNodePtr find(xmlNodePtr node, const char *element)
{
	xmlNodePtr found;

	for (; node; node = node->next) {
		if (node->type != XML_ELEMENT_NODE)
			continue;
		if (!strcmp((const char *)node->name, element))
			return node;
		found = find(node->children, element);
		if (found)
			return found;
	}
	return NULL;
}

/* The page is well-formed, and what a guest said stays text. */
TEST(grid_html_escapes)
{
	xmlNodePtr root, body;
	char *page;
	xmlDocPtr doc;

	write_hostile();
	doc = xmlReadFile(unit_path("t.html"), NULL, XML_PARSE_NONET);
	CHECK(doc);
	root = xmlDocGetRootElement(doc);
	CHECK(!find(root, "script"));
	CHECK(!find(root, "img"));
	body = find(root, "tbody");
	CHECK(body);
	CHECK(strstr((char *)xmlNodeGetContent(find(body, "th")), HOSTILE));
	CHECK(strstr((char *)xmlNodeGetContent(find(body, "td")),
		     "FAIL<img src=x onerror=1>?[1m?]]>"));
	page = unit_read(unit_path("t.html"), NULL);
	CHECK(text_starts(page, "<!DOCTYPE html>\n"));
	CHECK(!strstr(page, "<script"));
	CHECK(!strstr(page, "<img"));
	CHECK(!strstr(page, "http"));
	CHECK(!strstr(page, "<td/>"));
}

/* A browser takes the style sheet as it stands: nothing in it is escaped. */
TEST(grid_html_style_is_raw)
{
	char *page, *style, *end;

	load_two();
	CHECK(!grid_html_write(&grid, unit_path("t.html")));
	page = unit_read(unit_path("t.html"), NULL);
	style = strstr(page, "<style>");
	end = strstr(page, "</style>");
	CHECK(style && end);
	*end = '\0';
	CHECK(!strchr(style, '&'));
	CHECK(strstr(style, "prefers-color-scheme: dark"));
	CHECK(strstr(style, "position: sticky"));
}

TEST(grid_junit_escapes)
{
	xmlNodePtr suite, test;
	xmlDocPtr doc;

	write_hostile();
	doc = xmlReadFile(unit_path("t.xml"), NULL, XML_PARSE_NONET);
	CHECK(doc);
	suite = find(xmlDocGetRootElement(doc), "testsuite");
	CHECK_STRING((char *)xmlGetProp(suite, BAD_CAST "failures"), "1");
	CHECK_STRING((char *)xmlGetProp(suite, BAD_CAST "name"), "<b>k</b>/\"p\"");
	test = find(suite, "testcase");
	CHECK_STRING((char *)xmlGetProp(test, BAD_CAST "name"),
		     strchr(HOSTILE, '.') + 1);
}

/* A merged file says the same as the folders that it was made of. */
TEST(grid_json_goes_round)
{
	char *before;

	load_two();
	before = grid_text(&grid);
	CHECK(!grid_json_write(&grid, &runs, unit_path("t.json")));
	grid_free(&grid);
	grid_runs_free(&runs);
	CHECK(!grid_load(&runs, unit_path("t.json"), false));
	grid_build(&grid, &runs);
	CHECK_STRING(grid_text(&grid), before);
}

static void tampered(const char *from, const char *to)
{
	char *file = unit_read(unit_path("t.json"), NULL), *at;
	struct grid_runs again = { 0 };
	struct text t = { 0 };

	at = strstr(file, from);
	CHECK(at);
	text_add(&t, file, at - file);
	text_puts(&t, to);
	text_puts(&t, at + strlen(from));
	unit_write("bad.json", t.s, t.len);
	if (!grid_load(&again, unit_path("bad.json"), false))
		unit_fail(__FILE__, __LINE__, "took \"%s\" for \"%s\"", to, from);
}

TEST(grid_json_that_is_not_whole)
{
	load_two();
	CHECK(!grid_json_write(&grid, &runs, unit_path("t.json")));
	tampered("pinprobe-results-1", "pinprobe-results-2");
	tampered("\"exit_code\":1", "\"exit_code\":0");
	tampered("\"outcome\":\"failed\"", "\"outcome\":\"passed\"");
	tampered("\"status\":\"skipped\"", "\"status\":\"fine\"");
	tampered("\"runs\":", "\"walks\":");
	tampered("\"suite\":", "\"sweet\":");
}
