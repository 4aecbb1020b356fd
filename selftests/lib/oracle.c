// SPDX-License-Identifier: GPL-2.0
/* Page facts from procfs and the boot log. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <unistd.h>
#include "oracle.h"
#include "zones.h"

#define SYSLOG_READ_ALL		3
#define SYSLOG_SIZE_BUFFER	10

/*
 * mm/cma.c logs "cma: Reserved N MiB at ADDR", some versions followed by
 * " on node N". Areas made of several ranges are logged without an address.
 */
static int read_cma(struct oracle *oracle)
{
	int size = klogctl(SYSLOG_SIZE_BUFFER, NULL, 0);
	uint64_t mib, addr;
	char *log, *line;
	int len;

	if (size < 0)
		return -errno;
	log = malloc(size + 1);
	if (!log)
		return -ENOMEM;
	len = klogctl(SYSLOG_READ_ALL, log, size);
	if (len < 0) {
		free(log);
		return -errno;
	}
	log[len] = '\0';
	for (line = log; (line = strstr(line, "cma: Reserved ")); line++) {
		struct oracle_range *range = &oracle->cma[oracle->nr_cma];

		if (oracle->nr_cma == sizeof(oracle->cma) / sizeof(*range))
			break;
		if (sscanf(line, "cma: Reserved %" SCNu64 " MiB at %" SCNx64,
			   &mib, &addr) != 2)
			continue;
		range->start = addr / oracle->page_size;
		range->end = (addr + (mib << 20)) / oracle->page_size;
		oracle->nr_cma++;
	}
	free(log);
	return 0;
}

static uint8_t zone_number(const char *name)
{
	static const char * const names[] = {
		[PINPROBE_ZONE_DMA] = "DMA",
		[PINPROBE_ZONE_DMA32] = "DMA32",
		[PINPROBE_ZONE_NORMAL] = "Normal",
		[PINPROBE_ZONE_HIGHMEM] = "HighMem",
		[PINPROBE_ZONE_MOVABLE] = "Movable",
		[PINPROBE_ZONE_DEVICE] = "Device",
	};
	uint8_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i], name))
			return i;
	return PINPROBE_ZONE_UNKNOWN;
}

static int read_zones(struct oracle *oracle)
{
	FILE *file = fopen("/proc/zoneinfo", "re");
	uint64_t spanned = 0, start;
	char line[256], name[32] = "";

	if (!file)
		return -errno;
	while (fgets(line, sizeof(line), file)) {
		struct oracle_range *range = &oracle->zones[oracle->nr_zones];

		if (oracle->nr_zones ==
		    sizeof(oracle->zones) / sizeof(*range))
			break;
		if (sscanf(line, "Node %*d, zone %31s", name) == 1)
			continue;
		if (sscanf(line, " spanned %" SCNu64, &spanned) == 1)
			continue;
		if (sscanf(line, " start_pfn: %" SCNu64, &start) != 1)
			continue;
		range->start = start;
		range->end = start + spanned;
		range->zone = zone_number(name);
		oracle->nr_zones++;
	}
	fclose(file);
	return 0;
}

static int open_file(const char *path, int *fd)
{
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	return *fd < 0 ? -errno : 0;
}

int oracle_open(struct oracle *oracle, pid_t pid)
{
	char path[64];
	int err;

	memset(oracle, 0, sizeof(*oracle));
	oracle->pagemap = -1;
	oracle->kpageflags = -1;
	oracle->kpagecount = -1;
	oracle->page_size = sysconf(_SC_PAGESIZE);
	snprintf(path, sizeof(path), "/proc/%d/pagemap", pid ? pid : getpid());
	err = open_file(path, &oracle->pagemap);
	if (!err)
		err = open_file("/proc/kpageflags", &oracle->kpageflags);
	if (!err)
		err = open_file("/proc/kpagecount", &oracle->kpagecount);
	if (!err)
		err = read_cma(oracle);
	if (!err)
		err = read_zones(oracle);
	if (err)
		oracle_close(oracle);
	return err;
}

void oracle_close(struct oracle *oracle)
{
	if (oracle->pagemap >= 0)
		close(oracle->pagemap);
	if (oracle->kpageflags >= 0)
		close(oracle->kpageflags);
	if (oracle->kpagecount >= 0)
		close(oracle->kpagecount);
	oracle->pagemap = -1;
	oracle->kpageflags = -1;
	oracle->kpagecount = -1;
}

static uint64_t entry(int fd, uint64_t index)
{
	uint64_t value;

	if (pread(fd, &value, sizeof(value), index * sizeof(value)) !=
	    sizeof(value))
		return 0;
	return value;
}

uint64_t oracle_pagemap(const struct oracle *oracle, const void *addr)
{
	return entry(oracle->pagemap, (uintptr_t)addr / oracle->page_size);
}

uint64_t oracle_kpageflags(const struct oracle *oracle, uint64_t pfn)
{
	return entry(oracle->kpageflags, pfn);
}

uint64_t oracle_kpagecount(const struct oracle *oracle, uint64_t pfn)
{
	return entry(oracle->kpagecount, pfn);
}

uint64_t oracle_pfn(const struct oracle *oracle, const void *addr)
{
	uint64_t value = oracle_pagemap(oracle, addr);

	return value & ORACLE_PAGE_PRESENT ? value & ORACLE_PAGE_PFN : 0;
}

static bool contains(const struct oracle_range *range, uint64_t pfn)
{
	return pfn >= range->start && pfn < range->end;
}

bool oracle_knows_cma(const struct oracle *oracle)
{
	int64_t known = 0;
	size_t i;

	for (i = 0; i < oracle->nr_cma; i++)
		known += oracle->cma[i].end - oracle->cma[i].start;
	return known >= zones_cma_pages();
}

bool oracle_in_cma(const struct oracle *oracle, uint64_t pfn)
{
	size_t i;

	for (i = 0; i < oracle->nr_cma; i++)
		if (contains(&oracle->cma[i], pfn))
			return true;
	return false;
}

uint8_t oracle_zone(const struct oracle *oracle, uint64_t pfn)
{
	uint8_t zone = PINPROBE_ZONE_UNKNOWN;
	size_t i;

	for (i = 0; i < oracle->nr_zones; i++) {
		if (!contains(&oracle->zones[i], pfn))
			continue;
		if (zone != PINPROBE_ZONE_UNKNOWN)
			return PINPROBE_ZONE_UNKNOWN;
		zone = oracle->zones[i].zone;
	}
	return zone;
}

void oracle_page(const struct oracle *oracle, const void *addr,
		 struct pinprobe_page *page)
{
	uint64_t pfn = oracle_pfn(oracle, addr);

	*page = (struct pinprobe_page){
		.addr = (uintptr_t)addr,
		.nr_pages = 1,
		.node = -1,
		.zone = PINPROBE_ZONE_UNKNOWN,
		.migratetype = PINPROBE_MT_UNKNOWN,
		.state = PINPROBE_STATE_ABSENT,
	};
	if (!pfn)
		return;
	page->state = PINPROBE_STATE_PRESENT;
	page->pfn = pfn;
	page->zone = oracle_zone(oracle, pfn);
	page->mapcount = oracle_kpagecount(oracle, pfn);
	if (oracle_in_cma(oracle, pfn)) {
		page->migratetype = PINPROBE_MT_CMA;
		page->unpinnable |= PINPROBE_UNPINNABLE_CMA;
	}
	if (page->zone == PINPROBE_ZONE_MOVABLE)
		page->unpinnable |= PINPROBE_UNPINNABLE_MOVABLE;
}
