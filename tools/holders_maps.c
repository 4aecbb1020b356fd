// SPDX-License-Identifier: GPL-2.0
/* Address spaces that have the page. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../selftests/lib/oracle.h"
#include "holders_internal.h"
#include "out.h"

#define ENTRIES	8192

/* A line of /proc/PID/maps. */
struct mapping {
	uint64_t start, end;
	uint64_t offset;
	uint64_t inode;
	unsigned int major, minor;
};

/* The search: what is looked for, and how far it came. */
struct search {
	struct holders *h;
	struct mapping file;	/* where @query->addr is */
	bool has_file;
	time_t until;
	size_t searched;	/* processes, whole */
	bool gave_up;
};

static bool parse(const char *line, struct mapping *m)
{
	return sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %x:%x %" SCNu64,
		      &m->start, &m->end, &m->offset, &m->major, &m->minor,
		      &m->inode) == 6 && !strstr(line, "[vsyscall]");
}

/* Calls each() for each mapping of a process until it returns false. */
static void each_mapping(struct search *s, pid_t pid, int pagemap,
			 bool (*each)(struct search *s, pid_t pid, int pagemap,
				      const struct mapping *m))
{
	struct text maps = { 0 };
	const char *line;
	struct mapping m;

	source_read(s->h->query->source, &maps, "/proc/%d/maps", pid);
	for (line = maps.s; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (parse(line, &m) && !each(s, pid, pagemap, &m))
			break;
	}
	text_free(&maps);
}

static uint64_t frame_at(const struct holders *h, int pagemap, uint64_t addr)
{
	uint64_t entry;

	if (pread(pagemap, &entry, sizeof(entry), addr / h->page * sizeof(entry)) !=
	    sizeof(entry) || !(entry & ORACLE_PAGE_PRESENT))
		return 0;
	return entry & ORACLE_PAGE_PFN;
}

static bool known(const struct holders *h, pid_t pid, uint64_t addr)
{
	size_t i;

	for (i = 0; i < h->targets; i++)
		if (h->target[i].pid == pid && h->target[i].addr == addr)
			return true;
	return false;
}

static void add_target(struct holders *h, pid_t pid, uint64_t addr)
{
	const struct holders_query *q = h->query;
	uint64_t before = q->head ? (q->pfn - q->head) * h->page : 0;
	struct holders_target *target;

	h->target = text_grow(h->target, h->targets, sizeof(*h->target));
	target = &h->target[h->targets++];
	target->pid = pid;
	target->addr = addr;
	target->start = addr > before ? addr - before : 0;
	target->end = target->start + (h->page << q->order);
}

static void add_mapping(struct holders *h, pid_t pid, uint64_t addr,
			const char *how)
{
	struct holder *holder;

	if (known(h, pid, addr))
		return;
	add_target(h, pid, addr);
	holder = holders_add(h, HOLDER_MAPPING, pid, -1);
	holder->claim = HOLDER_CLAIM_FRAME;
	holder->addr = addr;
	holder->what = text_format("page at %" PRIx64, addr);
	holder->evidence = text_dup(how);
}

static bool all_found(const struct holders *h)
{
	return h->query->mapped >= 0 && (int64_t)h->targets >= h->query->mapped;
}

static bool of_file(struct search *s, pid_t pid, int pagemap,
		    const struct mapping *m)
{
	uint64_t pgoff = s->file.offset, addr;

	if (m->inode != s->file.inode || m->major != s->file.major ||
	    m->minor != s->file.minor || pgoff < m->offset ||
	    pgoff - m->offset >= m->end - m->start)
		return true;
	addr = m->start + pgoff - m->offset;
	if (frame_at(s->h, pagemap, addr) == s->h->query->pfn)
		add_mapping(s->h, pid, addr, "the same part of the same file is mapped there, and pagemap has this frame");
	return true;
}

static bool in_mapping(struct search *s, pid_t pid, int pagemap,
		       const struct mapping *m)
{
	static uint64_t entries[ENTRIES];
	uint64_t addr = m->start, size = s->h->page;
	ssize_t got, i;

	while (addr < m->end && !all_found(s->h)) {
		if (s->until && time(NULL) > s->until) {
			s->gave_up = true;
			return false;
		}
		got = (m->end - addr) / size;
		got = pread(pagemap, entries, (got < ENTRIES ? got : ENTRIES) *
			    sizeof(*entries), addr / size * sizeof(*entries));
		got /= (ssize_t)sizeof(*entries);
		if (got <= 0)
			break;
		for (i = 0; i < got; i++)
			if (entries[i] & ORACLE_PAGE_PRESENT &&
			    (entries[i] & ORACLE_PAGE_PFN) == s->h->query->pfn)
				add_mapping(s->h, pid, addr + i * size,
					    "pagemap has this frame");
		addr += got * size;
	}
	return !all_found(s->h);
}

/* Where a child, a parent or another user of the file most likely has it. */
static void near(struct search *s, pid_t pid, int pagemap)
{
	const struct holders_query *q = s->h->query;

	if (q->addr && frame_at(s->h, pagemap, q->addr) == q->pfn)
		add_mapping(s->h, pid, q->addr, "pagemap has this frame at the same address");
	if (s->has_file)
		each_mapping(s, pid, pagemap, of_file);
}

static void whole(struct search *s, pid_t pid, int pagemap)
{
	out_progress("searching process %d: %zu of %" PRId64 " mappings found",
		     pid, s->h->targets, s->h->query->mapped);
	each_mapping(s, pid, pagemap, in_mapping);
	s->searched += !s->gave_up;
}

static void each_process(struct search *s,
			 void (*look)(struct search *s, pid_t pid, int pagemap))
{
	struct source_names names;
	size_t i;

	source_list(s->h->query->source, &names, "/proc");
	for (i = 0; i < names.count && !all_found(s->h) && !s->gave_up; i++) {
		long long pid;
		int pagemap;

		if (!text_number(names.name[i], &pid))
			continue;
		pagemap = source_open(s->h->query->source, "/proc/%lld/pagemap", pid);
		s->h->denied_maps += pagemap == -EACCES;
		if (pagemap < 0)
			continue;
		look(s, pid, pagemap);
		close(pagemap);
	}
	source_names_free(&names);
}

static bool here(struct search *s, pid_t pid, int pagemap,
		 const struct mapping *m)
{
	uint64_t addr = s->h->query->addr;

	(void)pid;
	(void)pagemap;
	if (addr < m->start || addr >= m->end)
		return true;
	s->file = *m;
	s->file.offset += (addr - m->start) & -s->h->page;
	s->has_file = m->inode && !s->h->query->anon;
	return false;
}

static int own(struct search *s)
{
	const struct holders_query *q = s->h->query;

	if (!source_exists(q->source, "/proc/%d", q->pid))
		return -ESRCH;
	each_mapping(s, q->pid, -1, here);
	if (q->pfn)
		add_mapping(s->h, q->pid, q->addr & -s->h->page,
			    "pagemap has this frame");
	else
		add_target(s->h, q->pid, q->addr & -s->h->page);
	return 0;
}

static void say_what_is_missing(struct search *s)
{
	const struct holders *h = s->h;
	int64_t lack = h->query->mapped - (int64_t)h->targets;

	if (h->denied_maps)
		holders_missing(s->h, "mappings of %zu process%s: not allowed",
				h->denied_maps, h->denied_maps == 1 ? "" : "es");
	if (s->gave_up)
		holders_missing(s->h, "the search of address spaces was given up after %u s, with %zu processes searched",
				h->query->seconds, s->searched);
	if (lack <= 0)
		return;
	if (h->query->scan)
		holders_missing(s->h, "%" PRId64 " of %" PRId64 " mappings were not found",
				lack, h->query->mapped);
	else
		holders_missing(s->h, "%" PRId64 " of %" PRId64 " mappings were not found; --scan searches all address spaces",
				lack, h->query->mapped);
}

int holders_maps(struct holders *h)
{
	struct search s = { .h = h };

	if (h->query->pid && own(&s))
		return -ESRCH;
	if (!h->query->pfn)
		return 0;
	if (h->query->pid && !all_found(h))
		each_process(&s, near);
	if (h->query->scan && !all_found(h)) {
		if (h->query->seconds)
			s.until = time(NULL) + h->query->seconds;
		each_process(&s, whole);
	}
	say_what_is_missing(&s);
	out_progress_end();
	return 0;
}
