// SPDX-License-Identifier: GPL-2.0
/*
 * Why the kernel refuses BPF programs: it says EPERM or EINVAL, and what it lacks
 * is looked for where it shows.
 */
#include <inttypes.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "barriers.h"
#include "version.h"

#define OLDEST		"6.1"
#define LOCKDOWN	"/sys/kernel/security/lockdown"
/* PROC_PID_INIT_INO of linux/proc_ns.h */
#define FIRST_PID_NS	0xeffffffcu

static bool has(uint64_t set, int cap)
{
	return set >> cap & 1;
}

/* All, where it cannot be read. */
static uint64_t capabilities(const struct source *source)
{
	struct text status = {};
	const char *line;
	uint64_t set = ~0ull;

	source_read(source, &status, "/proc/self/status");
	line = strstr(status.s, "CapEff:");
	if (line)
		set = strtoull(line + strlen("CapEff:"), NULL, 16);
	text_free(&status);
	return set;
}

static bool lacks_capabilities(const struct source *source, struct text *why)
{
	uint64_t set = capabilities(source);

	if (has(set, CAP_SYS_ADMIN) ||
	    (has(set, CAP_BPF) && has(set, CAP_PERFMON)))
		return false;
	text_printf(why, "this process lacks %s%s%s: run it as root, or give it both, CAP_SYSLOG and CAP_SYS_ADMIN\n",
		    has(set, CAP_BPF) ? "" : "CAP_BPF",
		    has(set, CAP_BPF) || has(set, CAP_PERFMON) ? "" : " and ",
		    has(set, CAP_PERFMON) ? "" : "CAP_PERFMON");
	return true;
}

/* "         0          0 4294967295" is the initial one. */
static bool in_user_namespace(const struct source *source, struct text *why)
{
	uint64_t inside, outside, length;
	char *line = NULL;
	bool other;

	source_line(source, &line, "/proc/self/uid_map");
	other = line && sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64,
			       &inside, &outside, &length) == 3 &&
		(inside || outside || length != UINT32_MAX);
	free(line);
	if (other)
		text_puts(why, "this is a user namespace (a rootless container): its capabilities do not count for BPF; run it on the host\n");
	return other;
}

/* "none integrity [confidentiality]" */
static bool locked_down(const struct source *source, struct text *why)
{
	char *line = NULL;
	bool locked;

	source_line(source, &line, LOCKDOWN);
	locked = line && strstr(line, "[confidentiality]");
	free(line);
	if (locked)
		text_puts(why, "the kernel is locked down (" LOCKDOWN ": confidentiality), so that BPF may not read its memory: boot with lockdown=integrity or none\n");
	return locked;
}

static bool too_old(const struct source *source, struct text *why)
{
	char *release = NULL;
	bool old;

	source_line(source, &release, "/proc/sys/kernel/osrelease");
	old = release && version_compare(release, OLDEST) < 0;
	if (old)
		text_printf(why, "Linux %s is older than " OLDEST ", from which on it works\n",
			    release);
	free(release);
	return old;
}

bool barriers_certain(const struct source *source, struct text *why)
{
	bool found = in_user_namespace(source, why);

	if (!found)
		found = lacks_capabilities(source, why);
	return locked_down(source, why) || found;
}

bool barriers_find(const struct source *source, struct text *why)
{
	bool found = barriers_certain(source, why);

	return too_old(source, why) || found;
}

void barriers_partial(const struct source *source, struct text *why)
{
	uint64_t set = capabilities(source);

	if (!has(set, CAP_SYS_ADMIN))
		text_puts(why, "without CAP_SYS_ADMIN the BTF of modules is not shown: layers in modules (RDMA, VFIO) and addresses of pages are not seen\n");
	if (!has(set, CAP_SYSLOG))
		text_puts(why, "without CAP_SYSLOG addresses of the kernel are not shown: page frames, pageblocks and the names of callers are not seen\n");
}

bool barriers_first_pids(const struct source *source)
{
	char *target = NULL;
	uint32_t inode = FIRST_PID_NS;

	source_target(source, &target, "/proc/self/ns/pid");
	if (target && sscanf(target, "pid:[%" SCNu32 "]", &inode) != 1)
		inode = FIRST_PID_NS;
	free(target);
	return inode == FIRST_PID_NS;
}
