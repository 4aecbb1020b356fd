/* SPDX-License-Identifier: GPL-2.0 */
/* Strings that grow, and what makes guest bytes safe to show and to store. */
#ifndef VMRUN_TEXT_H
#define VMRUN_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))

struct text {
	char *s;		/* always ends in NUL once something was added */
	size_t len;
	size_t room;
};

void *text_alloc(size_t size);
void *text_grow(void *old, size_t count, size_t size);
char *text_dup(const char *s);
char *text_dup_len(const char *s, size_t len);
char *text_format(const char *fmt, ...) __printf(1, 2);

void text_add(struct text *t, const char *s, size_t len);
void text_puts(struct text *t, const char *s);
void text_printf(struct text *t, const char *fmt, ...)
	__printf(2, 3);
void text_add_line_bounded(struct text *t, const char *line, size_t limit);
void text_clear(struct text *t);
void text_free(struct text *t);

char *text_printable(const char *s, size_t len);
void text_quote(struct text *t, const char *arg);

bool text_starts(const char *s, const char *prefix);
const char *text_skip_space(const char *s);
char *text_word(const char **s);
bool text_number(const char *s, long long *value);

/* Calls line() for each line of a file; false if it cannot be read. */
bool text_file_lines(const char *path, void (*line)(void *ctx, char *line),
		     void *ctx);
/* NULL, or what went wrong, to be freed. */
char *text_file_write(const char *path, const char *s);

#endif
