// SPDX-License-Identifier: GPL-2.0
/* What is written of a run that has a bit of everything. */
#include <stdlib.h>
#include <string.h>

#include <libxml/parser.h>

#include "outcome.h"
#include "outputs.h"
#include "unit.h"

static struct options options;
static struct run run;

#define LOG	"@guest release=7.3.4\n@guest cpus=2\n@guest-end\n"	\
		"@begin prog\n1..4\nok 1 good\n# why <&> \x1b[1m\xff\n"	\
		"not ok 2 bad.one\nok 3 left # SKIP no-cma: <none>\n"	\
		"ok 4 \xe2\x86\x92\n@end prog 1 0.5\n@done\n"

/* Seen; stale; not of this kernel; not of this profile; of what did not run */
#define SKIPS	"* * * no-cma\n* * prog.* no-rxe\ndebian-6.12 * prog.* no-rxe\n" \
		"* none prog.* no-rxe\n* * other no-rxe\n* * pro.gram no-rxe\n"

#define MARK	"[    1.000000] pinprobe: test prog\n"

static void on_facts(void *ctx)
{
	run_check_guest(ctx);
}

static const struct channel_ops ops = { .facts = on_facts };

static void write_outputs(void)
{
	char *error;

	options.cpus = 2;
	options.kernel_name = "debian-7.3";
	options.profile = "cma";
	options.deny = text_format("%s/console-deny", unit_vm);
	options.skips = unit_path("skips");
	unit_write("skips", SKIPS, strlen(SKIPS));
	error = run_init(&run, &options, &ops, &run);
	CHECK(!error);
	channel_feed(&run.channel, LOG, strlen(LOG));
	console_feed(&run.console, MARK, strlen(MARK));
	run_end(&run);
	CHECK(!outputs_write(&run, unit_scratch));
}

static xmlNodePtr child_named(xmlNodePtr parent, const char *name)
{
	xmlNodePtr node;
	char *got;

	for (node = xmlFirstElementChild(parent); node;
	     node = xmlNextElementSibling(node)) {
		got = (char *)xmlGetProp(node, BAD_CAST "name");
		if (got && !strcmp(got, name))
			return node;
	}
	unit_fail(__FILE__, __LINE__, "no %s", name);
}

static const char *prop(xmlNodePtr node, const char *name)
{
	return (const char *)xmlGetProp(node, BAD_CAST name);
}

TEST(outputs_junit)
{
	xmlNodePtr suite, node;
	xmlDocPtr doc;

	write_outputs();
	doc = xmlReadFile(unit_path("results.xml"), NULL, 0);
	CHECK(doc);
	suite = xmlFirstElementChild(xmlDocGetRootElement(doc));
	CHECK_STRING(prop(suite, "tests"), "4");
	CHECK_STRING(prop(suite, "failures"), "1");
	CHECK_STRING(prop(suite, "skipped"), "1");
	CHECK(!xmlFirstElementChild(child_named(suite, "good")));
	node = child_named(suite, "bad.one");
	CHECK_STRING(prop(node, "classname"), "prog");
	node = xmlFirstElementChild(node);
	CHECK_STRING((const char *)node->name, "failure");
	CHECK_STRING(prop(node, "message"), "why <&> ?[1m?");
	CHECK_STRING((char *)xmlNodeGetContent(node), "# why <&> ?[1m?\n");
	node = xmlFirstElementChild(child_named(suite, "left"));
	CHECK_STRING((const char *)node->name, "skipped");
	CHECK_STRING(prop(node, "message"), "no-cma: <none>");
	child_named(suite, "\xe2\x86\x92");
}

TEST(outputs_document)
{
	write_outputs();
	CHECK_STRING(unit_read(unit_path("results.ktap"), NULL),
		     "KTAP version 1\n"
		     "1..4\n"
		     "ok 1 prog.good\n"
		     "# # why <&> ?[1m?\n"
		     "# why <&> ?[1m?\n"
		     "not ok 2 prog.bad.one\n"
		     "ok 3 prog.left # SKIP no-cma: <none>\n"
		     "ok 4 prog.\xe2\x86\x92\n");
}

static json_object *get(json_object *o, const char *key)
{
	json_object *value = NULL;

	if (!json_object_object_get_ex(o, key, &value))
		unit_fail(__FILE__, __LINE__, "no %s", key);
	return value;
}

TEST(outputs_result)
{
	json_object *j, *test, *unused;

	write_outputs();
	j = json_object_from_file(unit_path("result.json"));
	CHECK(j);
	CHECK_STRING(json_object_get_string(get(j, "outcome")), "failed");
	CHECK_NUMBER(json_object_get_int(get(j, "exit_code")), 1);
	CHECK_NUMBER(json_object_get_int(get(get(j, "counts"), "passed")), 2);
	CHECK_NUMBER(json_object_get_int(get(get(j, "counts"), "failed")), 1);
	CHECK_NUMBER(json_object_get_int(get(get(j, "counts"), "skipped")), 1);
	CHECK_NUMBER(json_object_array_length(get(j, "tests")), 4);
	test = json_object_array_get_idx(get(j, "tests"), 2);
	CHECK_STRING(json_object_get_string(get(test, "status")), "skipped");
	unused = get(j, "expected_skips_not_seen");
	CHECK_NUMBER(json_object_array_length(unused), 1);
	CHECK_STRING(json_object_get_string(json_object_array_get_idx(unused, 0)),
		     "* * prog.* no-rxe");
}

TEST(outcome_names)
{
	enum outcome o;
	enum ended e;
	int i;

	for (i = 0; i < OUTCOME_COUNT; i++) {
		CHECK(outcome_parse(outcome_name(i), &o));
		CHECK_NUMBER(o, i);
	}
	CHECK(!outcome_parse("incomplete", &o));
	for (i = 0; i < ENDED_COUNT; i++) {
		CHECK(ended_parse(ended_name(i), &e));
		CHECK_NUMBER(e, i);
	}
}
