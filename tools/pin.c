// SPDX-License-Identifier: GPL-2.0
/* pinprobe pin: holds pages of a process, the way that is asked for. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../selftests/lib/device.h"
#include "command.h"
#include "exit.h"
#include "out.h"
#include "pages.h"
#include "pin.h"

static const char help[] =
"usage: pinprobe pin [OPTION...] PID ADDR [LEN] [-- COMMAND...]\n"
"       pinprobe pin [OPTION...] PID START-END [-- COMMAND...]\n"
"\n"
"Takes pages of a process through the module pinprobe.ko and holds them: until\n"
"COMMAND has ended, or --for has passed, or a signal comes.\n"
"\n"
"  --get            get_user_pages_remote(): references; otherwise\n"
"                   pin_user_pages_remote(): FOLL_PIN\n"
"  --longterm       with FOLL_LONGTERM: pages leave CMA and ZONE_MOVABLE first\n"
"  --write          with FOLL_WRITE\n"
"  --for SECONDS    how long to hold them\n"
"  --timeout SECONDS  how long the call may take (default 10)\n"
"  --json           the outcome as one object\n"
"\n"
"Exit codes: that of COMMAND, or 0 if there is none; 1 the pages could not be had;\n"
"2 usage; 4 no module, no permission, no such process.\n"
"\n"
"Examples:\n"
"  pinprobe pin 4711 7f2bc0000000 64K -- ib_write_bw -s 65536\n"
"  pinprobe pin --longterm --write --for 60 4711 7f2bc0000000 2M\n";

struct pin {
	struct range range;
	struct pinprobe_pin args;
	unsigned int seconds;
	bool json;
	char **command;
};

/* What ends the hold; blocked meanwhile, so that none is missed. */
static void stop_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
}

static json_object *outcome_json(const struct pinprobe_outcome *o)
{
	const struct pinprobe_migrate *m = &o->migrate[PINPROBE_REASON_LONGTERM_PIN];
	json_object *j = json_object_new_object();

	json_object_object_add(j, "errno", json_object_new_int(o->error));
	json_object_object_add(j, "errno_name", json_object_new_string(
			       o->error ? strerrorname_np(o->error) : "ok"));
	json_object_object_add(j, "stage", json_object_new_string(stage_name(o->stage)));
	json_object_object_add(j, "nr_pages", json_object_new_int64(o->nr_pages));
	json_object_object_add(j, "nr_pinned", json_object_new_int64(o->nr_pinned));
	json_object_object_add(j, "moved", json_object_new_int64(o->moved));
	json_object_object_add(j, "stayed", json_object_new_int64(o->stayed));
	json_object_object_add(j, "absent", json_object_new_int64(o->absent));
	json_object_object_add(j, "failed", json_object_new_int64(o->failed));
	json_object_object_add(j, "migrate_calls", json_object_new_int64(m->calls));
	json_object_object_add(j, "duration_us",
			       json_object_new_int64(o->duration_ns / 1000));
	return j;
}

static void print_outcome(const struct pin *p)
{
	const struct pinprobe_outcome *o = &p->args.outcome;
	json_object *j;

	if (p->json) {
		j = outcome_json(o);
		out_json(j);
		json_object_put(j);
	} else if (o->error) {
		out_text(OUT_WARNING, "%s in stage %s after %" PRIu64 " of %" PRIu64
			 " pages: %" PRIu64 " moved, %" PRIu64 " could not be\n",
			 strerrorname_np(o->error), stage_name(o->stage),
			 (uint64_t)o->nr_pinned, (uint64_t)o->nr_pages,
			 (uint64_t)o->moved, (uint64_t)o->failed);
	} else {
		printf("holds %" PRIu64 " page%s: %" PRIu64 " moved first, %" PRIu64
		       " where they lay, %" PRIu64 " were absent\n",
		       (uint64_t)o->nr_pinned, o->nr_pinned == 1 ? "" : "s",
		       (uint64_t)o->moved, (uint64_t)o->stayed,
		       (uint64_t)o->absent);
	}
	fflush(stdout);
}

static int run_command(char **command)
{
	pid_t pid = fork();
	sigset_t set;
	int status;

	if (pid < 0) {
		out_error("fork: %s", strerror(errno));
		return PINPROBE_BROKEN;
	}
	if (!pid) {
		stop_signals(&set);
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		execvp(command[0], command);
		out_error("%s: %s", command[0], strerror(errno));
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return PINPROBE_BROKEN;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int hold(const struct pin *p)
{
	struct timespec left = { .tv_sec = p->seconds };
	sigset_t set;

	if (p->command)
		return run_command(p->command);
	stop_signals(&set);
	sigtimedwait(&set, NULL, p->seconds ? &left : NULL);
	return PINPROBE_OK;
}

static bool parse_seconds(const char *s, unsigned int *seconds)
{
	char *end;
	unsigned long value = strtoul(s, &end, 10);

	*seconds = value;
	return *s >= '0' && *s <= '9' && !*end && value &&
	       value <= PINPROBE_PIN_TIMEOUT_MAX_MS / 1000;
}

enum { GET = 256, LONGTERM, WRITE, FOR, TIMEOUT, JSON };

/* Whether the option is one, with what belongs to it. */
static bool take_option(struct pin *p, int option)
{
	unsigned int seconds;

	switch (option) {
	case GET:
		p->args.call = PINPROBE_CALL_GET_REMOTE;
		return true;
	case LONGTERM:
		p->args.flags |= PINPROBE_PIN_LONGTERM;
		return true;
	case WRITE:
		p->args.flags |= PINPROBE_PIN_WRITE;
		return true;
	case JSON:
		p->json = true;
		return true;
	case FOR:
		return parse_seconds(optarg, &p->seconds);
	case TIMEOUT:
		if (!parse_seconds(optarg, &seconds))
			return false;
		p->args.timeout_ms = seconds * 1000;
		return true;
	}
	return false;
}

static int parse(struct pin *p, int argc, char **argv)
{
	static const struct option options[] = {
		{ "get", no_argument, NULL, GET },
		{ "longterm", no_argument, NULL, LONGTERM },
		{ "write", no_argument, NULL, WRITE },
		{ "for", required_argument, NULL, FOR },
		{ "timeout", required_argument, NULL, TIMEOUT },
		{ "json", no_argument, NULL, JSON },
		{ "help", no_argument, NULL, 'h' },
		{ NULL }
	};
	int words = argc, option;
	char *error;

	for (option = 1; option < argc && words == argc; option++)
		if (!strcmp(argv[option], "--"))
			words = option;
	if (words < argc - 1)
		p->command = argv + words + 1;
	while ((option = getopt_long(words, argv, "h", options, NULL)) != -1) {
		if (option == 'h')
			return command_help(&pin_command);
		if (option == '?')
			return command_usage(&pin_command, NULL);
		if (!take_option(p, option))
			return command_usage(&pin_command, "'%s' are no seconds", optarg);
	}
	if (p->args.call == PINPROBE_CALL_GET_REMOTE &&
	    p->args.flags & PINPROBE_PIN_LONGTERM)
		return command_usage(&pin_command, "--longterm is for pins, not for --get");
	error = range_parse(&p->range, words - optind, argv + optind, false);
	if (!error)
		return -1;
	option = command_usage(&pin_command, "%s", error);
	free(error);
	return option;
}

static int failed(const struct pin *p, int error)
{
	if (error == ESRCH) {
		out_error("there is no process %d", p->range.pid);
		return PINPROBE_CANNOT;
	}
	if (!p->args.outcome.error) {
		out_error("%s", strerror(error));
		return PINPROBE_CANNOT;
	}
	print_outcome(p);
	return PINPROBE_FOUND;
}

static int run(int argc, char **argv)
{
	struct pin p = { .args = { .size = sizeof(p.args),
				   .call = PINPROBE_CALL_PIN_REMOTE,
				   .flags = PINPROBE_PIN_SNAPSHOT } };
	sigset_t set;
	int code = parse(&p, argc, argv), dev;

	if (code >= 0)
		return code;
	dev = pages_open();
	if (dev < 0)
		return PINPROBE_CANNOT;
	p.args.pid = p.range.pid;
	p.args.addr = p.range.addr;
	p.args.len = p.range.len;
	stop_signals(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (ioctl(dev, PINPROBE_IOC_PIN, &p.args))
		return failed(&p, errno);
	print_outcome(&p);
	code = hold(&p);
	close(p.args.fd);
	return code;
}

const struct command pin_command = {
	.name = "pin",
	.summary = "holds pages of a process, as is asked for (module)",
	.help = help,
	.run = run,
};
