// SPDX-License-Identifier: GPL-2.0
/* pinprobe explain: why a registration fails or hangs, down to the page. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "exit.h"
#include "explain_command.h"
#include "explain_session.h"
#include "out.h"

/* A second's worth of regions of 64 KiB fits into the ring many times. */
#define LAG_MS	1000

static const char help[] =
"usage: pinprobe explain [OPTION...] -- COMMAND [ARGUMENT...]\n"
"       pinprobe explain [OPTION...] -p PID[,PID...]\n"
"       pinprobe explain [OPTION...] --system\n"
"\n"
"Follows registrations of memory (RDMA, io_uring, VFIO, AF_XDP, udmabuf, any driver\n"
"that pins pages), contiguous allocations and memory offline on the kernel as it\n"
"is, without a module, and says of each that fails or hangs: which page, where it\n"
"lies, who holds it since when, which limit, and what to do, with the errno at each\n"
"layer.\n"
"\n"
"  -p, --pid PID      processes that run already, and those they fork\n"
"      --system       all processes, and the kernel's own threads\n"
"      --hang SECONDS a call that takes longer is told as hanging (5)\n"
"      --for SECONDS  ends by itself\n"
"      --ledger MIB   memory for who holds which pages (64)\n"
"      --json         one object for each call, one a line, and a summary\n"
"\n"
"It needs root (CAP_BPF, CAP_PERFMON), BTF of the kernel, and Linux 6.1 or later. A\n"
"holder who took the page after pinprobe explain was started was seen doing so; one\n"
"from before is looked for as pinprobe who does, and how far it is known is said.\n"
"\n"
"Exit codes: 0 nothing failed; 1 something did, and is told; 2 usage; 4 it cannot be\n"
"told here: standard error says what is missing.\n"
"\n"
"Examples:\n"
"  pinprobe explain -- ./trainer --resume\n"
"  pinprobe explain --system --json | tee pins.json\n";

static void tell(struct explain *e, struct explain_facts *facts)
{
	struct explain_verdict verdict;
	json_object *j;

	explain_decide(facts, &verdict);
	e->told++;
	if (!e->json) {
		explain_print(facts, &verdict);
		return;
	}
	j = explain_json(facts, &verdict);
	puts(json_object_to_json_string_ext(j, JSON_C_TO_STRING_PLAIN));
	fflush(stdout);
	json_object_put(j);
}

static void on_record(void *ctx, const struct trace_record *record)
{
	struct explain *e = ctx;
	struct explain_facts facts;

	if (!explain_failed(record))
		return;
	explain_look(e, record, &facts);
	/* EINTR, or what becomes of it: ERESTARTSYS and its like. */
	if (-record->step[TRACE_TAKE].ret == EINTR ||
	    -record->step[TRACE_TAKE].ret >= 512)
		explain_since(e, &facts);
	tell(e, &facts);
}

static void on_pages(void *ctx, const struct trace_pages *pages)
{
	struct explain *e = ctx;

	ledger_event(e->session.ledger, pages);
}

static void on_hang(void *ctx, struct explain_facts *facts)
{
	tell(ctx, facts);
}

/* Nothing found is an answer too, if something was tried. */
static const char *conclusion(struct explain *e)
{
	if (e->told)
		return "what failed is told above";
	if (!trace_count(e->session.trace, TRACE_COUNT_RECORDS))
		return "nothing was tried: no call that takes memory for a device was seen";
	return "memory is innocent: no registration failed or hung; if transfers fail, look at their path (completion errors, PCIe, IOMMU, peer-to-peer)";
}

static void summary_json(struct explain *e, const char *losses)
{
	struct trace *trace = e->session.trace;
	json_object *j = json_object_new_object(), *s = json_object_new_object();
	struct ledger_totals totals;

	ledger_totals(e->session.ledger, &totals);
	json_object_object_add(s, "calls", json_object_new_int64(
			       trace_count(trace, TRACE_COUNT_RECORDS)));
	json_object_object_add(s, "told", json_object_new_int64(e->told));
	json_object_object_add(s, "pages_taken", json_object_new_int64(
			       trace_count(trace, TRACE_COUNT_TAKEN)));
	json_object_object_add(s, "pages_pinned", json_object_new_int64(
			       trace_count(trace, TRACE_COUNT_PINNED)));
	json_object_object_add(s, "pages_let_go", json_object_new_int64(
			       trace_count(trace, TRACE_COUNT_LEFT) + totals.whole));
	json_object_object_add(s, "pages_moved", json_object_new_int64(
			       trace_count(trace, TRACE_COUNT_MIGRATIONS)));
	json_object_object_add(s, "conclusion",
			       json_object_new_string(conclusion(e)));
	json_object_object_add(s, "ledger_peak_bytes",
			       json_object_new_int64(totals.peak));
	json_object_object_add(s, "runs_missed",
			       json_object_new_int64(trace_missed(trace)));
	json_object_object_add(s, "losses", losses ?
			       json_object_new_string(losses) : NULL);
	json_object_object_add(j, "summary", s);
	puts(json_object_to_json_string_ext(j, JSON_C_TO_STRING_PLAIN));
	json_object_put(j);
}

/* "Was it really exercised?" is answered whatever happened. */
static void summary(struct explain *e)
{
	struct trace *trace = e->session.trace;
	struct text losses = {};
	bool lost = session_losses(&e->session, &losses);
	struct ledger_totals totals;

	ledger_totals(e->session.ledger, &totals);
	if (e->json) {
		summary_json(e, lost ? losses.s : NULL);
	} else {
		printf("%" PRIu64 " call%s followed, %" PRIu64 " told; %" PRIu64
		       " pages pinned and %" PRIu64
		       " moved for them, %" PRIu64
		       " pages taken by anybody; ledger %zu KiB at most\n%s\n",
		       trace_count(trace, TRACE_COUNT_RECORDS),
		       trace_count(trace, TRACE_COUNT_RECORDS) == 1 ? "" : "s",
		       (uint64_t)e->told, trace_count(trace, TRACE_COUNT_PINNED),
		       trace_count(trace, TRACE_COUNT_MIGRATIONS),
		       trace_count(trace, TRACE_COUNT_TAKEN), totals.peak >> 10,
		       conclusion(e));
		if (lost)
			printf("%s\n", losses.s);
	}
	text_free(&losses);
}

static void command_ended(const struct session *s)
{
	if (!s->command)
		return;
	if (WIFSIGNALED(s->status))
		out_error("%s: ended by signal %d", s->command[0],
			  WTERMSIG(s->status));
	else if (WIFEXITED(s->status) && WEXITSTATUS(s->status))
		out_error("%s: exit code %d", s->command[0],
			  WEXITSTATUS(s->status));
}

static int go(struct explain *e)
{
	struct trace_options options = {
		.ledger = TRACE_LEDGER_ALL,
		.lag_ms = LAG_MS,
		.record = on_record,
		.pages = on_pages,
	};
	int code = session_start(&e->session, &options, NULL, e);

	e->started = session_now();
	if (!code) {
		if (!e->session.command)
			out_error("following; end with Ctrl-C");
		while (session_turn(&e->session, 100))
			explain_hangs(e, on_hang, on_record);
		trace_drain(e->session.trace);
		command_ended(&e->session);
		summary(e);
	}
	session_end(&e->session);
	if (code)
		return code;
	return e->told ? PINPROBE_FOUND : PINPROBE_OK;
}

static int parse(struct explain *e, int argc, char **argv)
{
	enum { SYSTEM = 256, HANG, FOR, LEDGER, JSON };
	static const struct option options[] = {
		{ "pid", required_argument, NULL, 'p' },
		{ "system", no_argument, NULL, SYSTEM },
		{ "hang", required_argument, NULL, HANG },
		{ "for", required_argument, NULL, FOR },
		{ "ledger", required_argument, NULL, LEDGER },
		{ "json", no_argument, NULL, JSON },
		{ "help", no_argument, NULL, 'h' },
		{ NULL }
	};
	struct session *s = &e->session;
	bool good = true;
	int option;

	while (good && (option = getopt_long(argc, argv, "+p:h", options, NULL)) != -1) {
		switch (option) {
		case 'p':
			good = session_add_pids(s, optarg);
			break;
		case SYSTEM:
			s->system = true;
			break;
		case HANG:
			good = session_number(optarg, &e->hang);
			break;
		case FOR:
			good = session_number(optarg, &s->seconds);
			break;
		case LEDGER:
			good = session_number(optarg, &s->ledger_mib);
			break;
		case JSON:
			e->json = true;
			break;
		case 'h':
			return command_help(&explain_command);
		default:
			return command_usage(&explain_command, NULL);
		}
	}
	if (!good)
		return command_usage(&explain_command, "'%s' is no number or list of them",
				     optarg);
	if (optind < argc)
		s->command = argv + optind;
	if (!s->command + !s->pids + !s->system != 2)
		return command_usage(&explain_command,
				     "one of -- COMMAND, --pid and --system");
	return -1;
}

static int run(int argc, char **argv)
{
	static struct explain e = {
		.session = { .name = "explain", .ledger_mib = 64 },
		.hang = 5,
	};
	int code = parse(&e, argc, argv);

	return code >= 0 ? code : go(&e);
}

const struct command explain_command = {
	.name = "explain",
	.summary = "why a registration fails or hangs: which page, who holds it",
	.help = help,
	.run = run,
};
