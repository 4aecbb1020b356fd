// SPDX-License-Identifier: GPL-2.0
/* Who allocated the page, where the kernel was booted with page_owner=on. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "who.h"

#define PAGE_OWNER	"/sys/kernel/debug/page_owner"
#define RECORD		4096

/* "PFN 0x1234 type" or, on older kernels, "PFN 4660 type". */
static uint64_t frame_of(const char *record)
{
	const char *line = strstr(record, "PFN ");

	return line ? strtoull(line + strlen("PFN "), NULL, 0) : 0;
}

static bool read_at(int fd, char *record, uint64_t position)
{
	ssize_t got = pread(fd, record, RECORD - 1, position);

	record[got > 0 ? got : 0] = '\0';
	return got > 0;
}

/*
 * The position in the file is a PFN or, on some kernels, what a PFN is above the
 * lowest one; the record is that of the first allocated page from there on.
 */
static char *record_of(int fd, uint64_t pfn)
{
	char record[RECORD];
	uint64_t frame;

	if (!read_at(fd, record, pfn))
		return NULL;
	frame = frame_of(record);
	if (frame > pfn && frame - pfn <= pfn && !read_at(fd, record, 2 * pfn - frame))
		return NULL;
	return frame_of(record) == pfn ? text_printable(record, strlen(record)) : NULL;
}

char *who_owner(struct who *w)
{
	uint64_t pfn = w->page.head ? w->page.head : w->page.pfn;
	int fd = source_open(&w->source, PAGE_OWNER);
	char *record;

	if (fd < 0)
		return NULL;
	record = record_of(fd, pfn);
	close(fd);
	return record;
}
