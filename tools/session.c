// SPDX-License-Identifier: GPL-2.0
/* Whom to follow, and until when. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "barriers.h"
#include "exit.h"
#include "out.h"
#include "process.h"
#include "session.h"

static int interrupted;	/* the signal */

static const int enders[] = { SIGINT, SIGTERM, SIGHUP };

/* Signals that end it wait until they are asked for. */
static void hold_signals(int how)
{
	sigset_t set;
	unsigned int i;

	sigemptyset(&set);
	for (i = 0; i < sizeof(enders) / sizeof(*enders); i++)
		sigaddset(&set, enders[i]);
	sigprocmask(how, &set, NULL);
}

static bool told_to_end(void)
{
	struct timespec now = {};
	sigset_t set;
	unsigned int i;
	int signal;

	sigemptyset(&set);
	for (i = 0; i < sizeof(enders) / sizeof(*enders); i++)
		sigaddset(&set, enders[i]);
	signal = sigtimedwait(&set, NULL, &now);
	if (signal > 0)
		interrupted = signal;
	return interrupted;
}

uint64_t session_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

bool session_add_pids(struct session *s, const char *list)
{
	while (*list) {
		char *end;
		long pid = strtol(list, &end, 10);

		if (end == list || pid <= 0 || (*end && *end != ',') ||
		    s->pids == SESSION_PIDS)
			return false;
		s->pid[s->pids++] = pid;
		list = *end ? end + 1 : end;
	}
	return s->pids > 0;
}

bool session_number(const char *s, unsigned int *value)
{
	char *end;
	unsigned long n = strtoul(s, &end, 10);

	*value = n;
	return *s && !*end && n && n <= 1000000;
}

/* In the child: waits until it is followed. What went wrong comes back. */
static void become_command(struct session *s, int go, int failed)
{
	ssize_t written;
	int error;
	char c;

	hold_signals(SIG_UNBLOCK);
	if (read(go, &c, 1) == 1) {
		execvp(s->command[0], s->command);
		error = errno;
		written = write(failed, &error, sizeof(error));
		(void)written;
	}
	_exit(127);
}

/* Starts the command; 0 or -errno, of execvp() too. */
static int start_command(struct session *s)
{
	int go[2], failed[2], error = 0;
	ssize_t got = 0;

	if (pipe2(go, O_CLOEXEC) || pipe2(failed, O_CLOEXEC))
		return -errno;
	s->child = fork();
	if (s->child < 0)
		return -errno;
	if (!s->child) {
		close(go[1]);
		become_command(s, go[0], failed[1]);
	}
	close(go[0]);
	close(failed[1]);
	error = trace_follow(s->trace, s->child);
	if (!error)
		got = write(go[1], "", 1);
	close(go[1]);
	if (!error && got == 1 &&
	    read(failed[0], &error, sizeof(error)) == sizeof(error))
		error = -error;
	close(failed[0]);
	return error;
}

static void say_missing(struct session *s, struct text *why)
{
	char *line = why->s, *next;

	for (; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		fprintf(stderr, "pinprobe %s: %s\n", s->name, line);
	}
}

static bool alive(pid_t pid)
{
	return !kill(pid, 0) || errno == EPERM;
}

/* What the kernel has to be asked for nothing to see. */
static int possible(const struct session *s)
{
	static const struct source here = { .root = "" };
	unsigned int i;
	int error;

	if (!barriers_first_pids(&here)) {
		out_error("%s: the kernel tells of processes by the host's numbers, and this is a PID namespace (a container) of its own: run it on the host (nsenter -t 1 -p -m), or in a container that has the host's (--pid=host)",
			  s->name);
		return PINPROBE_CANNOT;
	}
	for (i = 0; i < s->pids; i++)
		if (!alive(s->pid[i])) {
			process_say_none(&here, s->pid[i]);
			return PINPROBE_CANNOT;
		}
	/* Before seconds go into hooking the kernel. */
	error = s->command ? process_find_program(s->command[0]) : 0;
	if (!error)
		return 0;
	out_error("%s: %s", s->command[0], strerror(-error));
	return PINPROBE_CANNOT;
}

static int follow_all(struct session *s)
{
	unsigned int i, followed = 0;
	int error;

	for (i = 0; i < s->pids; i++) {
		if (alive(s->pid[i]) && !trace_follow(s->trace, s->pid[i]))
			followed++;
		else
			out_error("%s: process %d ended before it could be followed",
				  s->name, (int)s->pid[i]);
	}
	if (s->pids && !followed)
		return PINPROBE_CANNOT;
	error = s->command ? start_command(s) : 0;
	if (error) {
		out_error("%s: %s", s->command[0], strerror(-error));
		return PINPROBE_CANNOT;
	}
	return 0;
}

/* What needs no BPF. */
static void say_what_is_left(const struct session *s)
{
	fprintf(stderr, "pinprobe %s: without BPF there is still: pinprobe doctor (limits, reserves, settings), pinprobe who PID ADDR (who holds a page), pinprobe litmus (what a driver's pin declares)\n",
		s->name);
}

int session_start(struct session *s, struct trace_options *options,
		  void (*ended)(void *ctx, const struct ledger_call *call,
				uint64_t time), void *ctx)
{
	static const struct source here = { .root = "" };
	struct text why = {};
	int code = possible(s);

	if (code)
		return code;
	options->everybody = s->system;
	options->ctx = ctx;
	out_progress("hooking the kernel");
	s->trace = trace_open(options, &why);
	if (s->trace)
		barriers_partial(&here, &why);
	out_progress_end();
	say_missing(s, &why);
	text_free(&why);
	if (!s->trace) {
		say_what_is_left(s);
		return PINPROBE_CANNOT;
	}
	s->ledger = ledger_new((size_t)s->ledger_mib << 20, ended, ctx);
	if (!s->ledger)
		return PINPROBE_BROKEN;
	out_whole_records();
	hold_signals(SIG_BLOCK);
	s->until = s->seconds ? session_now() + s->seconds * 1000000000ull : 0;
	code = follow_all(s);
	return code;
}

/* Whether anybody is left to be followed. */
static bool anybody(struct session *s)
{
	unsigned int i;

	if (s->child && waitpid(s->child, &s->status, WNOHANG) == s->child)
		s->child = 0;
	if (s->command)
		return s->child;
	if (s->system)
		return true;
	for (i = 0; i < s->pids; i++)
		if (alive(s->pid[i]))
			return true;
	return false;
}

bool session_turn(struct session *s, int ms)
{
	bool going = anybody(s);
	int n = trace_poll(s->trace, going ? ms : 0);

	if (n < 0 && n != -EINTR)
		out_error("events: %s", strerror(-n));
	return going && !told_to_end() && (n >= 0 || n == -EINTR) &&
	       (!s->until || session_now() < s->until);
}

void session_end(struct session *s)
{
	if (s->child > 0) {
		kill(s->child, interrupted ? interrupted : SIGTERM);
		/* One that hangs in the kernel is not waited for. */
		usleep(100000);
		if (!waitpid(s->child, &s->status, WNOHANG))
			kill(s->child, SIGKILL);
	}
	trace_close(s->trace);
	ledger_free(s->ledger);
	symbols_free(s->symbols);
}

bool session_losses(struct session *s, struct text *t)
{
	uint64_t records = trace_count(s->trace, TRACE_COUNT_LOST_RECORDS);
	uint64_t held = trace_count(s->trace, TRACE_COUNT_LOST_HELD);
	uint64_t left = trace_count(s->trace, TRACE_COUNT_LOST_LEFT);
	uint64_t missed = trace_missed(s->trace);
	struct ledger_totals totals;

	ledger_totals(s->ledger, &totals);
	if (trace_came_late(s->trace))
		text_printf(t, "iommufd was loaded after the start: what it let go was not seen");
	if (!(records + held + left + missed + totals.dropped))
		return t->s;
	text_printf(t, "%snot all was seen: %" PRIu64 " calls, %" PRIu64
		    " pages taken and %" PRIu64 " let go for want of room in the buffer, %"
		    PRIu64 " pages dropped by a ledger of %u MiB, %" PRIu64
		    " runs of a program missed", t->s ? "; " : "", records, held, left,
		    totals.dropped, s->ledger_mib, missed);
	return true;
}

const char *session_caller(struct session *s, int stack, char *module,
			   size_t size)
{
	uint64_t ip[16];
	size_t nr = trace_stack(s->trace, stack, ip, 16);
	const char *name;

	if (!s->symbols && nr)
		s->symbols = symbols_read();
	name = symbols_caller(s->symbols, ip, nr, module, size);
	return name ? name : "?";
}
