// SPDX-License-Identifier: GPL-2.0
/*
 * Where the pages of a process lie: by the module, which sees holders and types
 * of pageblocks too, or by /proc/PID/pagemap.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../selftests/lib/device.h"
#include "map.h"
#include "out.h"
#include "pages.h"

#define PRESENT		(1ULL << 63)
#define PFN(entry)	((entry) & ((1ULL << 55) - 1))
/* Entries read at once. */
#define ENTRIES		65536

/* What a record says of the part of it that lies in one block. */
static void add_part(struct map_block *b, const struct pinprobe_page *page,
		     uint64_t nr)
{
	b->process += nr;
	if (page->unpinnable)
		b->unpinnable += nr;
	if (page_held(page))
		b->held += nr;
	if (page->unpinnable && page_held(page))
		b->stuck += nr;
	if (page->migratetype != PINPROBE_MT_UNKNOWN)
		b->migratetype = page->migratetype;
	if (page->zone != PINPROBE_ZONE_UNKNOWN)
		b->zone = page->zone;
	if (page->node >= 0)
		b->node = page->node;
}

void map_add_page(struct map *m, const struct pinprobe_page *page)
{
	uint64_t pfn = page->pfn, end = pfn + page->nr_pages, next;
	struct map_block *b;

	if (!page_present(page) || page->flags & PINPROBE_PAGE_ZERO)
		return;
	for (; pfn < end; pfn = next) {
		next = (pfn / m->block_pages + 1) * m->block_pages;
		if (next > end)
			next = end;
		b = map_find(m, pfn);
		if (b)
			add_part(b, page, next - pfn);
	}
}

static bool one_record(const struct pinprobe_page *page, void *ctx)
{
	map_add_page(ctx, page);
	return true;
}

static int by_module(struct map *m, int dev)
{
	const struct range all = { .pid = m->pid };
	int err = pages_each(dev, &all, PINPROBE_RESOLVE_RUNS, one_record, m);

	m->holds_seen = !err;
	m->pages_seen = !err;
	return err;
}

static void add_entry(struct map *m, uint64_t entry)
{
	const struct pinprobe_page page = {
		.state = PINPROBE_STATE_PRESENT,
		.pfn = PFN(entry),
		.nr_pages = 1,
		.node = -1,
		.zone = PINPROBE_ZONE_UNKNOWN,
		.migratetype = PINPROBE_MT_UNKNOWN,
	};

	map_add_page(m, &page);
}

/* -EPERM: there are pages, and where they lie is not shown. */
static int read_entries(struct map *m, int pagemap, uint64_t first,
			uint64_t end)
{
	static uint64_t entries[ENTRIES];
	uint64_t want;
	ssize_t got, i;

	for (; first < end; first += got) {
		want = end - first < ENTRIES ? end - first : ENTRIES;
		out_progress("reading the page table of process %d", m->pid);
		got = pread(pagemap, entries, want * sizeof(*entries),
			    first * sizeof(*entries));
		if (got < 0)
			return -errno;
		got /= sizeof(*entries);
		if (!got)
			return 0;
		for (i = 0; i < got; i++) {
			if (!(entries[i] & PRESENT))
				continue;
			if (!PFN(entries[i]))
				return -EPERM;
			add_entry(m, entries[i]);
		}
	}
	return 0;
}

static int each_mapping(struct map *m, int pagemap, const char *maps)
{
	char *copy = text_dup(maps), *next = copy, *line;
	uint64_t from, to;
	int err = 0;

	while (!err && (line = strsep(&next, "\n"))) {
		if (strstr(line, "[vsyscall]") ||
		    sscanf(line, "%" SCNx64 "-%" SCNx64, &from, &to) != 2)
			continue;
		err = read_entries(m, pagemap, from / m->page_size,
				   to / m->page_size);
	}
	free(copy);
	return err;
}

static int by_pagemap(struct map *m)
{
	char *path = text_format("%s/proc/%d/pagemap", m->source.root, m->pid);
	int pagemap = open(path, O_RDONLY | O_CLOEXEC), err;
	struct text maps = { 0 };

	free(path);
	if (pagemap < 0)
		return -errno;
	err = source_read(&m->source, &maps, "/proc/%d/maps", m->pid) ?
		-EACCES : each_mapping(m, pagemap, maps.s);
	out_progress_end();
	text_free(&maps);
	close(pagemap);
	m->pages_seen = !err;
	return err;
}

int map_read_process(struct map *m)
{
	int dev = source_live(&m->source) ? device_open() : -ENOENT, err;

	source_line(&m->source, &m->comm, "/proc/%d/comm", m->pid);
	if (dev >= 0) {
		err = by_module(m, dev);
		close(dev);
		map_note(m, err ? SOURCE_FAILED : SOURCE_OK, PINPROBE_DEVICE,
			 "which pages of the process are held");
		return err;
	}
	map_note(m, dev == -ENOENT ? SOURCE_ABSENT : SOURCE_DENIED,
		 PINPROBE_DEVICE,
		 "which pages of the process are held");
	err = by_pagemap(m);
	if (err == -ENOENT || err == -ESRCH)
		out_error("there is no process %d", m->pid);
	else if (err == -EPERM || err == -EACCES)
		out_error("where the pages of process %d lie is shown to root only; without a PID there is a map of memory alone",
			  m->pid);
	else if (err)
		out_error("pages of process %d: %s", m->pid, strerror(-err));
	if (!err)
		map_note(m, SOURCE_OK, "/proc/PID/pagemap",
			 "where the pages of the process lie");
	return err;
}
