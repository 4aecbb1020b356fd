// SPDX-License-Identifier: GPL-2.0
/* Table, JSON and chart of saved records, and what is no measurement. */
#include <stdlib.h>
#include <string.h>

#include <libxml/parser.h>

#include "chart.h"
#include "placement.h"
#include "unit.h"
#include "vmrun_cli.h"

#define RESULT	"{\"outcome\":\"%s\",\"asked\":{\"profile\":\"%s\",\"kernel_name\":\"own<&>\",\"kernel_note\":\"n\"},\"facts\":{\"release\":\"7.3\"}}"
#define RECORD	"{\"type\":\"placement\",\"class\":\"%s\",\"step\":0,\"touched_kb\":%d,\"pages\":%d,\"cma\":%d,\"movable\":%d,\"ordinary\":%d,\"mem_free_kb\":%d,\"cma_free_kb\":%d,\"zones_free_kb\":%d,\"class_free_kb\":%d}\n"

/* A run folder in the scratch folder; records as they are given. */
static void folder(const char *outcome, const char *profile,
		   const char *records)
{
	char *result = text_format(RESULT, outcome, profile);

	unit_write("result.json", result, strlen(result));
	unit_write("records.jsonl", records, strlen(records));
}

/* 4 MiB, of which 3/4 go to CMA, then 1/4. */
static const char *records(const char *class)
{
	return text_format("{\"type\":\"case\"}\n" RECORD RECORD RECORD, class,
			   0, 0, 0, 0, 0, 81920, 61440, 81920, 61440,
			   class, 4096, 1024, 768, 0, 256, 77824, 40960, 77824,
			   40960, class, 8192, 1024, 256, 512, 256, 73728,
			   36864, 73728, 36864);
}

static void load(struct placement *p)
{
	char *error;

	folder("passed", "p", records("cma"));
	memset(p, 0, sizeof(*p));
	error = placement_load(p, unit_scratch);
	if (error)
		unit_fail(__FILE__, __LINE__, "%s", error);
}

static char *real_run(void)
{
	return text_format("%s/data/placement/stock", unit_tests);
}

TEST(placement_of_a_real_run)
{
	struct placement p = { 0 };
	const struct placement_series *s;
	size_t i;

	CHECK(!placement_load(&p, real_run()));
	CHECK_STRING(p.profile, "cma");
	CHECK(!p.movable);
	CHECK_NUMBER(p.count, 1);
	s = &p.series[0];
	CHECK_STRING(s->label, "debian-7.3 7.3.4+deb13-amd64 (stock)");
	CHECK_NUMBER(s->count, 25);
	CHECK_NUMBER(s->steps[24].touched_kb, 786432);
	/* First all of it is CMA, and from the half on every other page. */
	for (i = 2; i < 5; i++)
		CHECK(placement_share(&p, &s->steps[i]) > 99);
	CHECK_NUMBER(placement_half(&p, s), 5);
	for (i = 6; i < s->count; i++) {
		CHECK(placement_share(&p, &s->steps[i]) > 49);
		CHECK(placement_share(&p, &s->steps[i]) < 51);
	}
}

TEST(placement_shares)
{
	struct placement p;
	const struct placement_step *steps;

	load(&p);
	steps = p.series[0].steps;
	CHECK_NUMBER(p.series[0].count, 3);
	CHECK_NUMBER(placement_share(&p, &steps[1]), 75);
	CHECK_NUMBER(placement_free_share(&steps[0]), 75);
	CHECK_NUMBER(placement_half(&p, &p.series[0]), 2);
	CHECK_STRING(placement_class(&p), "CMA");
	p.movable = true;
	CHECK_NUMBER(placement_share(&p, &steps[2]), 50);
	CHECK_NUMBER(placement_half(&p, &p.series[0]), 0);
	CHECK_STRING(placement_class(&p), "ZONE_MOVABLE");
}

/* Half from the start: nothing has been crossed. */
TEST(placement_never_above_half)
{
	struct placement p;

	load(&p);
	p.series[0].steps[0].class_free_kb = 40960;
	CHECK_NUMBER(placement_half(&p, &p.series[0]), 0);
}

TEST(placement_table_rows)
{
	struct placement p;

	load(&p);
	CHECK_STRING(placement_table(&p),
		     "profile p: percent of the pages faulted in by each step that lie in CMA\n"
		     "           | own<&> 7.3 (n)\n"
		     " touched   |   in CMA    MemFree   CmaFree  of zone free\n"
		     "    0 MiB  |        -     80 MiB    60 MiB          75 %\n"
		     "    4 MiB  |     75 %     76 MiB    40 MiB          53 %\n"
		     "    8 MiB  |     25 %     72 MiB    36 MiB          50 %\n"
		     "own<&> 7.3 (n): free CMA down to half of its zones' free memory at 8 MiB\n");
}

TEST(placement_table_of_two)
{
	struct placement p;

	load(&p);
	CHECK(!placement_load(&p, unit_scratch));
	p.series[1].count = 2;
	CHECK(strstr(placement_table(&p),
		     "    4 MiB  |     75 %     76 MiB    40 MiB          53 % |     75 %     76 MiB    40 MiB          53 %\n"));
	CHECK(strstr(placement_table(&p),
		     "    8 MiB  |     25 %     72 MiB    36 MiB          50 % |\n"));
}

TEST(placement_json_members)
{
	json_object *j, *all, *steps, *value;
	struct placement p;

	load(&p);
	j = placement_json(&p);
	CHECK(json_object_object_get_ex(j, "series", &all));
	CHECK_NUMBER(json_object_array_length(all), 1);
	CHECK(json_object_object_get_ex(json_object_array_get_idx(all, 0),
					"steps", &steps));
	CHECK_NUMBER(json_object_array_length(steps), 3);
	CHECK(json_object_object_get_ex(json_object_array_get_idx(steps, 1),
					"share_percent", &value));
	CHECK_STRING(json_object_to_json_string(value), "75.00");
	/* Nothing was faulted in: no share, rather than one of 0. */
	CHECK(!json_object_object_get_ex(json_object_array_get_idx(steps, 0),
					 "share_percent", &value));
}

static void refused(const char *outcome, const char *profile,
		    const char *lines, const char *why)
{
	struct placement p = { .profile = text_dup("p") };
	char *error;

	folder(outcome, profile, lines);
	error = placement_load(&p, unit_scratch);
	if (!error || !strstr(error, why))
		unit_fail(__FILE__, __LINE__, "got \"%s\", want \"%s\"",
			  error ? error : "(none)", why);
	CHECK_NUMBER(p.count, 0);
}

static char *two(int touched, int pages, int cma, int class_free)
{
	return text_format(RECORD RECORD, "cma", 0, 0, 0, 0, 0, 9, 5, 9, 5,
			   "cma", touched, pages, cma, 0, 0, 9, 5, 9, class_free);
}

TEST(placement_that_is_none)
{
	char *good = two(4, 1, 1, 5);

	refused("failed", "p", good, "the run did not pass: failed");
	refused("passed", "q", good, "it is of profile q, not p");
	refused("passed", "p", "{\"type\":\"page\"}\n", "nothing was measured");
	refused("passed", "p", text_format(RECORD, "cma", 0, 0, 0, 0, 0, 9, 5, 9, 5),
		"nothing was measured");
	refused("passed", "p", strchr(good, '\n') + 1, "not of the untouched guest");
	refused("passed", "p", two(4, 2, 1, 5), "do not add up");
	refused("passed", "p", two(0, 1, 1, 5), "touches nothing");
	refused("passed", "p", two(4, 0, 0, 5), "touches nothing");
	refused("passed", "p", two(4, 1, 1, 10), "more is free");
	refused("passed", "p", two(-4, 1, 1, 5), "negative");
	refused("passed", "p", "{\"type\":\"placement\",\"touched_kb\":0}\n",
		"lacks a number");
}

TEST(placement_of_other_memory)
{
	struct placement p;
	char *error;

	load(&p);
	folder("passed", "p", records("movable"));
	error = placement_load(&p, unit_scratch);
	CHECK(error && strstr(error, "other memory"));
	CHECK_NUMBER(p.count, 1);
}

static const char *prop(xmlNodePtr node, const char *name)
{
	char *value = (char *)xmlGetProp(node, BAD_CAST name);

	return value ? value : "";
}

/* The nth element of that name and class, NULL if there are fewer. */
static xmlNodePtr element(xmlNodePtr svg, const char *name, const char *class,
			  int nth)
{
	xmlNodePtr node;

	for (node = xmlFirstElementChild(svg); node;
	     node = xmlNextElementSibling(node))
		if (!strcmp((const char *)node->name, name) &&
		    !strcmp(prop(node, "class"), class) && !nth--)
			return node;
	return NULL;
}

static xmlNodePtr svg_of(const struct placement *p)
{
	char *svg = chart_svg(p);
	xmlDocPtr doc = xmlReadMemory(svg, strlen(svg), NULL, NULL, 0);

	CHECK(doc);
	return xmlDocGetRootElement(doc);
}

static bool has_text(xmlNodePtr svg, const char *class, const char *s)
{
	xmlNodePtr node;
	int i;

	for (i = 0; (node = element(svg, "text", class, i)); i++)
		if (!strcmp((char *)xmlNodeGetContent(node), s))
			return true;
	return false;
}

TEST(chart_lines)
{
	struct placement p;
	xmlNodePtr svg;

	load(&p);
	svg = svg_of(&p);
	/* x: 78 to 836 for 8 MiB; y: 316 is 0 % and 116 is 100 %. */
	CHECK_STRING(prop(element(svg, "polyline", "share", 0), "points"),
		     "78.0,166.0 457.0,166.0 457.0,266.0 836.0,266.0");
	/* y: 572 is 0 and 372 is 80 MiB. */
	CHECK_STRING(prop(element(svg, "polyline", "free", 0), "points"),
		     "78.0,372.0 457.0,382.0 836.0,392.0");
	CHECK_STRING(prop(element(svg, "polyline", "class", 0), "points"),
		     "78.0,422.0 457.0,472.0 836.0,482.0");
	CHECK(!element(svg, "polyline", "share", 1));
	CHECK_STRING(prop(element(svg, "line", "half", 1), "x1"), "836.0");
	CHECK(has_text(svg, "", "own<&> 7.3 (n)"));
	CHECK(has_text(svg, "", "CmaFree"));
	CHECK(has_text(svg, "middle", "memory faulted in, MiB"));
	CHECK(has_text(svg, "middle", "8"));
	CHECK(has_text(svg, "end", "75 %"));
	CHECK(has_text(svg, "end", "80"));
	CHECK(has_text(svg, "panel", "pages of each step that lie in CMA"));
}

TEST(chart_of_two)
{
	struct placement p;
	xmlNodePtr svg, one, other;

	load(&p);
	CHECK(!placement_load(&p, unit_scratch));
	svg = svg_of(&p);
	one = element(svg, "polyline", "share", 0);
	other = element(svg, "polyline", "share", 1);
	CHECK(one && other && !element(svg, "polyline", "share", 2));
	CHECK(strcmp(prop(one, "stroke"), prop(other, "stroke")));
	/* Where both lie on each other, both are seen. */
	CHECK(atof(prop(one, "stroke-width")) >
	      atof(prop(other, "stroke-width")));
}

/* Drawn from this file alone: nothing is fetched, nothing runs. */
TEST(chart_stands_alone)
{
	struct placement p = { 0 };
	char *svg;

	CHECK(!placement_load(&p, real_run()));
	svg = chart_svg(&p);
	CHECK(!strstr(svg, "href"));
	CHECK(!strstr(svg, "url("));
	CHECK(!strstr(svg, "<script"));
	CHECK(!strstr(svg, "@import"));
	CHECK(!strstr(svg, "nan") && !strstr(svg, "inf,"));
}

static int make_chart(const char *out, const char *dir)
{
	const char *words[WORDS_MAX] = { "--chart", out, dir };

	return cli_finish(cli_start_words(words));
}

TEST(vmrun_chart)
{
	char *out = unit_path("out");

	CHECK_NUMBER(make_chart(out, real_run()), 0);
	CHECK(strstr(cli_out, "profile cma: percent"));
	CHECK_STRING(unit_read(unit_path("out.txt"), NULL), cli_out);
	CHECK(json_object_from_file(unit_path("out.json")));
	CHECK(xmlReadFile(unit_path("out.svg"), NULL, 0));
}

TEST(vmrun_chart_refused)
{
	char *out = unit_path("out");

	folder("failed", "p", records("cma"));
	CHECK_NUMBER(make_chart(out, unit_scratch), 2);
	CHECK_STRING(cli_out, "");
	CHECK(strstr(cli_err, "did not pass"));
	CHECK_NUMBER(make_chart(out, NULL), 2);
	CHECK_NUMBER(make_chart(unit_path("no/such/folder"), real_run()), 125);
}
