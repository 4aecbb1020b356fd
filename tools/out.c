// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "out.h"
#include "text.h"

#define COLUMNS		78
#define RECORD_BYTES	(1 << 20)
#define PROGRESS_NS	2000000000LL

static long long progress_since;
static bool progress_shown;

static bool coloured(void)
{
	static int known = -1;
	const char *no = getenv("NO_COLOR");

	if (known < 0)
		known = isatty(STDOUT_FILENO) && !(no && *no);
	return known;
}

const char *out_begin(enum out_style style)
{
	static const char *const sequences[] = {
		[OUT_PLAIN] = "",
		[OUT_TITLE] = "\033[1m",
		[OUT_GOOD] = "\033[32m",
		[OUT_NOTE] = "\033[36m",
		[OUT_WARNING] = "\033[33m",
		[OUT_CRITICAL] = "\033[1;31m",
		[OUT_FAINT] = "\033[2m",
	};

	return coloured() ? sequences[style] : "";
}

const char *out_end(void)
{
	return coloured() ? "\033[0m" : "";
}

void out_text(enum out_style style, const char *fmt, ...)
{
	va_list args;

	fputs(out_begin(style), stdout);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	if (style != OUT_PLAIN)
		fputs(out_end(), stdout);
}

void out_paragraph(const char *indent, const char *s)
{
	size_t column = 0, len;

	for (; *(s = text_skip_space(s)); s += len) {
		len = strcspn(s, " \t");
		if (column && column + 1 + len > COLUMNS) {
			putchar('\n');
			column = 0;
		}
		column += printf("%s%.*s", column ? " " : indent, (int)len, s);
	}
	putchar('\n');
}

void out_error(const char *fmt, ...)
{
	va_list args;

	out_progress_end();
	fputs("pinprobe: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
}

void out_json(json_object *j)
{
	puts(json_object_to_json_string_ext(j, JSON_C_TO_STRING_PRETTY |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
}

void out_whole_records(void)
{
	static char room[RECORD_BYTES];

	setvbuf(stdout, room, _IOFBF, sizeof(room));
}

/* Readable by the collector, which seldom is who wrote it. */
static bool fill(int fd, const char *s)
{
	size_t len = strlen(s);
	ssize_t put;

	while (len) {
		put = write(fd, s, len);
		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return false;
		s += put;
		len -= put;
	}
	return !fchmod(fd, 0644) && !fsync(fd);
}

char *out_file(const char *path, const char *s)
{
	/* Not *.prom: a collector must not take a half of it. */
	char *scratch = text_format("%s.XXXXXX", path), *error = NULL;
	int fd = mkstemp(scratch);
	bool good = fd >= 0 && fill(fd, s);

	if (fd >= 0)
		good &= !close(fd);
	if (!good || rename(scratch, path)) {
		error = text_format("%s: %s", path, strerror(errno));
		if (fd >= 0)
			unlink(scratch);
	}
	free(scratch);
	return error;
}

char *out_flush(void)
{
	bool bad = fflush(stdout);

	if (!bad && !ferror(stdout))
		return NULL;
	return text_format("cannot write: %s", strerror(errno));
}

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

void out_progress(const char *fmt, ...)
{
	bool terminal = isatty(STDERR_FILENO);
	va_list args;

	if (!progress_since)
		progress_since = now();
	if (now() - progress_since < PROGRESS_NS ||
	    (progress_shown && !terminal))
		return;
	progress_shown = true;
	if (terminal)
		fputs("\r\033[K", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	if (!terminal)
		fputc('\n', stderr);
	fflush(stderr);
}

void out_progress_end(void)
{
	if (progress_shown && isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	progress_shown = false;
	progress_since = 0;
}
