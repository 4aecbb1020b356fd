// SPDX-License-Identifier: GPL-2.0
/* Whom to follow, and until when. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "exit.h"
#include "out.h"
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

/* Starts the command, which waits until it is followed. */
static int start_command(struct session *s)
{
	int go[2];
	char c;

	if (pipe(go))
		return -errno;
	s->child = fork();
	if (s->child < 0)
		return -errno;
	if (!s->child) {
		close(go[1]);
		hold_signals(SIG_UNBLOCK);
		if (read(go[0], &c, 1) != 1)
			_exit(127);
		close(go[0]);
		execvp(s->command[0], s->command);
		out_error("%s: %s", s->command[0], strerror(errno));
		_exit(127);
	}
	close(go[0]);
	if (!trace_follow(s->trace, s->child))
		c = write(go[1], "", 1);
	close(go[1]);
	return 0;
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

static int follow_all(struct session *s)
{
	unsigned int i;

	for (i = 0; i < s->pids; i++) {
		if (!alive(s->pid[i])) {
			out_error("no process %d in this PID namespace", (int)s->pid[i]);
			return PINPROBE_CANNOT;
		}
		trace_follow(s->trace, s->pid[i]);
	}
	if (s->command && start_command(s)) {
		out_error("%s: %s", s->command[0], strerror(errno));
		return PINPROBE_BROKEN;
	}
	return 0;
}

int session_start(struct session *s, struct trace_options *options,
		  void (*ended)(void *ctx, const struct ledger_call *call,
				uint64_t time), void *ctx)
{
	struct text why = {};
	int code;

	options->everybody = s->system;
	options->ctx = ctx;
	out_progress("hooking the kernel");
	s->trace = trace_open(options, &why);
	out_progress_end();
	say_missing(s, &why);
	text_free(&why);
	if (!s->trace)
		return PINPROBE_CANNOT;
	s->ledger = ledger_new((size_t)s->ledger_mib << 20, ended, ctx);
	if (!s->ledger)
		return PINPROBE_BROKEN;
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
