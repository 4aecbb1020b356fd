/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the guest's console: panics, splats, and which test they belong to. */
#ifndef VMRUN_CONSOLE_H
#define VMRUN_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>

#include "lines.h"
#include "patterns.h"
#include "text.h"

#define CONSOLE_LINE_MAX	4096
#define CONSOLE_LINE_OVERLAP	256
#define CONSOLE_SPLATS_MAX	200
#define CONSOLE_SPLAT_LINES	160
#define CONSOLE_STACK_MAX	5

struct splat {
	char *title;
	char *test;		/* NULL: before the first test */
	/* first functions of the stack, "a<b<c"; empty if there was none */
	struct text fingerprint;
	struct text lines;
	unsigned int line_count;
	unsigned int functions;
	bool stack_seen;
	bool allowed;		/* all that it matched is in the allow list */
	char *reason;
};

struct console {
	const struct patterns *deny;
	const struct patterns *allow;
	struct lines lines;
	size_t bytes;
	bool kernel_seen;	/* the kernel has printed its version */
	char *test;		/* program of the newest marker */
	size_t markers;
	char *last_line;
	struct splat *splats;
	size_t count;
	size_t dropped;		/* splats beyond CONSOLE_SPLATS_MAX */
	struct splat *open;
	struct splat *panic;
};

void console_init(struct console *c, const struct patterns *deny,
		  const struct patterns *allow);
void console_feed(struct console *c, const char *bytes, size_t len);
void console_end(struct console *c);
void console_free(struct console *c);

/* Splats that no allow entry excuses. */
size_t console_unexcused(const struct console *c);

#endif
