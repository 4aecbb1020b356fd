// SPDX-License-Identifier: GPL-2.0
/* pinprobe doctor: reads a host, judges it, and says so. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "command.h"
#include "doctor.h"
#include "doctor_command.h"
#include "exit.h"
#include "out.h"

enum format {
	FORMAT_TEXT,
	FORMAT_JSON,
	FORMAT_PROMETHEUS,
};

struct options {
	const char *root;
	const char *out;
	enum format format;
	long long pid;
	bool help;
};

const char *doctor_severity_name(enum doctor_severity severity)
{
	static const char *const names[] = {
		[DOCTOR_NOTE] = "note",
		[DOCTOR_WARNING] = "warning",
		[DOCTOR_CRITICAL] = "critical",
	};

	return names[severity];
}

size_t doctor_count(const struct doctor *d, enum doctor_severity severity)
{
	size_t i, count = 0;

	for (i = 0; i < d->findings; i++)
		count += d->finding[i].severity == severity;
	return count;
}

/* The worst first; of equals the first found. */
void doctor_find(struct doctor *d, struct doctor_finding f)
{
	size_t at = d->findings;

	d->finding = text_grow(d->finding, d->findings, sizeof(*d->finding));
	for (; at && d->finding[at - 1].severity < f.severity; at--)
		d->finding[at] = d->finding[at - 1];
	d->finding[at] = f;
	d->findings++;
}

void doctor_miss(struct doctor *d, enum source_state state, const char *path,
		 const char *tells)
{
	if (state == SOURCE_OK)
		return;
	d->missing = text_grow(d->missing, d->missings, sizeof(*d->missing));
	d->missing[d->missings].path = text_dup(path);
	d->missing[d->missings].state = state;
	d->missing[d->missings++].tells = tells;
}

static void read_host(struct doctor *d)
{
	struct utsname uts;

	doctor_miss(d, source_line(&d->source, &d->release,
				   "/proc/sys/kernel/osrelease"),
		    "/proc/sys/kernel/osrelease", "the kernel's version");
	if (source_line(&d->source, &d->machine, "/proc/sys/kernel/arch") &&
	    source_live(&d->source) && !uname(&uts))
		d->machine = text_dup(uts.machine);
	doctor_read_memory(d);
	doctor_read_origins(d);
	doctor_read_processes(d);
	doctor_read_settings(d);
	doctor_read_rdma(d);
	doctor_read_nvidia(d);
	doctor_read_nvml(d);
	doctor_read_gates(d);
}

static void judge_host(struct doctor *d)
{
	doctor_judge_memory(d);
	doctor_judge_processes(d);
	doctor_judge_nvidia(d);
	doctor_judge_rdma(d);
	doctor_judge_settings(d);
	doctor_judge_kernel(d);
}

void doctor_free(struct doctor *d)
{
	size_t i;

	for (i = 0; i < d->findings; i++) {
		free(d->finding[i].summary);
		free(d->finding[i].reason);
		free(d->finding[i].remedy);
		free(d->finding[i].fact);
	}
	for (i = 0; i < d->missings; i++)
		free(d->missing[i].path);
	free(d->finding);
	free(d->missing);
	free(d->release);
	free(d->machine);
	doctor_free_memory(&d->memory);
	doctor_free_origins(&d->origins);
	doctor_free_processes(d);
	doctor_free_settings(d);
	doctor_free_rdma(d);
	doctor_free_nvidia(&d->nvidia);
}

static int to_file(const char *path, const char *s)
{
	char *error = out_file(path, s);

	if (!error)
		return PINPROBE_OK;
	out_error("%s", error);
	free(error);
	return PINPROBE_BROKEN;
}

static int print_json(const struct doctor *d, const char *out)
{
	json_object *j = doctor_json(d);
	int code = PINPROBE_OK;
	char *s;

	if (!out) {
		out_json(j);
	} else {
		s = text_format("%s\n",
				json_object_to_json_string_ext(j,
					JSON_C_TO_STRING_PRETTY |
					JSON_C_TO_STRING_NOSLASHESCAPE));
		code = to_file(out, s);
		free(s);
	}
	json_object_put(j);
	return code;
}

static int print(const struct doctor *d, const struct options *o)
{
	int code = PINPROBE_OK;
	char *s;

	switch (o->format) {
	case FORMAT_TEXT:
		doctor_print(d);
		break;
	case FORMAT_JSON:
		code = print_json(d, o->out);
		break;
	case FORMAT_PROMETHEUS:
		s = doctor_prometheus(d);
		if (o->out)
			code = to_file(o->out, s);
		else
			fputs(s, stdout);
		free(s);
		break;
	}
	return code;
}

static int exit_code(const struct doctor *d)
{
	if (doctor_count(d, DOCTOR_CRITICAL))
		return PINPROBE_CRITICAL;
	return doctor_count(d, DOCTOR_WARNING) ? PINPROBE_FOUND : PINPROBE_OK;
}

static int examine(const struct options *o)
{
	struct doctor d = { .source.root = o->root, .pid = o->pid };
	int code;

	read_host(&d);
	if (d.memory.meminfo && d.memory.zoneinfo) {
		out_error("neither /proc/meminfo (%s) nor /proc/zoneinfo (%s) can be read%s%s: nothing can be told",
			  source_why(d.memory.meminfo),
			  source_why(d.memory.zoneinfo),
			  *o->root ? " below " : "", o->root);
		doctor_free(&d);
		return PINPROBE_CANNOT;
	}
	if (o->pid && d.process[1].limits == SOURCE_ABSENT) {
		out_error("there is no process %lld", o->pid);
		doctor_free(&d);
		return PINPROBE_CANNOT;
	}
	judge_host(&d);
	code = print(&d, o);
	if (!code)
		code = exit_code(&d);
	doctor_free(&d);
	return code;
}

static int one_option(int c, struct options *o)
{
	switch (c) {
	case 'j':
		o->format = FORMAT_JSON;
		return 0;
	case 'P':
		o->format = FORMAT_PROMETHEUS;
		return 0;
	case 'o':
		o->out = optarg;
		return 0;
	case 'r':
		o->root = optarg;
		return 0;
	case 'h':
		o->help = true;
		return 0;
	case 'p':
		if (text_number(optarg, &o->pid) && o->pid > 0)
			return 0;
		return command_usage(&doctor_command, "'%s' is no process id",
				     optarg);
	default:
		return command_usage(&doctor_command, NULL);
	}
}

static int run(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "pid", required_argument, NULL, 'p' },
		{ "json", no_argument, NULL, 'j' },
		{ "prometheus", no_argument, NULL, 'P' },
		{ "output", required_argument, NULL, 'o' },
		{ "root", required_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL },
	};
	struct options o = { .root = "" };
	int c, code;

	while ((c = getopt_long(argc, argv, "p:o:h", longs, NULL)) != -1) {
		code = one_option(c, &o);
		if (code)
			return code;
	}
	if (o.help)
		return command_help(&doctor_command);
	if (optind < argc)
		return command_usage(&doctor_command,
				     "takes no argument '%s'", argv[optind]);
	if (o.out && o.format == FORMAT_TEXT)
		return command_usage(&doctor_command,
				     "-o needs --json or --prometheus");
	return examine(&o);
}

const struct command doctor_command = {
	.name = "doctor",
	.summary = "audit of this host: where pins fail, and why",
	.run = run,
	.help =
	"usage: pinprobe doctor [OPTION...]\n\n"
	"Reads /proc and /sys, and says on one page what makes registrations of memory\n"
	"fail on this host, the worst first. Most of it needs no root; what was not seen\n"
	"is said at the end.\n\n"
	"  -p, --pid PID       limits and use of that process too\n"
	"      --json          all that was read and found, as JSON\n"
	"      --prometheus    metrics for the textfile collector of node_exporter\n"
	"  -o, --output FILE   replace FILE as a whole (with --json or --prometheus)\n"
	"      --root DIR      read DIR/proc and DIR/sys, as recorded elsewhere\n"
	"  -h, --help          this\n\n"
	"Exit code: 0 nothing to mend, 1 a warning, 3 critical, 2 usage, 4 nothing could\n"
	"be read, 126 the output could not be written.\n\n"
	"Examples:\n"
	"  sudo pinprobe doctor\n"
	"  pinprobe doctor --pid $(pidof trainer)\n"
	"  pinprobe doctor --json | jq '.findings[] | select(.severity == \"critical\")'\n"
	"  sudo pinprobe doctor --prometheus -o /var/lib/node_exporter/pinprobe.prom\n",
};
