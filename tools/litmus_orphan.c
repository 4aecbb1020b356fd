// SPDX-License-Identifier: GPL-2.0
/*
 * Does the call hold its pages at all, where there is no file to ask with? Pages
 * that are anonymous stop being so when they are freed; those that outlive their
 * mapping have another reference. Looking at pages by number takes root.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "litmus.h"

/* Bit of /proc/kpageflags. */
#define KPF_ANON	(1ULL << 12)

/* How many of these pages are anonymous, mapped or not; -errno. */
static long anonymous(const uint64_t *entries, size_t nr)
{
	int fd = open("/proc/kpageflags", O_RDONLY | O_CLOEXEC);
	uint64_t flags;
	long count = 0;
	size_t i;

	if (fd < 0)
		return -errno;
	for (i = 0; count >= 0 && i < nr; i++) {
		if (!LITMUS_PFN(entries[i]))
			count = -EPERM;
		else if (pread(fd, &flags, sizeof(flags),
			       LITMUS_PFN(entries[i]) * sizeof(flags)) !=
			 sizeof(flags))
			count = -EIO;
		else
			count += !!(flags & KPF_ANON);
	}
	close(fd);
	return count;
}

/* Pages of a buffer that are anonymous after it was dropped. */
static long orphans(struct litmus_session *s, bool call)
{
	struct litmus_area area = {
		.kind = LITMUS_ANON,
		.writable = true,
		.len = LITMUS_FILE_PAGES * s->page,
	};
	uint64_t entries[LITMUS_FILE_PAGES];
	long count;
	int err;

	err = litmus_area_map(s, &area);
	if (err)
		return err;
	if (call)
		err = litmus_pin(s, &area, true);
	if (err) {
		litmus_area_unmap(s, &area);
		return err;
	}
	/* As the call left them: it may have moved some. */
	count = litmus_pagemap(s, &area, entries);
	if (!count)
		count = litmus_area_drop(s, &area);
	if (!count)
		count = anonymous(entries, LITMUS_FILE_PAGES);
	if (call)
		litmus_unpin(s, &area);
	litmus_area_unmap(s, &area);
	return count;
}

void litmus_probe_orphan(struct litmus_session *s, struct litmus_evidence *e)
{
	struct litmus_share *o = &e->orphan;
	long count;

	if (s->provider->flags & LITMUS_TAKES_MEMFD) {
		snprintf(o->why_not, sizeof(o->why_not),
			 "the call takes no private memory");
		return;
	}
	count = orphans(s, false);
	if (count > LITMUS_FILE_PAGES / LITMUS_SLACK) {
		snprintf(o->why_not, sizeof(o->why_not),
			 "%ld of %d stay without a call", count,
			 LITMUS_FILE_PAGES);
		return;
	}
	if (count >= 0)
		count = orphans(s, true);
	if (count < 0) {
		snprintf(o->why_not, sizeof(o->why_not), "%s%s",
			 litmus_why(s, count),
			 count == -EPERM || count == -EACCES ?
			 " (pages by their number are for CAP_SYS_ADMIN)" : "");
		return;
	}
	o->pages = LITMUS_FILE_PAGES;
	o->so = count;
}
