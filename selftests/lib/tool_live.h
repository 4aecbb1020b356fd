/* SPDX-License-Identifier: GPL-2.0 */
/* The command pinprobe while it runs: what follows others until they end. */
#ifndef SELFTESTS_TOOL_LIVE_H
#define SELFTESTS_TOOL_LIVE_H

#include "tool.h"

struct tool_live {
	pid_t pid;
	int out, err;
};

/**
 * tool_live_start() - starts pinprobe, and waits for a word on standard error
 * @live:	for tool_live_end()
 * @word:	that says that it is ready
 * @words:	what follows "pinprobe", ended by NULL
 *
 * Return: 0, -errno, or -EPROTO if it ended without that word.
 */
int tool_live_start(struct tool_live *live, const char *word,
		    const char *const words[]);

/* Waits until it ends by itself. 0 or -errno; @tool as of tool_run(). */
int tool_live_end(struct tool_live *live, struct tool *tool);

#endif /* SELFTESTS_TOOL_LIVE_H */
