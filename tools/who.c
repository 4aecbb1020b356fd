// SPDX-License-Identifier: GPL-2.0
/* pinprobe who: who holds a page. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <linux/kernel-page-flags.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit.h"
#include "holders_internal.h"
#include "out.h"
#include "process.h"
#include "who.h"

#define SECONDS	60

static const char help[] =
"usage: pinprobe who [OPTION...] PID ADDR\n"
"       pinprobe who [OPTION...] --pfn PFN\n"
"\n"
"Who holds a page, without having watched: what the page is, how many references it\n"
"has and who accounts for them, and who could have the others: io_uring, RDMA regions,\n"
"pipes, sockets, dma-bufs, VFIO, direct I/O. Needs root for most. References are counted\n"
"where pinprobe.ko is loaded.\n"
"\n"
"  --pfn PFN      the page frame, hexadecimal with 0x; its mappings are searched for\n"
"  --all          look at descriptors of all processes, not only of those that map it\n"
"  --scan         search all address spaces until all mappings are found\n"
"  --seconds N    give that up after N seconds, 0 never; default 60\n"
"  --ask          ask RDMA devices where regions are, through their owners' descriptors:\n"
"                 a deregistration at that very moment fails with EBUSY\n"
"  --json         one object\n"
"  --root DIR     read DIR/proc and DIR/sys, recorded on another host\n"
"\n"
"Exit codes: 0 nobody holds it beyond mappings and caches; 1 somebody does; 2 usage;\n"
"4 it cannot be told.\n"
"\n"
"Examples:\n"
"  sudo pinprobe who 4711 7f2bc0000000\n"
"  sudo pinprobe who --ask 4711 7f2bc0000000   which RDMA region it is\n"
"  sudo pinprobe who --pfn 0x1f3a2\n";

static bool parse_number(const char *s, uint64_t max, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return false;
	errno = 0;
	*value = strtoull(s, &end, 0);
	return !errno && !*end && *value <= max;
}

enum { PFN = 256, ALL, SCAN, SECONDS_OPTION, ASK, JSON, ROOT };

/* NULL, or what is wrong with it. */
static const char *take_option(struct who *w, int option)
{
	uint64_t value;

	switch (option) {
	case PFN:
		if (!parse_number(optarg, (1ULL << 55) - 1, &w->pfn) || !w->pfn)
			return "'%s' is no page frame number";
		w->scan = true;
		break;
	case ALL:
		w->all = true;
		break;
	case SCAN:
		w->scan = true;
		break;
	case SECONDS_OPTION:
		if (!parse_number(optarg, 1000000, &value))
			return "'%s' are no seconds";
		w->seconds = value;
		break;
	case ASK:
		w->ask = true;
		break;
	case JSON:
		w->json = true;
		break;
	case ROOT:
		w->source.root = optarg;
		break;
	}
	return NULL;
}

static int parse(struct who *w, int argc, char **argv)
{
	static const struct option options[] = {
		{ "pfn", required_argument, NULL, PFN },
		{ "all", no_argument, NULL, ALL },
		{ "scan", no_argument, NULL, SCAN },
		{ "seconds", required_argument, NULL, SECONDS_OPTION },
		{ "ask", no_argument, NULL, ASK },
		{ "json", no_argument, NULL, JSON },
		{ "root", required_argument, NULL, ROOT },
		{ "help", no_argument, NULL, 'h' },
		{ NULL }
	};
	const char *wrong;
	char *error;
	int option;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (option == 'h')
			return command_help(&who_command);
		if (option == '?')
			return command_usage(&who_command, NULL);
		wrong = take_option(w, option);
		if (wrong)
			return command_usage(&who_command, wrong, optarg);
	}
	if (w->pfn && optind < argc)
		return command_usage(&who_command, "with --pfn, what is '%s'?",
				     argv[optind]);
	if (w->pfn)
		return -1;
	if (argc - optind > 2)
		return command_usage(&who_command, "what is '%s'?", argv[optind + 2]);
	error = range_parse(&w->range, argc - optind, argv + optind, false);
	if (!error)
		return -1;
	option = command_usage(&who_command, "%s", error);
	free(error);
	return option;
}

static int find(struct who *w)
{
	const struct holders_query query = {
		.source = &w->source,
		.pid = w->range.pid,
		.addr = w->range.addr,
		.pfn = w->page.pfn,
		.head = w->page.head,
		.order = w->page.order,
		.mapped = w->page.mapcount,
		.anon = w->page.flags >> KPF_ANON & 1,
		.account = &w->account,
		.all = w->all,
		.scan = w->scan,
		.seconds = w->seconds,
		.ask = w->ask,
		.missing = &w->missing,
	};

	return holders_find(&query, &w->holder, &w->holders);
}

/* The module finds a page by an address only, which is known by now. */
static void count_again(struct who *w)
{
	const struct holder *first = NULL;
	size_t i;

	for (i = 0; i < w->holders && !first; i++)
		if (w->holder[i].kind == HOLDER_MAPPING)
			first = &w->holder[i];
	if (w->page.counted || w->range.pid || !first)
		return;
	w->range.pid = first->pid;
	w->range.addr = first->addr;
	who_count(w);
	w->range.pid = 0;
	holders_judge(w->holder, w->holders, &w->account);
}

static bool same_process(const struct who *w, const char *before)
{
	struct text now = { 0 };
	bool same = true;

	if (w->range.pid) {
		source_read(&w->source, &now, "/proc/%d/stat", w->range.pid);
		same = who_started(now.s) == who_started(before);
	}
	text_free(&now);
	return same;
}

static int run(int argc, char **argv)
{
	struct who w = { .source.root = "", .seconds = SECONDS };
	int code = parse(&w, argc, argv);
	struct text before = { 0 };

	if (code >= 0)
		return code;
	if (w.range.pid)
		source_read(&w.source, &before, "/proc/%d/stat", w.range.pid);
	if (who_page(&w)) {
		process_say_none(&w.source, w.range.pid);
		return PINPROBE_CANNOT;
	}
	if (w.page.pfn)
		who_count(&w);
	else
		account_make(&w.account, &w.page.facts);
	w.gone = find(&w) == -ESRCH;
	count_again(&w);
	if (w.page.pfn)
		w.owner = who_owner(&w);
	w.gone |= !same_process(&w, before.s);
	if (w.json)
		who_json(&w);
	else
		who_print(&w);
	text_free(&before);
	return who_exit(&w);
}

const struct command who_command = {
	.name = "who",
	.summary = "who holds a page, without having watched",
	.help = help,
	.run = run,
};
