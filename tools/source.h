/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files of /proc and /sys, of this host or of a recorded tree, where what is
 * absent and what may not be read are two things.
 */
#ifndef PINPROBE_SOURCE_H
#define PINPROBE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

/**
 * enum source_state - how reading went
 * @SOURCE_OK:		read
 * @SOURCE_ABSENT:	there is no such file
 * @SOURCE_DENIED:	there is, but not for this user
 * @SOURCE_FAILED:	reading failed otherwise
 */
enum source_state {
	SOURCE_OK,
	SOURCE_ABSENT,
	SOURCE_DENIED,
	SOURCE_FAILED,
};

/**
 * struct source - where files come from
 * @root:	put before each path; "" is this host
 *
 * In a recorded tree an empty file NAME.denied stands for a NAME that is there
 * and that who recorded could not read.
 */
struct source {
	const char *root;
};

/**
 * struct source_names - entries of a folder, in order of strverscmp()
 * @name:	each without its folder; no "." and no ".."
 * @count:	how many
 */
struct source_names {
	char **name;
	size_t count;
};

/* Whether it is this host rather than a recorded tree. */
bool source_live(const struct source *s);

/* For people: "absent", "not allowed", "unreadable". */
const char *source_why(enum source_state state);

/**
 * source_read() - appends a whole file to a text
 * @s:		where from
 * @t:		ends in NUL afterwards, and is not NULL, whatever happened
 * @fmt:	the path from / on
 */
enum source_state source_read(const struct source *s, struct text *t,
			      const char *fmt, ...) __printf(3, 4);

/* The first line of a file without its newline and blanks, to be freed. */
enum source_state source_line(const struct source *s, char **line,
			      const char *fmt, ...) __printf(3, 4);

/* A file that holds one number; SOURCE_FAILED where it holds something else. */
enum source_state source_number(const struct source *s, long long *value,
				const char *fmt, ...) __printf(3, 4);

/* The last part of where a symbolic link leads, to be freed. */
enum source_state source_link(const struct source *s, char **target,
			      const char *fmt, ...) __printf(3, 4);

/* All of it, to be freed. */
enum source_state source_target(const struct source *s, char **target,
				const char *fmt, ...) __printf(3, 4);

/* The entries of a folder; names is empty unless SOURCE_OK. */
enum source_state source_list(const struct source *s,
			      struct source_names *names,
			      const char *fmt, ...) __printf(3, 4);

/*
 * Whether it certainly exists, readable or not; below a folder that may not be
 * searched nothing does.
 */
bool source_exists(const struct source *s, const char *fmt, ...)
	__printf(2, 3);

/* Opens a file for reading in parts: a descriptor, or -errno. */
int source_open(const struct source *s, const char *fmt, ...)
	__printf(2, 3);

void source_names_free(struct source_names *names);

#endif
