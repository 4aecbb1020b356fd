// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <unistd.h>
#include "frames.h"
#include "memory.h"

#define PRESENT		(1ULL << 63)
#define FRAME		((1ULL << 55) - 1)

static uint64_t read_entry(const char *path, uint64_t index)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;

	if (fd < 0)
		return 0;
	if (pread(fd, &entry, sizeof(entry), index * sizeof(entry)) !=
	    sizeof(entry))
		entry = 0;
	close(fd);
	return entry;
}

uint64_t frame_of(const void *addr)
{
	uint64_t entry = read_entry("/proc/self/pagemap",
				    (uintptr_t)addr / page_size());

	return entry & PRESENT ? entry & FRAME : 0;
}

uint64_t frame_flags(uint64_t pfn)
{
	return read_entry("/proc/kpageflags", pfn);
}
