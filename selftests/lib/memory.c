// SPDX-License-Identifier: GPL-2.0
/* Mappings with a known surrounding. */
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include "memory.h"

#define HOLE_PAGES 4

size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

/* Entries have 8 bytes and a table is a page, on all that we know. */
size_t pmd_size(void)
{
	static size_t size;
	FILE *file;

	if (size)
		return size;
	file = fopen("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "re");
	if (!file || fscanf(file, "%zu", &size) != 1)
		size = page_size() * (page_size() / 8);
	if (file)
		fclose(file);
	return size;
}

static void *map(size_t len, int flags)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_ANONYMOUS | flags, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	madvise(p, len, MADV_NOHUGEPAGE);
	return p;
}

static void *touch(void *p, size_t len)
{
	size_t step = page_size();

	for (size_t i = 0; p && i < len; i += step)
		((char *)p)[i] = 1;
	return p;
}

void *memory_map(size_t len)
{
	return map(len, MAP_PRIVATE);
}

void *memory_touched(size_t len)
{
	return touch(map(len, MAP_PRIVATE), len);
}

void *memory_shared(size_t len)
{
	return touch(map(len, MAP_SHARED), len);
}

void *memory_before_hole(size_t size)
{
	size_t page = page_size();
	size_t len = (size + page - 1) / page * page;
	char *p;

	if (!len)
		len = page;
	/*
	 * The hole is far wider than any small mapping made afterwards, which
	 * goes into the first gap that fits: only its end could be taken.
	 */
	p = map(len + HOLE_PAGES * page, MAP_PRIVATE);
	if (!p || munmap(p + len, HOLE_PAGES * page))
		return NULL;
	return p + len - size;
}

long memory_denied(const void *addr, size_t len)
{
	uintptr_t from = (uintptr_t)addr, to = from + len, start, end;
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512], write;
	long denied = 0;

	if (!maps)
		return -1;
	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %*c%c", &start, &end, &write) != 3 ||
		    write == 'w' || start >= to || end <= from)
			continue;
		denied += (end < to ? end : to) - (start > from ? start : from);
	}
	fclose(maps);
	return denied;
}

int memory_stay(void)
{
	int cpu = sched_getcpu();
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu < 0 ? 0 : cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}

void memory_read(const void *addr, size_t len)
{
	const char *byte = addr;
	size_t i;

	for (i = 0; i < len; i += page_size())
		__atomic_load_n(byte + i, __ATOMIC_RELAXED);
}

void memory_settle(void)
{
	size_t page = page_size();
	void *p = map(page, MAP_PRIVATE);

	if (!p)
		return;
	/* Drains first, then finds nothing to make cold. */
	madvise(p, page, MADV_COLD);
	munmap(p, page);
}
