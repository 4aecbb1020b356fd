/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records for the run folder: lines to the file that PINPROBE_CHANNEL names.
 * Without it nothing is written, and nothing fails.
 */
#ifndef SELFTESTS_RECORD_H
#define SELFTESTS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/pinprobe.h>

/* Descriptor of the channel, -1 if there is none; opened once a process. */
int record_channel(void);

/*
 * One "@record" line of the given JSON members. @format makes what stands
 * between the braces. Lines are written whole, several in one write() at most
 * as long as a pipe takes without mixing them with others'.
 */
__printf(1, 2)
void record_write(const char *format, ...);

/* One "@print" line, for people. */
__printf(1, 2)
void record_print(const char *format, ...);

/*
 * Page records of @nr consecutive pages, @pages one each. Neighbours that
 * differ in nothing but PFN share a record; "pfn" is the first page's, and where
 * they are not consecutive "pfns" lists all, "0x100+3" standing for 0x100, 0x101
 * and 0x102. With @previous, an earlier look at the same pages, only those that
 * have changed since. Fields that were not measured (@refs false: no reference
 * counts) are null.
 */
void record_pages(const char *test, const char *which, const char *when,
		  const struct pinprobe_page *pages,
		  const struct pinprobe_page *previous, size_t nr, bool refs);

/* ENOMEM for 12, and so on; "0" for none, the number for a rare one. */
const char *record_errno_name(int error);

#endif /* SELFTESTS_RECORD_H */
