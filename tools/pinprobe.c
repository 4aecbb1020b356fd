// SPDX-License-Identifier: GPL-2.0
/* pinprobe COMMAND: finds the command and runs it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit_command.h"
#include "command.h"
#include "doctor_command.h"
#include "exit.h"
#include "explain_command.h"
#include "litmus_command.h"
#include "map.h"
#include "out.h"
#include "pin.h"
#include "resolve.h"
#include "text.h"
#include "verify.h"
#include "who.h"

static const struct command *const commands[] = {
	&explain_command,
	&audit_command,
	&doctor_command,
	&litmus_command,
	&resolve_command,
	&pin_command,
	&verify_command,
	&map_command,
	&who_command,
	NULL
};

static const char examples[] =
	"Examples:\n"
	"  pinprobe explain -- ./job    why a registration fails, while it does\n"
	"  pinprobe doctor              what is wrong with this host\n"
	"  pinprobe litmus io_uring     what a pin call asks of the kernel\n"
	"  pinprobe COMMAND --help      what a command does, with examples\n";

int command_usage(const struct command *command, const char *fmt, ...)
{
	va_list args;

	if (fmt) {
		fprintf(stderr, "pinprobe %s: ", command->name);
		va_start(args, fmt);
		vfprintf(stderr, fmt, args);
		va_end(args);
		fputc('\n', stderr);
	}
	fprintf(stderr, "Try 'pinprobe %s --help'.\n", command->name);
	return PINPROBE_USAGE;
}

int command_help(const struct command *command)
{
	fputs(command->help, stdout);
	return PINPROBE_OK;
}

static void list(FILE *to)
{
	const struct command *const *c;

	fputs("usage: pinprobe COMMAND [OPTION...]\n"
	      "       pinprobe --help | --version\n\n"
	      "Memory pinning for device DMA: which page, who holds it, and what to do.\n\n"
	      "Commands:\n", to);
	for (c = commands; *c; c++)
		fprintf(to, "  %-9s %s\n", (*c)->name, (*c)->summary);
	fputs("  help      the help of a command\n\n", to);
	fputs(examples, to);
}

static const struct command *find(const char *name)
{
	const struct command *const *c;

	for (c = commands; *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

static int unknown(const char *name)
{
	const struct command *const *c;

	fprintf(stderr, "pinprobe: no command '%s'; there are:", name);
	for (c = commands; *c; c++)
		fprintf(stderr, " %s", (*c)->name);
	fputc('\n', stderr);
	return PINPROBE_USAGE;
}

static int help(const char *name)
{
	const struct command *command = name ? find(name) : NULL;

	if (name && !command)
		return unknown(name);
	if (command)
		return command_help(command);
	list(stdout);
	return PINPROBE_OK;
}

static int dispatch(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2) {
		list(stderr);
		return PINPROBE_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return help(NULL);
	if (!strcmp(argv[1], "help"))
		return help(argc > 2 ? argv[2] : NULL);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("pinprobe " PINPROBE_VERSION);
		return PINPROBE_OK;
	}
	command = find(argv[1]);
	return command ? command->run(argc - 1, argv + 1) : unknown(argv[1]);
}

int main(int argc, char **argv)
{
	int code = dispatch(argc, argv);
	char *error = out_flush();

	if (!error)
		return code;
	out_error("%s", error);
	free(error);
	return PINPROBE_BROKEN;
}
