// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"

#define MARKER	"pinprobe: test "
#define MARKER_END	"pinprobe: end of tests"
#define PANIC	"Kernel panic - not syncing"
/* Lines after a splat's first one that may still be headings of the same. */
#define HEADING_LINES	12

/* "[    1.234567] " or "[    1.234567][  T12] ": its length, 0 if it is none */
static size_t stamp_length(const char *s)
{
	const char *p = s;

	if (*p++ != '[')
		return 0;
	p += strspn(p, " ");
	if (!isdigit((unsigned char)*p))
		return 0;
	p += strspn(p, "0123456789");
	if (*p++ != '.' || strspn(p, "0123456789") != 6)
		return 0;
	p += 6;
	if (*p++ != ']')
		return 0;
	if (*p == '[') {
		p += 1 + strcspn(p + 1, "]\n");
		if (*p++ != ']')
			return 0;
	}
	return *p == ' ' ? (size_t)(p + 1 - s) : (size_t)(p - s);
}

/*
 * What the kernel said, without its time stamp. User output that was not ended
 * by a newline may stand before the stamp.
 */
static const char *console_message(const char *line)
{
	const char *p = line;
	size_t len;

	while ((p = strchr(p, '['))) {
		len = stamp_length(p);
		if (len)
			return p + len;
		p++;
	}
	return line;
}

static void splat_add_function(struct splat *s, const char *name, size_t len)
{
	static const char * const reporters[] = {
		"dump_stack", "dump_stack_lvl", "show_stack", "panic",
		"vpanic", "__warn", "report_bug", "handle_bug",
		"exc_invalid_op", "asm_exc_invalid_op", "print_report",
		"kasan_report", "__die", "die", "oops_end",
	};
	size_t i, plain;

	/* Compiler clones differ between builds of the same source. */
	for (plain = 1; plain < len && name[plain] != '.'; plain++)
		;
	for (i = 0; i < ARRAY_SIZE(reporters); i++)
		if (strlen(reporters[i]) == plain &&
		    !strncmp(reporters[i], name, plain))
			return;
	if (s->functions++ >= CONSOLE_STACK_MAX)
		return;
	if (s->fingerprint.len)
		text_puts(&s->fingerprint, "<");
	text_add(&s->fingerprint, name, plain);
}

/* "func+0x12/0x34": the length of func, 0 if it is something else */
static size_t function_length(const char *s)
{
	size_t len = 0, digits;

	while (isalnum((unsigned char)s[len]) || (s[len] && strchr("_.$", s[len])))
		len++;
	if (!len || strncmp(s + len, "+0x", 3))
		return 0;
	digits = strspn(s + len + 3, "0123456789abcdef");
	return digits && s[len + 3 + digits] == '/' ? len : 0;
}

/* Only x86 leaves the function that it happened in out of the stack. */
static void splat_stack_line(struct splat *s, const char *msg)
{
	static const char ip[] = "RIP: 0010:";
	const char *p = s->stack_seen ? text_skip_space(msg) : strstr(msg, ip);
	size_t len;

	if (p && !s->stack_seen)
		p += strlen(ip);
	len = p ? function_length(p) : 0;
	if (len)
		splat_add_function(s, p, len);
}

static bool is_stack_heading(const char *msg)
{
	return strstr(msg, "Call Trace:") || strstr(msg, "Call trace:");
}

static void splat_line(struct console *c, const char *msg)
{
	struct splat *s = c->open;
	char *shown = text_printable(msg, strlen(msg));

	text_puts(&s->lines, shown);
	text_puts(&s->lines, "\n");
	free(shown);
	splat_stack_line(s, msg);
	if (is_stack_heading(msg))
		s->stack_seen = true;
	if (++s->line_count >= CONSOLE_SPLAT_LINES ||
	    strstr(msg, "---[ end "))
		c->open = NULL;
}

static void splat_judge(struct console *c, struct splat *s, const char *msg)
{
	const struct pattern *allow = patterns_find(c->allow, msg, 0, NULL);

	if (!allow) {
		s->allowed = false;
		return;
	}
	if (!s->reason)
		s->reason = text_dup(allow->reason);
}

static struct splat *splat_new(struct console *c, const char *msg)
{
	struct splat *s = text_alloc(sizeof(*s));

	s->title = text_printable(msg, strlen(msg));
	s->test = c->test ? text_dup(c->test) : NULL;
	return s;
}

static void splat_open(struct console *c, const char *msg)
{
	struct splat *s;

	c->open = NULL;
	if (c->count == CONSOLE_SPLATS_MAX) {
		c->dropped++;
		return;
	}
	s = splat_new(c, msg);
	s->allowed = true;
	c->splats[c->count] = *s;
	free(s);
	c->open = &c->splats[c->count++];
	splat_judge(c, c->open, msg);
}

static void panic_open(struct console *c, const char *msg)
{
	const char *start = strstr(msg, PANIC);

	c->open = NULL;
	if (c->panic)
		return;
	c->panic = splat_new(c, start ? start : msg);
	c->open = c->panic;
}

/* A line of the deny list: a splat of its own, or more of the open one? */
static void console_denied(struct console *c, const char *msg)
{
	struct splat *s = c->open;

	if (s && !s->stack_seen && is_stack_heading(msg))
		return;
	if (s && s == c->panic)
		return;
	if (s && !s->stack_seen && s->line_count <= HEADING_LINES) {
		splat_judge(c, s, msg);
		return;
	}
	splat_open(c, msg);
}

/* A match wholly in what a piece repeats has been seen in the piece before. */
static bool console_matches(struct console *c, const char *line,
			    const char *msg)
{
	size_t old = c->lines.piece ? c->lines.overlap : 0, end;
	int bol = c->lines.piece ? REG_NOTBOL : 0;

	if (msg != line && patterns_any(c->deny, msg, 0) &&
	    patterns_find(c->deny, msg, 0, &end) &&
	    (size_t)(msg - line) + end > old)
		return true;
	return patterns_any(c->deny, line, bol) &&
	       patterns_find(c->deny, line, bol, &end) && end > old;
}

static void console_line(void *ctx, char *line, bool cut)
{
	struct console *c = ctx;
	const char *msg = console_message(line);
	const char *panic = strstr(line, PANIC);

	(void)cut;
	if (text_starts(msg, MARKER)) {
		const char *name = msg + strlen(MARKER);

		free(c->test);
		c->test = text_word(&name);
		c->markers++;
		c->open = NULL;
		return;
	}
	if (text_starts(msg, MARKER_END)) {
		free(c->test);
		c->test = text_dup("shutdown");
		c->open = NULL;
		return;
	}
	if (strstr(msg, "Linux version "))
		c->kernel_seen = true;
	if (*text_skip_space(msg)) {
		free(c->last_line);
		c->last_line = text_dup(msg);
	}
	if (panic && !strstr(line, "---[ end " PANIC))
		panic_open(c, panic < msg ? panic : msg);
	else if (console_matches(c, line, msg))
		console_denied(c, msg);
	if (c->open)
		splat_line(c, msg);
}

void console_init(struct console *c, const struct patterns *deny,
		  const struct patterns *allow)
{
	memset(c, 0, sizeof(*c));
	c->deny = deny;
	c->allow = allow;
	c->splats = text_alloc(CONSOLE_SPLATS_MAX * sizeof(*c->splats));
	lines_init(&c->lines, CONSOLE_LINE_MAX, CONSOLE_LINE_OVERLAP,
		   console_line, c);
}

void console_feed(struct console *c, const char *bytes, size_t len)
{
	c->bytes += len;
	lines_feed(&c->lines, bytes, len);
}

/* An entry may name the stack instead: titles have addresses in them. */
static void splat_excuse(struct console *c, struct splat *s)
{
	const struct pattern *allow;

	if (s->allowed || !s->fingerprint.len)
		return;
	allow = patterns_find(c->allow, s->fingerprint.s, 0, NULL);
	if (!allow)
		return;
	s->allowed = true;
	free(s->reason);
	s->reason = text_dup(allow->reason);
}

/* oops=panic prints the stack with the oops, not with the panic. */
void console_end(struct console *c)
{
	size_t i;

	lines_flush(&c->lines);
	c->open = NULL;
	for (i = 0; i < c->count; i++)
		splat_excuse(c, &c->splats[i]);
	if (c->panic && !c->panic->fingerprint.len && c->count)
		text_puts(&c->panic->fingerprint,
			  c->splats[c->count - 1].fingerprint.s ?
			  c->splats[c->count - 1].fingerprint.s : "");
}

static void splat_free(struct splat *s)
{
	free(s->title);
	free(s->test);
	free(s->reason);
	text_free(&s->fingerprint);
	text_free(&s->lines);
}

void console_free(struct console *c)
{
	size_t i;

	for (i = 0; i < c->count; i++)
		splat_free(&c->splats[i]);
	free(c->splats);
	if (c->panic)
		splat_free(c->panic);
	free(c->panic);
	free(c->test);
	free(c->last_line);
	lines_free(&c->lines);
}

size_t console_unexcused(const struct console *c)
{
	size_t i, n = c->dropped;

	for (i = 0; i < c->count; i++)
		n += !c->splats[i].allowed;
	return n;
}
