// SPDX-License-Identifier: GPL-2.0
/* Reads /proc/self/smaps and /proc/self/map_files. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>
#include "mapping.h"

struct entry {
	unsigned long start, end, offset;
	char permissions[8];
};

/* A line that begins a mapping; the others are what smaps says about it. */
static bool begins(const char *line, struct entry *entry)
{
	return sscanf(line, "%lx-%lx %7s %lx", &entry->start, &entry->end,
		      entry->permissions, &entry->offset) == 4;
}

static bool has_flag(const char *flags, const char *flag)
{
	const char *at;

	for (at = strstr(flags, flag); at; at = strstr(at + 1, flag))
		if (at[-1] == ' ' && at[2] == ' ')
			return true;
	return false;
}

static enum verdict_file file_kind(const struct statx *file,
				   const struct statfs *fs)
{
	if (!S_ISREG(file->stx_mode))
		return VERDICT_FILE_DEVICE;
	if (file->stx_attributes & STATX_ATTR_DAX)
		return VERDICT_FILE_DAX;
	switch (fs->f_type) {
	case SECRETMEM_MAGIC:
		return VERDICT_FILE_SECRET;
	case TMPFS_MAGIC:
	case HUGETLBFS_MAGIC:
	case RAMFS_MAGIC:
		return VERDICT_FILE_MEMORY;
	case SYSFS_MAGIC:
		return VERDICT_FILE_SYSFS;
	case PROC_SUPER_MAGIC:
		return VERDICT_FILE_DEVICE;
	}
	return VERDICT_FILE_DISK;
}

/* By the link, which leads to a file that has no name any more, too. */
static int read_file(const struct entry *entry, uintptr_t addr, size_t len,
		     struct verdict_mapping *mapping)
{
	uint64_t end = entry->offset + (addr + len - entry->start), size;
	size_t page = sysconf(_SC_PAGESIZE);
	struct statfs fs;
	struct statx file;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/map_files/%lx-%lx",
		 entry->start, entry->end);
	if (statx(AT_FDCWD, path, 0, STATX_TYPE | STATX_SIZE, &file))
		return errno == ENOENT ? 0 : -errno;
	if (statfs(path, &fs))
		return -errno;
	mapping->file = file_kind(&file, &fs);
	if (!S_ISREG(file.stx_mode) ||
	    mapping->file == VERDICT_FILE_DEVICE ||
	    mapping->file == VERDICT_FILE_SYSFS)
		return 0;
	size = (file.stx_size + page - 1) / page * page;
	if (end > size)
		mapping->beyond = (end - size < len ? end - size : len) / page;
	return 0;
}

int mapping_read(const void *addr, size_t len, struct verdict_mapping *mapping)
{
	FILE *smaps = fopen("/proc/self/smaps", "re");
	uintptr_t from = (uintptr_t)addr;
	struct entry entry = { 0 }, next;
	bool inside = false;
	char line[512];
	int err = 0;

	memset(mapping, 0, sizeof(*mapping));
	if (!smaps)
		return -errno;
	while (fgets(line, sizeof(line), smaps)) {
		unsigned long kb;

		if (begins(line, &next)) {
			entry = next;
			inside = entry.start <= from && from + len <= entry.end;
		} else if (inside && sscanf(line, "KernelPageSize: %lu", &kb) == 1) {
			mapping->hugetlb = (uint64_t)kb << 10;
		} else if (inside && !strncmp(line, "VmFlags:", 8)) {
			mapping->measured = true;
			/* Other mappings have page sizes, too. */
			if (!has_flag(line, "ht"))
				mapping->hugetlb = 0;
			mapping->io = has_flag(line, "io") || has_flag(line, "pf");
			mapping->shared = has_flag(line, "sh");
			mapping->writable = has_flag(line, "wr");
			err = read_file(&entry, from, len, mapping);
			break;
		}
	}
	fclose(smaps);
	return err;
}
