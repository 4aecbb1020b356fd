// SPDX-License-Identifier: GPL-2.0
/* pinprobe resolve: where the pages of a process lie, and which are held. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "exit.h"
#include "out.h"
#include "pages.h"
#include "resolve.h"

static const char help[] =
"usage: pinprobe resolve [OPTION...] PID [ADDR [LEN] | START-END]\n"
"\n"
"The pages of a process, from the module pinprobe.ko: PFN, node, zone, migratetype\n"
"of the pageblock, references found and expected, pins. Without an address, of all\n"
"its mappings. Takes no page and disturbs nothing.\n"
"\n"
"  --pages        a line for each page; otherwise alike neighbours share one\n"
"  --held         only pages that somebody holds beyond mappings and caches\n"
"  --unpinnable   only pages that a long-term pin has to move\n"
"  --fault        have pages that are absent read in first\n"
"  --json         one object, with an array of records\n"
"\n"
"With --held and --unpinnable: those that make a long-term pin fail.\n"
"\n"
"Exit codes: 0 no page would make a long-term pin fail; 1 some would, now; 2 usage;\n"
"4 it cannot be told (no module, no permission, no such process).\n"
"\n"
"Examples:\n"
"  pinprobe resolve 4711 --held --unpinnable\n"
"  pinprobe resolve 4711 7f2bc0000000 2M\n";

struct resolve {
	struct range range;
	uint32_t flags;
	bool held;
	bool unpinnable;
	bool json;
	struct pages_sum sum;
	json_object *records;
};

static bool wanted(const struct resolve *r, const struct pinprobe_page *page)
{
	return (!r->held || page_held(page)) &&
	       (!r->unpinnable || page->unpinnable);
}

static bool one_page(const struct pinprobe_page *page, void *ctx)
{
	struct resolve *r = ctx;
	struct text t = { 0 };
	bool stuck;

	pages_add(&r->sum, page);
	if (!wanted(r, page))
		return true;
	if (r->json) {
		json_object_array_add(r->records, page_json(page));
		return true;
	}
	stuck = page->unpinnable && page_held(page);
	page_text(&t, page);
	out_progress_end();
	out_text(stuck ? OUT_WARNING : OUT_PLAIN, "%s\n", t.s);
	text_free(&t);
	return true;
}

static void print_sum(const struct pages_sum *sum)
{
	printf("%" PRIu64 " page%s: %" PRIu64 " a long-term pin has to move, %"
	       PRIu64 " held, %" PRIu64 " both\n", sum->present,
	       sum->present == 1 ? "" : "s", sum->unpinnable, sum->held,
	       sum->stuck);
	if (sum->absent)
		printf("%" PRIu64 " absent\n", sum->absent);
	if (sum->stuck)
		out_paragraph("", "A long-term pin of what is both fails with ENOMEM until it is let go (verdict REFS).");
}

json_object *pages_sum_json(const struct pages_sum *sum)
{
	json_object *j = json_object_new_object();

	json_object_object_add(j, "present", json_object_new_int64(sum->present));
	json_object_object_add(j, "absent", json_object_new_int64(sum->absent));
	json_object_object_add(j, "other", json_object_new_int64(sum->other));
	json_object_object_add(j, "unpinnable",
			       json_object_new_int64(sum->unpinnable));
	json_object_object_add(j, "held", json_object_new_int64(sum->held));
	json_object_object_add(j, "stuck", json_object_new_int64(sum->stuck));
	return j;
}

static void print_json(struct resolve *r)
{
	json_object *j = json_object_new_object();

	json_object_object_add(j, "pid", json_object_new_int(r->range.pid));
	json_object_object_add(j, "pages", r->records);
	json_object_object_add(j, "sum", pages_sum_json(&r->sum));
	out_json(j);
	json_object_put(j);
}

static int parse(struct resolve *r, int argc, char **argv)
{
	enum { PAGES = 256, HELD, UNPINNABLE, FAULT, JSON };
	static const struct option options[] = {
		{ "pages", no_argument, NULL, PAGES },
		{ "held", no_argument, NULL, HELD },
		{ "unpinnable", no_argument, NULL, UNPINNABLE },
		{ "fault", no_argument, NULL, FAULT },
		{ "json", no_argument, NULL, JSON },
		{ "help", no_argument, NULL, 'h' },
		{ NULL }
	};
	char *error;
	int option;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (option) {
		case PAGES:
			r->flags &= ~PINPROBE_RESOLVE_RUNS;
			break;
		case HELD:
			r->held = true;
			break;
		case UNPINNABLE:
			r->unpinnable = true;
			break;
		case FAULT:
			r->flags |= PINPROBE_RESOLVE_FAULT;
			break;
		case JSON:
			r->json = true;
			break;
		case 'h':
			return command_help(&resolve_command);
		default:
			return command_usage(&resolve_command, NULL);
		}
	}
	error = range_parse(&r->range, argc - optind, argv + optind, true);
	if (!error)
		return -1;
	option = command_usage(&resolve_command, "%s", error);
	free(error);
	return option;
}

static int run(int argc, char **argv)
{
	struct resolve r = { .flags = PINPROBE_RESOLVE_RUNS };
	int code = parse(&r, argc, argv), dev;

	if (code >= 0)
		return code;
	dev = pages_open();
	if (dev < 0)
		return PINPROBE_CANNOT;
	if (r.json)
		r.records = json_object_new_array();
	if (pages_each(dev, &r.range, r.flags, one_page, &r)) {
		json_object_put(r.records);
		return PINPROBE_CANNOT;
	}
	if (r.json)
		print_json(&r);
	else
		print_sum(&r.sum);
	return r.sum.stuck ? PINPROBE_FOUND : PINPROBE_OK;
}

const struct command resolve_command = {
	.name = "resolve",
	.summary = "where the pages of a process lie, and which are held (module)",
	.help = help,
	.run = run,
};
