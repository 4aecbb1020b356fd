// SPDX-License-Identifier: GPL-2.0
/* Writes result records. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "device.h"
#include "page.h"
#include "record.h"

#define LINE_ROOM	3584	/* longest record */
#define PFN_ROOM	40	/* longest member of a list of PFNs */

/* Lines that wait for others; never across a return from this file. */
static char pending[PIPE_BUF];
static size_t pending_len;

int record_channel(void)
{
	static int channel = -1;
	static bool opened;
	const char *path;

	if (opened)
		return channel;
	opened = true;
	path = getenv("PINPROBE_CHANNEL");
	if (path)
		channel = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	return channel;
}

static void flush(void)
{
	int channel = record_channel();

	if (pending_len && write(channel, pending, pending_len) !=
			   (ssize_t)pending_len)
		fprintf(stderr, "# records not written: %s\n", strerror(errno));
	pending_len = 0;
}

static void add_line(const char *prefix, const char *format, va_list args,
		     const char *suffix)
{
	char line[LINE_ROOM];
	int len;

	if (record_channel() < 0)
		return;
	len = vsnprintf(line, sizeof(line), format, args);
	if (len >= (int)sizeof(line)) {
		fprintf(stderr, "# record too long: %.64s\n", line);
		return;
	}
	if (pending_len + strlen(prefix) + len + strlen(suffix) >=
	    sizeof(pending))
		flush();
	pending_len += snprintf(pending + pending_len,
				sizeof(pending) - pending_len, "%s%s%s", prefix,
				line, suffix);
}

__printf(1, 2)
static void add_record(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_line("@record {", format, args, "}\n");
	va_end(args);
}

void record_write(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_line("@record {", format, args, "}\n");
	va_end(args);
	flush();
}

void record_print(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_line("@print ", format, args, "\n");
	va_end(args);
	flush();
}

/* A JSON array of the names of the bits set. */
static const char *bits(char *text, size_t room, const struct bit_name *names,
			uint64_t set)
{
	size_t len = snprintf(text, room, "[");

	for (; names->name; names++)
		if (set & names->bit)
			len += snprintf(text + len, room - len, "%s\"%s\"",
					len > 1 ? "," : "", names->name);
	snprintf(text + len, room - len, "]");
	return text;
}

/*
 * PFNs of pages that are alike, as the members of a JSON array; returns how many
 * of them found room.
 */
static size_t list_pfns(char *text, size_t room,
			const struct pinprobe_page *pages, size_t nr)
{
	size_t len = 0, i, run;

	*text = '\0';
	for (i = 0; i < nr && len + PFN_ROOM < room; i += run) {
		for (run = 1; i + run < nr; run++)
			if (pages[i + run].pfn != pages[i].pfn + run)
				break;
		len += snprintf(text + len, room - len,
				run > 1 ? "%s\"0x%" PRIx64 "+%zu\""
					: "%s\"0x%" PRIx64 "\"",
				len ? "," : "", (uint64_t)pages[i].pfn, run);
	}
	return i;
}

/* One record for the first of @nr alike pages; returns how many it has. */
static size_t write_run(const char *test, const char *which, const char *when,
			const struct pinprobe_page *pages, size_t nr, bool refs)
{
	char flags[256], unpinnable[64], counts[128], pfns[2560] = "";
	const struct pinprobe_page *page = pages;
	const char *open = "", *close = "";

	if (page->state == PINPROBE_STATE_PRESENT)
		nr = list_pfns(pfns, sizeof(pfns), pages, nr);
	if (strchr(pfns, ',')) {
		open = "\"pfns\":[";
		close = "],";
	} else {
		*pfns = '\0';
	}
	if (refs)
		snprintf(counts, sizeof(counts),
			 "\"order\":%u,\"refs\":%d,\"refs_expected\":%d,\"mapcount\":%d,\"pins\":%u",
			 page->order, page->refs, page->refs_expected,
			 page->mapcount, page->pins);
	else
		snprintf(counts, sizeof(counts),
			 "\"order\":null,\"refs\":null,\"refs_expected\":null,\"mapcount\":%d,\"pins\":null",
			 page->mapcount);
	add_record("\"type\":\"page\",\"test\":\"%s\",\"case\":\"%s\",\"when\":\"%s\",\"addr\":\"0x%" PRIx64
		   "\",\"pfn\":\"0x%" PRIx64 "\",%s%s%s\"nr_pages\":%zu,\"state\":\"%s\",\"node\":%d,\"zone\":\"%s\",\"migratetype\":\"%s\",%s,\"unpinnable\":%s,\"flags\":%s",
		   test, which, when, (uint64_t)page->addr,
		   (uint64_t)page->pfn, open, pfns, close, nr,
		   state_name(page->state), page->node, zone_name(page->zone),
		   migratetype_name(page->migratetype), counts,
		   bits(unpinnable, sizeof(unpinnable), page_unpinnable_names,
			page->unpinnable),
		   bits(flags, sizeof(flags), page_flag_names, page->flags));
	return nr;
}

/* Whether two pages differ in nothing but address and PFN. */
static bool alike(const struct pinprobe_page *a, const struct pinprobe_page *b)
{
	struct pinprobe_page copy = *a;

	copy.addr = b->addr;
	copy.pfn = b->pfn;
	return !memcmp(&copy, b, sizeof(copy));
}

static bool changed(const struct pinprobe_page *pages,
		    const struct pinprobe_page *previous, size_t i)
{
	return !previous || memcmp(&previous[i], &pages[i], sizeof(*pages));
}

void record_pages(const char *test, const char *which, const char *when,
		  const struct pinprobe_page *pages,
		  const struct pinprobe_page *previous, size_t nr, bool refs)
{
	size_t start = 0, end;

	if (record_channel() < 0)
		return;
	while (start < nr) {
		if (!changed(pages, previous, start)) {
			start++;
			continue;
		}
		for (end = start + 1; end < nr; end++)
			if (!alike(&pages[start], &pages[end]) ||
			    !changed(pages, previous, end))
				break;
		start += write_run(test, which, when, &pages[start],
				   end - start, refs);
	}
	flush();
}

const char *record_errno_name(int error)
{
	static char number[16];
	const char *name = strerrorname_np(error);

	if (name)
		return name;
	snprintf(number, sizeof(number), "%d", error);
	return number;
}
