/* SPDX-License-Identifier: GPL-2.0 */
/* How large a page of this kernel is, for all who count pages or bytes. */
#ifndef PINPROBE_PAGE_BYTES_H
#define PINPROBE_PAGE_BYTES_H

#include <stdint.h>
#include <unistd.h>

static inline uint64_t page_bytes(void)
{
	return sysconf(_SC_PAGESIZE);
}

/* What one entry of the second lowest table of that page size maps. */
static inline uint64_t page_huge_bytes(uint64_t bytes)
{
	return bytes / sizeof(uint64_t) * bytes;
}

#endif
