// SPDX-License-Identifier: GPL-2.0
/* What to do about a verdict: what changes least comes first. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "explain.h"

#define MAX	6

struct remedy {
	const char *code;
	const char *text[MAX];
};

static const struct remedy remedies[] = {
	{ "REFS", {
		"try again: if the holder is gone, it works",
		"make the holder let go first, or pin with FOLL_LONGTERM itself (a driver: add it to its pin call), so that the page leaves before it is held",
		"register before the other one takes the pages",
		"allocate the buffer where pages may stay: hugetlb pages of the pool, or a node without CMA and ZONE_MOVABLE",
		"boot with a smaller reserve: cma=, hugetlb_cma=, movablecore=, kho=off",
	} },
	{ "TARGET", {
		"free memory that is not movable: drop what is cached, end what is not needed",
		"allow the process a node that has pinnable memory (cpuset.mems, numactl)",
		"keep gigantic and huge pages in the pool free for the move",
		"boot with a smaller reserve: cma=, hugetlb_cma=, movablecore=",
	} },
	{ "LOCK", {
		"raise the limit for this process: prlimit --memlock=unlimited --pid PID, LimitMEMLOCK= of its unit, ulimit -l before it starts",
		"register less, or once for all devices: each device counts the same pages again",
		"give it CAP_IPC_LOCK",
	} },
	{ "SPIN", {
		"end the task: a fatal signal ends the loop",
		"of a huge page of a file, mapped privately: MADV_NOHUGEPAGE, MAP_SHARED, or ask for write access",
		"take what holds the page off its list away, as the loop that is named says",
	} },
	{ "WAIT", {
		"wait: what ends it is the disk",
		"write the file back before it is registered (sync_file_range(), fsync())",
	} },
	{ "FILE", {
		"use a copy in anonymous memory or tmpfs, or MAP_PRIVATE",
		"ask for no write access, if none is needed",
	} },
	{ "DAX", {
		"use devdax, or map the file in a file system without DAX",
	} },
	{ "SECRET", { "use ordinary memory: nobody may pin memfd_secret()" } },
	{ "PFNMAP", {
		"register what is behind the mapping: the dma-buf itself, not its mapping",
	} },
	{ "P2P", {
		"go through dma-buf, or a device that can do peer-to-peer DMA",
	} },
	{ "PERM", {
		"drop write access (IBV_ACCESS_LOCAL_WRITE), or map the memory writable",
	} },
	{ "SIGBUS", {
		"the range ends behind its file, or the pool of huge pages is empty: extend it",
	} },
	{ "KALLOC", {
		"register in smaller pieces: the table of each is smaller",
	} },
	{ "DEV", {
		"look at the device's limits (pinprobe doctor, ibv_devinfo -v): regions, sizes, page list",
		"free regions that are not used (rdma resource show mr)",
		"read the driver's messages in the kernel log of that moment",
	} },
	{ "IOMMU", {
		"look at the kernel log: the address space or the table of the IOMMU",
		"map less, or with larger pages",
	} },
	{ "CONTIG", {
		"find who holds the page, and make it let go or pin with FOLL_LONGTERM",
		"ask for less: fragments of a reserve are no hole",
		"allocate early, or enlarge the reserve (cma=, hugetlb_cma=)",
	} },
	{ "OFFLINE", {
		"end what holds the page, and try again",
		"online memory that shall leave again as movable (auto_online_blocks=online_movable)",
	} },
	{ "NOT-MEMORY", {
		"look at the arguments: nothing is wrong with the memory",
	} },
	{ "UNDECIDED", {
		"run pinprobe explain with all privileges and the module loaded: more is seen",
	} },
};

/* What a driver says whose device fell off the bus, or was taken away. */
static bool device_gone(const struct explain_verdict *verdict)
{
	return !strcmp(verdict->code, "NOT-MEMORY") &&
	       (verdict->error == EIO || verdict->error == ENODEV ||
		verdict->error == ENXIO);
}

const char *const *explain_remedies(const struct explain_verdict *verdict)
{
	static const char *chosen[MAX + 2];
	const struct remedy *r = remedies;
	unsigned int i, n = 0;
	const unsigned int nr = sizeof(remedies) / sizeof(*remedies);

	while (r < remedies + nr && strcmp(r->code, verdict->code))
		r++;
	if (verdict->blame_hidden)
		chosen[n++] = "boot with kho=off: the page lies in CMA that belongs to no registered area";
	if (device_gone(verdict)) {
		chosen[0] = "look at the device, which does not answer or is gone (kernel log, ibv_devinfo): nothing is wrong with the memory";
		chosen[1] = NULL;
		return chosen;
	}
	for (i = 0; r < remedies + nr && i < MAX && r->text[i]; i++) {
		/* Not what is known to be of no use. */
		if (!i && !strcmp(r->code, "REFS") &&
		    verdict->lasting == EXPLAIN_PERMANENT)
			continue;
		/* Nobody was seen to hold anything. */
		if (!i && !strcmp(r->code, "CONTIG") &&
		    verdict->lasting == EXPLAIN_UNKNOWN)
			continue;
		chosen[n++] = r->text[i];
	}
	chosen[n] = NULL;
	return chosen;
}
