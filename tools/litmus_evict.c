// SPDX-License-Identifier: GPL-2.0
/*
 * Does the call hold its pages at all? The page cache gives up a clean page that
 * nobody maps and nobody has a reference to, when it is asked to.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "litmus.h"

static int why_not(struct litmus_evidence *e, const char *what, const char *why)
{
	snprintf(e->evict.why_not, sizeof(e->evict.why_not), "%s: %s", what, why);
	return -1;
}

/* Pages of the file in the page cache, or -errno. */
static long resident(struct litmus_session *s)
{
	size_t len = LITMUS_FILE_PAGES * s->page;
	unsigned char there[LITMUS_FILE_PAGES];
	long count = 0;
	void *addr;
	size_t i;

	addr = mmap(NULL, len, PROT_READ, MAP_SHARED, s->file, 0);
	if (addr == MAP_FAILED)
		return -errno;
	if (mincore(addr, len, there))
		count = -errno;
	for (i = 0; count >= 0 && i < LITMUS_FILE_PAGES; i++)
		count += there[i] & 1;
	munmap(addr, len);
	return count;
}

/* What is left of the file in the page cache when it is dropped. */
static long left(struct litmus_session *s, const struct litmus_area *area)
{
	int err = litmus_area_drop(s, area);

	if (err)
		return err;
	if (fdatasync(s->file))
		return -errno;
	err = posix_fadvise(s->file, 0, 0, POSIX_FADV_DONTNEED);
	return err ? -err : resident(s);
}

static int control(struct litmus_session *s, struct litmus_evidence *e,
		   struct litmus_area *area)
{
	int err = litmus_area_map(s, area);
	long count;

	if (err)
		return why_not(e, "the file cannot be mapped", litmus_why(s, err));
	count = left(s, area);
	litmus_area_unmap(s, area);
	if (count < 0)
		return why_not(e, "without a call", litmus_why(s, count));
	if (count)
		return why_not(e, "without a call", "pages stay all the same");
	return 0;
}

/* For reading, or for writing if the call will not do without. */
static int take(struct litmus_session *s, struct litmus_area *area)
{
	int err, i;

	for (i = 0; i < 2; i++) {
		area->writable = i;
		err = litmus_area_map(s, area);
		if (err)
			return err;
		err = litmus_pin(s, area, i);
		if (!err)
			return 0;
		litmus_area_unmap(s, area);
	}
	return err;
}

void litmus_probe_evict(struct litmus_session *s, struct litmus_evidence *e)
{
	struct litmus_area area = {
		.kind = LITMUS_FILE,
		.shared = true,
		.len = LITMUS_FILE_PAGES * s->page,
	};
	long count;
	int err;

	if (s->provider->flags & LITMUS_TAKES_MEMFD) {
		why_not(e, "not tried", "the call takes no files");
		return;
	}
	if (control(s, e, &area))
		return;
	err = take(s, &area);
	if (err) {
		why_not(e, "the call takes no shared mapping of a file",
			litmus_why(s, err));
		return;
	}
	count = left(s, &area);
	litmus_unpin(s, &area);
	litmus_area_unmap(s, &area);
	if (count < 0) {
		why_not(e, "registered", litmus_why(s, count));
		return;
	}
	e->evict.pages = LITMUS_FILE_PAGES;
	e->evict.so = count;
}
