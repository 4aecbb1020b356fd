/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What can be known about a page without pinprobe.ko: /proc/PID/pagemap,
 * kpageflags, kpagecount, the CMA ranges of the boot log and the zone spans of
 * /proc/zoneinfo. Slow, without reference counts, and independent.
 */
#ifndef SELFTESTS_ORACLE_H
#define SELFTESTS_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <linux/pinprobe.h>

#define ORACLE_PAGE_PRESENT	(1ULL << 63)
#define ORACLE_PAGE_PFN		((1ULL << 55) - 1)

struct oracle_range {
	uint64_t start;		/* PFN */
	uint64_t end;
	uint8_t zone;		/* enum pinprobe_zone */
};

struct oracle {
	int pagemap;
	int kpageflags;
	int kpagecount;
	size_t page_size;
	size_t nr_cma;
	struct oracle_range cma[8];
	size_t nr_zones;
	struct oracle_range zones[16];
};

/* Both return 0 or -errno; @pid 0 is the caller, as it is at that moment. */
int oracle_open(struct oracle *oracle, pid_t pid);
void oracle_close(struct oracle *oracle);

/* One 64-bit entry of the file, or 0 if it has none. */
uint64_t oracle_pagemap(const struct oracle *oracle, const void *addr);
uint64_t oracle_kpageflags(const struct oracle *oracle, uint64_t pfn);
uint64_t oracle_kpagecount(const struct oracle *oracle, uint64_t pfn);

/* PFN at @addr, 0 if no page is present. */
uint64_t oracle_pfn(const struct oracle *oracle, const void *addr);

/*
 * Whether the boot log gave the place of all CMA. It gives none of an area made
 * for gigantic pages, and nothing at all of Kexec HandOver's.
 */
bool oracle_knows_cma(const struct oracle *oracle);
bool oracle_in_cma(const struct oracle *oracle, uint64_t pfn);

/* ZONE_UNKNOWN if no span or more than one has @pfn. */
uint8_t oracle_zone(const struct oracle *oracle, uint64_t pfn);

/*
 * Fills what can be known this way; the rest says unknown. Never ISOLATED,
 * no reference counts, and migratetype CMA or UNKNOWN.
 */
void oracle_page(const struct oracle *oracle, const void *addr,
		 struct pinprobe_page *page);

#endif /* SELFTESTS_ORACLE_H */
