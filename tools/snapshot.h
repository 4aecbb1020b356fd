/* SPDX-License-Identifier: GPL-2.0 */
/* What the host and the process are like at the moment a call failed. */
#ifndef PINPROBE_SNAPSHOT_H
#define PINPROBE_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct snapshot_zone {
	int node;
	char name[16];
	uint64_t start, pages;		/* page frames */
	uint64_t free, free_cma, low;	/* pages */
};

#define SNAPSHOT_ZONES	64

struct snapshot {
	struct snapshot_zone zone[SNAPSHOT_ZONES];
	unsigned int zones;
	uint64_t cma_total_kb, cma_blocks_kb;	/* registered, and by pageblocks */
};

/* Reads /proc/zoneinfo, /proc/meminfo and, as root, /proc/pagetypeinfo. */
void snapshot_read(struct snapshot *a);

/* The zone that a frame lies in, or NULL. */
const struct snapshot_zone *snapshot_find(const struct snapshot *a, uint64_t pfn);

/* Bytes free for what is not movable, on nodes of a mask. */
uint64_t snapshot_pinnable_free(const struct snapshot *a, uint64_t nodes);

/* Nodes that a process's cpuset allows; all ones: not known. */
uint64_t snapshot_allowed(pid_t pid);

/* Whether that leaves out nodes that have memory. */
bool snapshot_barred(const struct snapshot *a, uint64_t nodes);

/* Bytes of CMA pageblocks that belong to no registered area. */
uint64_t snapshot_hidden_cma(const struct snapshot *a);

/* Address of a frame in [addr, addr + len) of a process; 0: not there. */
uint64_t snapshot_address(pid_t pid, uint64_t pfn, uint64_t pages, uint64_t addr,
			uint64_t len);

/* Frame of an address; 0: none, or not allowed. */
uint64_t snapshot_frame(pid_t pid, uint64_t addr);

/* One line of /proc/vmstat; 0 if it is not there. */
uint64_t snapshot_vmstat(const char *name);

#endif
