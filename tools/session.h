/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What explain and audit do alike: whom to follow, the ledger, when to stop.
 */
#ifndef PINPROBE_SESSION_H
#define PINPROBE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "ledger.h"
#include "symbols.h"
#include "trace.h"

#define SESSION_PIDS	64

/**
 * struct session - one run of explain or audit
 * @name:	of the command, for messages
 * @system:	all tasks
 * @pid:	processes that are followed
 * @pids:	how many
 * @command:	is started and followed; NULL: none
 * @seconds:	after which it ends; 0: with the processes, or a signal
 * @ledger_mib:	memory of the ledger
 * @trace:	from session_start()
 * @ledger:	likewise
 * @symbols:	read when the first is looked up
 * @child:	process of @command, 0: none, or it has ended
 * @status:	its wait status
 */
struct session {
	const char *name;
	bool system;
	pid_t pid[SESSION_PIDS];
	unsigned int pids;
	char **command;
	unsigned int seconds;
	unsigned int ledger_mib;
	struct trace *trace;
	struct ledger *ledger;
	struct symbols *symbols;
	pid_t child;
	int status;
	uint64_t until;
};

/* Adds "PID" or "PID,PID"; false if it is none. */
bool session_add_pids(struct session *s, const char *list);

/* An option's number from 1 to a million; false if it is none. */
bool session_number(const char *s, unsigned int *value);

/**
 * session_start() - hooks everything, and starts the command
 * @s:		options filled in
 * @options:	callbacks; what to follow is filled in here
 * @ended:	for ledger_new()
 * @ctx:	handed to all
 *
 * Return: 0; or an exit code, having said why.
 */
int session_start(struct session *s, struct trace_options *options,
		  void (*ended)(void *ctx, const struct ledger_call *call,
				uint64_t time), void *ctx);

/* Waits for events up to @ms; false when it is time to stop. */
bool session_turn(struct session *s, int ms);

/* Ends the command if it runs, and frees all. */
void session_end(struct session *s);

/* What was not seen for want of room; false if nothing. */
bool session_losses(struct session *s, struct text *t);

/* Function and module that took pages; "?" if it is not known. */
const char *session_caller(struct session *s, int stack, char *module,
			   size_t size);

/* ns of CLOCK_MONOTONIC. */
uint64_t session_now(void);

#endif
