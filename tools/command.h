/* SPDX-License-Identifier: GPL-2.0 */
/* One of pinprobe's commands; the table is in pinprobe.c. */
#ifndef PINPROBE_COMMAND_H
#define PINPROBE_COMMAND_H

/**
 * struct command - a command of pinprobe
 * @name:	the word after "pinprobe"
 * @summary:	one line for the list of commands
 * @help:	all of --help, ended by a newline
 * @run:	what it does; argv[0] is @name, the result an enum pinprobe_exit
 */
struct command {
	const char *name;
	const char *summary;
	const char *help;
	int (*run)(int argc, char **argv);
};

/**
 * command_usage() - refuses a command line
 * @command:	whose it is
 * @fmt:	what is wrong with it
 *
 * getopt has complained already where @fmt is NULL.
 *
 * Return: PINPROBE_USAGE.
 */
int command_usage(const struct command *command, const char *fmt, ...)
	__printf(2, 3);

/**
 * command_help() - prints the help of a command to stdout
 * @command:	whose
 *
 * Return: PINPROBE_OK.
 */
int command_help(const struct command *command);

#endif
