// SPDX-License-Identifier: GPL-2.0
/* pinprobe audit: which calls pin movable memory for long, without saying so. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "snapshot.h"
#include "audit.h"
#include "audit_command.h"
#include "command.h"
#include "exit.h"
#include "out.h"
#include "session.h"

static const char help[] =
"usage: pinprobe audit [OPTION...] [-- COMMAND [ARGUMENT...]]\n"
"\n"
"The invariant, checked while the system runs: whoever pins a page for long says so\n"
"(FOLL_LONGTERM), so that it leaves CMA and ZONE_MOVABLE before it cannot move any\n"
"more. Reports each function that holds pages there by a pin without FOLL_LONGTERM\n"
"for longer than --hold, and how long each function that pins held its pages.\n"
"\n"
"Whoever pins is watched, not COMMAND alone: that says how long. Without it, until\n"
"Ctrl-C, or --for SECONDS.\n"
"\n"
"      --hold MS      how long is long (1000)\n"
"      --for SECONDS  ends by itself\n"
"      --ledger MIB   memory for who holds which pages (64)\n"
"      --json         one object\n"
"\n"
"It needs root (CAP_BPF, CAP_PERFMON), BTF of the kernel, and Linux 6.1 or later.\n"
"\n"
"Exit codes: 0 nobody did; 1 somebody did, and is listed; 2 usage; 4 it cannot be told\n"
"here: standard error says what is missing.\n"
"\n"
"Examples:\n"
"  pinprobe audit -- ./driver-test\n"
"  pinprobe audit --hold 100 --for 60 --json\n";

struct audit {
	struct session session;
	struct audit_table table;
	struct snapshot snapshot;
	unsigned int hold;	/* ms */
	bool json;
	unsigned int turns;
};

static struct audit_caller *caller_of(struct audit *a,
				      const struct ledger_call *call)
{
	char module[32];
	const char *name = session_caller(&a->session, call->stack, module,
					  sizeof(module));

	return audit_caller(&a->table, name, module);
}

static bool weak(const struct audit *a, const struct ledger_call *call)
{
	const struct trace_kernel *k = trace_kernel(a->session.trace);

	return call->api < TRACE_GET && !(call->flags & k->foll_longterm);
}

static void on_ended(void *ctx, const struct ledger_call *call, uint64_t time)
{
	struct audit *a = ctx;
	struct audit_caller *c = weak(a, call) ? caller_of(a, call) : NULL;

	if (!c)
		return;
	c->calls++;
	c->held[audit_bucket(time - call->time)]++;
	if (call->told && time - call->time > c->longest)
		c->longest = time - call->time;
}

static void on_pages(void *ctx, const struct trace_pages *pages)
{
	struct audit *a = ctx;

	ledger_event(a->session.ledger, pages);
}

struct unpinnable {
	struct audit *a;
	uint64_t pages, pfn;
};

static bool must_move(struct audit *a, uint64_t pfn)
{
	const struct trace_kernel *k = trace_kernel(a->session.trace);
	const struct snapshot_zone *zone = snapshot_find(&a->snapshot, pfn);
	uint32_t type;

	if (zone && !strcmp(zone->name, "Movable"))
		return true;
	return trace_blocks(a->session.trace, pfn, 1, &type) && type != ~0u &&
	       (type & k->type_mask) == k->migrate_cma;
}

/* A run lies within 512 pages, and a pageblock is no smaller. */
static void one_run(void *ctx, uint64_t pfn, uint64_t pages)
{
	struct unpinnable *u = ctx;

	if (!must_move(u->a, pfn))
		return;
	if (!u->pages)
		u->pfn = pfn;
	u->pages += pages;
}

static void one_call(void *ctx, struct ledger_call *call)
{
	struct audit *a = ctx;
	struct unpinnable u = { .a = a };
	uint64_t age = session_now() - call->time;
	struct audit_caller *c;

	if (call->told || !weak(a, call) || age < a->hold * 1000000ull)
		return;
	call->told = true;
	ledger_runs(a->session.ledger, call, one_run, &u);
	c = u.pages ? caller_of(a, call) : NULL;
	if (!c)
		return;
	if (!c->violations) {
		c->pid = call->tgid;
		c->pfn = u.pfn;
		memcpy(c->comm, call->comm, sizeof(c->comm));
	}
	c->violations++;
	c->pages += u.pages;
	if (age > c->longest)
		c->longest = age;
}

static void print_times(const struct audit_caller *c)
{
	unsigned int i;

	for (i = 0; i < AUDIT_BUCKETS; i++) {
		if (!c->held[i])
			continue;
		if (i == AUDIT_BUCKETS - 1)
			printf(" >=%u ms: %" PRIu64, 1u << (i - 1), c->held[i]);
		else
			printf(" <%u ms: %" PRIu64, 1u << i, c->held[i]);
	}
}

static void print(struct audit *a)
{
	unsigned int i;

	for (i = 0; i < a->table.callers; i++) {
		const struct audit_caller *c = a->table.caller + i;
		bool bad = c->violations;

		out_text(bad ? OUT_CRITICAL : OUT_GOOD, "%s", bad ? "WEAK" : "ok");
		printf("  %s%s%s%s", c->name, c->module[0] ? " [" : "", c->module,
		       c->module[0] ? "]" : "");
		if (bad)
			printf(": %" PRIu64 " pin%s without FOLL_LONGTERM held %" PRIu64
			       " pages of CMA or ZONE_MOVABLE longer than %u ms, up to %"
			       PRIu64 " ms; first %s[%u], page frame 0x%" PRIx64,
			       c->violations, c->violations == 1 ? "" : "s", c->pages,
			       a->hold, c->longest / 1000000, c->comm, c->pid, c->pfn);
		printf("\n      %" PRIu64 " ended:", c->calls);
		print_times(c);
		putchar('\n');
	}
	if (!a->table.callers)
		puts("nobody pinned pages without FOLL_LONGTERM");
}

static json_object *caller_json(const struct audit_caller *c)
{
	json_object *j = json_object_new_object(), *times = json_object_new_array();
	char pfn[24];
	unsigned int i;

	snprintf(pfn, sizeof(pfn), "0x%" PRIx64, c->pfn);
	json_object_object_add(j, "caller", json_object_new_string(c->name));
	json_object_object_add(j, "module", c->module[0] ?
			       json_object_new_string(c->module) : NULL);
	json_object_object_add(j, "violations", json_object_new_int64(c->violations));
	json_object_object_add(j, "pages", json_object_new_int64(c->pages));
	json_object_object_add(j, "longest_ns", json_object_new_int64(c->longest));
	json_object_object_add(j, "ended", json_object_new_int64(c->calls));
	for (i = 0; i < AUDIT_BUCKETS; i++)
		json_object_array_add(times, json_object_new_int64(c->held[i]));
	json_object_object_add(j, "held_log2_ms", times);
	if (!c->violations)
		return j;
	json_object_object_add(j, "pid", json_object_new_int(c->pid));
	json_object_object_add(j, "comm", json_object_new_string(c->comm));
	json_object_object_add(j, "pfn", json_object_new_string(pfn));
	return j;
}

static void print_json(struct audit *a, const char *losses)
{
	json_object *j = json_object_new_object(), *list = json_object_new_array();
	unsigned int i;

	for (i = 0; i < a->table.callers; i++)
		json_object_array_add(list, caller_json(a->table.caller + i));
	json_object_object_add(j, "hold_ms", json_object_new_int(a->hold));
	json_object_object_add(j, "violations", json_object_new_int64(
			       audit_violations(&a->table)));
	json_object_object_add(j, "callers", list);
	json_object_object_add(j, "callers_unlisted_calls",
			       json_object_new_int64(a->table.unlisted));
	json_object_object_add(j, "pages_taken", json_object_new_int64(
			       trace_count(a->session.trace, TRACE_COUNT_TAKEN)));
	json_object_object_add(j, "runs_missed",
			       json_object_new_int64(trace_missed(a->session.trace)));
	json_object_object_add(j, "losses", losses ?
			       json_object_new_string(losses) : NULL);
	out_json(j);
	json_object_put(j);
}

static void report(struct audit *a)
{
	struct text losses = {};
	bool lost = session_losses(&a->session, &losses);

	audit_sort(&a->table);
	if (a->json)
		print_json(a, lost ? losses.s : NULL);
	else
		print(a);
	if (lost && !a->json)
		printf("%s\n", losses.s);
	text_free(&losses);
}

static int go(struct audit *a)
{
	struct trace_options options = {
		.ledger = TRACE_LEDGER_PINS,
		.pages = on_pages,
	};
	int code;

	snapshot_read(&a->snapshot);
	code = session_start(&a->session, &options, on_ended, a);
	if (!code) {
		if (!a->session.command && !a->session.seconds)
			out_error("watching; end with Ctrl-C");
		/* Often enough to meet what is held a little longer than is allowed. */
		while (session_turn(&a->session, a->hold < 100 ? a->hold / 2 + 1 : 50))
			ledger_each(a->session.ledger, one_call, a);
		trace_drain(a->session.trace);
		ledger_each(a->session.ledger, one_call, a);
		report(a);
	}
	session_end(&a->session);
	if (code)
		return code;
	return audit_violations(&a->table) ? PINPROBE_FOUND : PINPROBE_OK;
}

static int parse(struct audit *a, int argc, char **argv)
{
	enum { HOLD = 256, FOR, LEDGER, JSON };
	static const struct option options[] = {
		{ "hold", required_argument, NULL, HOLD },
		{ "for", required_argument, NULL, FOR },
		{ "ledger", required_argument, NULL, LEDGER },
		{ "json", no_argument, NULL, JSON },
		{ "help", no_argument, NULL, 'h' },
		{ NULL }
	};
	bool good = true;
	int option;

	while (good && (option = getopt_long(argc, argv, "+h", options, NULL)) != -1) {
		switch (option) {
		case HOLD:
			good = session_number(optarg, &a->hold);
			break;
		case FOR:
			good = session_number(optarg, &a->session.seconds);
			break;
		case LEDGER:
			good = session_number(optarg, &a->session.ledger_mib);
			break;
		case JSON:
			a->json = true;
			break;
		case 'h':
			return command_help(&audit_command);
		default:
			return command_usage(&audit_command, NULL);
		}
	}
	if (!good)
		return command_usage(&audit_command, "'%s' is no number above 0", optarg);
	if (optind < argc)
		a->session.command = argv + optind;
	else
		a->session.system = true;
	return -1;
}

static int run(int argc, char **argv)
{
	static struct audit a = {
		.session = { .name = "audit", .ledger_mib = 64 },
		.hold = 1000,
	};
	int code = parse(&a, argc, argv);

	return code >= 0 ? code : go(&a);
}

const struct command audit_command = {
	.name = "audit",
	.summary = "who pins movable memory for long without FOLL_LONGTERM",
	.help = help,
	.run = run,
};
