// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

static _Noreturn void out_of_memory(void)
{
	fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
	exit(126);
}

void *text_alloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

/* Makes room for one more than count elements, doubling at powers of two. */
void *text_grow(void *old, size_t count, size_t size)
{
	void *p;

	if (count & (count - 1))
		return old;
	p = realloc(old, (count ? 2 * count : 1) * size);
	if (!p)
		out_of_memory();
	return p;
}

char *text_dup_len(const char *s, size_t len)
{
	char *p = text_alloc(len + 1);

	memcpy(p, s, len);
	return p;
}

char *text_dup(const char *s)
{
	return text_dup_len(s, strlen(s));
}

static void text_vprintf(struct text *t, const char *fmt, va_list args)
{
	char *s;
	int len = vasprintf(&s, fmt, args);

	if (len < 0)
		return;
	text_add(t, s, len);
	free(s);
}

char *text_format(const char *fmt, ...)
{
	struct text t = { 0 };
	va_list args;

	va_start(args, fmt);
	text_vprintf(&t, fmt, args);
	va_end(args);
	return t.s ? t.s : text_dup("");
}

void text_add(struct text *t, const char *s, size_t len)
{
	if (t->len + len + 1 > t->room) {
		t->room = 2 * (t->len + len + 1);
		t->s = realloc(t->s, t->room);
		if (!t->s)
			out_of_memory();
	}
	memcpy(t->s + t->len, s, len);
	t->len += len;
	t->s[t->len] = '\0';
}

void text_puts(struct text *t, const char *s)
{
	text_add(t, s, strlen(s));
}

void text_printf(struct text *t, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	text_vprintf(t, fmt, args);
	va_end(args);
}

/* The newest lines matter most, so the oldest half goes when it is full. */
void text_add_line_bounded(struct text *t, const char *line, size_t limit)
{
	static const char cut[] = "[earlier lines left out]\n";
	size_t len = strlen(line);
	const char *keep;
	char *rest;

	if (len > limit / 2)
		len = limit / 2;
	if (t->len + len + 1 > limit) {
		keep = strchr(t->s + t->len / 2, '\n');
		rest = text_dup(keep ? keep + 1 : "");
		text_clear(t);
		text_puts(t, cut);
		text_puts(t, rest);
		free(rest);
	}
	text_add(t, line, len);
	text_add(t, "\n", 1);
}

void text_clear(struct text *t)
{
	t->len = 0;
	if (t->s)
		t->s[0] = '\0';
}

void text_free(struct text *t)
{
	free(t->s);
	memset(t, 0, sizeof(*t));
}

static size_t utf8_length(const unsigned char *s, size_t len)
{
	unsigned int code, i;
	size_t need;

	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		need = 2;
	else if ((s[0] & 0xf0) == 0xe0)
		need = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		need = 4;
	else
		return 0;
	if (len < need)
		return 0;
	code = s[0] & (0xff >> (need + 1));
	for (i = 1; i < need; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (s[i] & 0x3f);
	}
	if (need == 3 && (code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ||
			  code >= 0xfffe))
		return 0;
	if (need == 4 && (code < 0x10000 || code > 0x10ffff))
		return 0;
	/* C1 controls: some terminals take them for escape sequences. */
	if (need == 2 && code < 0xa0)
		return 0;
	return need;
}

/*
 * What a guest writes goes to terminals and into XML: neither may see control
 * bytes or broken UTF-8. Tab and newline stay.
 */
char *text_printable(const char *s, size_t len)
{
	const unsigned char *in = (const unsigned char *)s;
	char *out = text_alloc(len + 1);
	size_t i = 0, n = 0, step;

	while (i < len) {
		step = 1;
		if (in[i] >= 0x80)
			step = utf8_length(in + i, len - i);
		else if (in[i] < 0x20 ? in[i] != '\t' && in[i] != '\n' :
			 in[i] == 0x7f)
			step = 0;
		if (step)
			memcpy(out + n, s + i, step);
		else
			out[n] = '?';
		n += step ? step : 1;
		i += step ? step : 1;
	}
	out[n] = '\0';
	return out;
}

/* One shell word. */
void text_quote(struct text *t, const char *arg)
{
	static const char plain[] = "-_./=,:+@%";
	const char *p;

	for (p = arg; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr(plain, *p))
			break;
	if (*arg && !*p) {
		text_puts(t, arg);
		return;
	}
	text_puts(t, "'");
	for (p = arg; *p; p++) {
		if (*p == '\'')
			text_puts(t, "'\\''");
		else
			text_add(t, p, 1);
	}
	text_puts(t, "'");
}

bool text_starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

const char *text_skip_space(const char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

/* The next word, to be freed, or NULL; *s moves behind it. */
char *text_word(const char **s)
{
	const char *start = text_skip_space(*s);
	size_t len = strcspn(start, " \t\n");

	*s = start + len;
	return len ? text_dup_len(start, len) : NULL;
}

/* A whole decimal or 0x number and nothing else. */
bool text_number(const char *s, long long *value)
{
	char *end;

	if (!isdigit((unsigned char)s[0]) && s[0] != '-')
		return false;
	errno = 0;
	*value = strtoll(s, &end, text_starts(s, "0x") ? 16 : 10);
	return !errno && end != s && !*end;
}

bool text_file_lines(const char *path, void (*line)(void *ctx, char *line),
		     void *ctx)
{
	FILE *f = fopen(path, "re");
	size_t room = 0;
	char *s = NULL;
	ssize_t len;
	bool ok;

	if (!f)
		return false;
	while ((len = getline(&s, &room, f)) >= 0) {
		s[strcspn(s, "\r\n")] = '\0';
		line(ctx, s);
	}
	ok = !ferror(f);
	free(s);
	fclose(f);
	return ok;
}

char *text_file_write(const char *path, const char *s)
{
	FILE *f = fopen(path, "we");
	bool bad = !f || fputs(s, f) < 0;

	if (f)
		bad |= fclose(f) != 0;
	return bad ? text_format("%s: %s", path, strerror(errno)) : NULL;
}
