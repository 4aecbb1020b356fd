/* SPDX-License-Identifier: GPL-2.0 */
/* PID, address and length, as people type them. */
#ifndef PINPROBE_RANGE_H
#define PINPROBE_RANGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct range - pages of a process
 * @pid:	whose; in this PID namespace
 * @addr:	of the first page, bytes
 * @len:	bytes, a multiple of the page size; 0: all mappings
 */
struct range {
	pid_t pid;
	uint64_t addr;
	uint64_t len;
};

/**
 * range_parse() - reads PID, ADDR and LEN
 * @range:	filled in
 * @argc:	how many words there are
 * @argv:	the words: "PID", "PID ADDR" (one page), "PID ADDR LEN" or
 *		"PID START-END" as in /proc/PID/maps; "self" is this process
 * @whole:	whether "PID" alone will do
 *
 * ADDR is hexadecimal with or without 0x, as the kernel prints it; LEN is
 * decimal, or hexadecimal with 0x, and may end in K, M, G or T. What lies within
 * pages is widened to whole ones.
 *
 * Return: NULL, or what is wrong, to be freed.
 */
char *range_parse(struct range *range, int argc, char **argv, bool whole);

#endif
