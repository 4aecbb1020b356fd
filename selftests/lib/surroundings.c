// SPDX-License-Identifier: GPL-2.0
/* Limits and free memory, as a verdict needs them. */
#include <errno.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "nodes.h"
#include "surroundings.h"
#include "vmstat.h"
#include "zones.h"

uint64_t surroundings_pinnable_free(void)
{
	uint64_t kb;

	return zones_ordinary_kb(nodes_allowed(), &kb) ? UINT64_MAX : kb << 10;
}

bool surroundings_barred(void)
{
	return nodes_with_memory() & ~nodes_allowed();
}

int surroundings_memlock(struct verdict_memlock *memlock, uint64_t wanted)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct caps[2];
	int64_t used_kb = status_kb(0, "VmPin");
	struct rlimit limit;

	if (used_kb < 0 || getrlimit(RLIMIT_MEMLOCK, &limit) ||
	    syscall(SYS_capget, &header, caps))
		return -EIO;
	memlock->measured = true;
	memlock->exempt = caps[0].effective & (1U << CAP_IPC_LOCK);
	memlock->limit = limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX
							 : limit.rlim_cur;
	memlock->used = (uint64_t)used_kb << 10;
	memlock->wanted = wanted;
	return 0;
}

void surroundings_table(struct verdict_table *table, uint64_t len)
{
	int64_t total_kb = meminfo_kb("MemTotal");

	table->wanted = len / sysconf(_SC_PAGESIZE) * sizeof(void *);
	table->memory = total_kb < 0 ? 0 : (uint64_t)total_kb << 10;
}
