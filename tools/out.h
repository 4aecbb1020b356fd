/* SPDX-License-Identifier: GPL-2.0 */
/* What people and programs read: text, JSON, files, a progress line. */
#ifndef PINPROBE_OUT_H
#define PINPROBE_OUT_H

#include <json-c/json.h>

/* Names what a piece of text is, not how it looks. */
enum out_style {
	OUT_PLAIN,
	OUT_TITLE,
	OUT_GOOD,
	OUT_NOTE,
	OUT_WARNING,
	OUT_CRITICAL,
	OUT_FAINT,
};

/**
 * out_begin() - the escape sequence that starts a style on stdout
 * @style:	which
 *
 * Return: "" unless stdout is a terminal and NO_COLOR is unset or empty.
 */
const char *out_begin(enum out_style style);
/* What ends it; "" where out_begin() was. */
const char *out_end(void);

/* Text on stdout in a style. */
void out_text(enum out_style style, const char *fmt, ...) __printf(2, 3);

/* A paragraph on stdout, indented, broken at blanks to 78 columns. */
void out_paragraph(const char *indent, const char *s);

/* "pinprobe: …" on stderr. */
void out_error(const char *fmt, ...) __printf(1, 2);

/* One JSON value on stdout and a newline; does not take it. */
void out_json(json_object *j);

/**
 * out_whole_records() - what is written between two flushes comes in one piece
 *
 * For who shares stdout with the command that it runs: what that writes must not
 * come between a record's two halves. Up to 1 MiB; before anything is written.
 */
void out_whole_records(void);

/**
 * out_file() - replaces a file by another as a whole
 * @path:	what readers see either as it was or as it will be
 * @s:		the new contents
 *
 * Return: NULL, or what went wrong, to be freed; the file is as it was then.
 */
char *out_file(const char *path, const char *s);

/**
 * out_flush() - ends the output
 *
 * Return: NULL, or why not all of it could be written, to be freed.
 */
char *out_flush(void);

/**
 * out_progress() - tells people that something takes its time
 * @fmt:	what is being done, without newline
 *
 * Says nothing until two seconds after the first call. On a terminal the line
 * is replaced by the next one; elsewhere only the first one is written.
 */
void out_progress(const char *fmt, ...) __printf(1, 2);
/* Wipes the line; the next out_progress() begins anew. */
void out_progress_end(void);

#endif
