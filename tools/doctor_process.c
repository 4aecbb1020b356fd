// SPDX-License-Identifier: GPL-2.0
/* What a process may lock, and how many mappings it has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

#define CAP_IPC_LOCK	14
/* PROC_USER_INIT_INO: where a capability counts for the limit. */
#define INIT_USER_NS	"user:[4026531837]"
/* The kernel's own default since v5.16; before that it was 64 KiB. */
#define MEMLOCK_DEFAULT	(8LL << 20)
#define MAPS_LIMIT	65530
/* Per cent of a limit from where on its end is near. */
#define NEAR		80

static char *folder_of(const struct doctor_process *p)
{
	return p->pid ? text_format("/proc/%lld", p->pid) :
		text_dup("/proc/self");
}

static long long limit_of(const char *s)
{
	long long value;

	if (!strcmp(s, "unlimited"))
		return DOCTOR_UNLIMITED;
	return text_number(s, &value) ? value : DOCTOR_UNKNOWN;
}

static void read_limits(struct doctor *d, struct doctor_process *p,
			const char *folder)
{
	static const char key[] = "Max locked memory";
	struct text t = { 0 };
	char soft[32], hard[32], *at;

	p->memlock = DOCTOR_UNKNOWN;
	p->memlock_hard = DOCTOR_UNKNOWN;
	p->limits = source_read(&d->source, &t, "%s/limits", folder);
	at = strstr(t.s, key);
	if (at && sscanf(at + strlen(key), "%31s %31s", soft, hard) == 2) {
		p->memlock = limit_of(soft);
		p->memlock_hard = limit_of(hard);
	}
	text_free(&t);
}

static long long status_value(const char *s, const char *key, int base)
{
	const char *at = strstr(s, key);

	return at ? strtoll(at + strlen(key), NULL, base) : DOCTOR_UNKNOWN;
}

static void read_status(struct doctor *d, struct doctor_process *p,
			const char *folder)
{
	struct text t = { 0 };
	long long capabilities;
	char *namespace;

	p->status = source_read(&d->source, &t, "%s/status", folder);
	p->pinned_kb = status_value(t.s, "\nVmPin:", 10);
	p->locked_kb = status_value(t.s, "\nVmLck:", 10);
	capabilities = status_value(t.s, "\nCapEff:", 16);
	text_free(&t);
	p->ipc_lock = capabilities == DOCTOR_UNKNOWN ? -1 :
		capabilities >> CAP_IPC_LOCK & 1;
	if (p->ipc_lock != 1)
		return;
	if (source_link(&d->source, &namespace, "%s/ns/user", folder))
		p->ipc_lock = -1;
	else
		p->ipc_lock = !strcmp(namespace, INIT_USER_NS);
	free(namespace);
}

static void read_maps(struct doctor *d, struct doctor_process *p,
		      const char *folder)
{
	struct text t = { 0 };
	const char *s;

	p->maps = source_read(&d->source, &t, "%s/maps", folder);
	p->map_count = p->maps ? DOCTOR_UNKNOWN : 0;
	for (s = t.s; !p->maps && (s = strchr(s, '\n')); s++)
		p->map_count++;
	text_free(&t);
}

/* A line for each device; NULL where there is none. */
static char *rdma_file(struct doctor *d, const char *cgroup, const char *name)
{
	struct text t = { 0 }, all = { 0 };
	char *next, *line;

	source_read(&d->source, &t, "/sys/fs/cgroup%s/%s", cgroup, name);
	next = t.s;
	while ((line = strsep(&next, "\n")))
		if (*line)
			text_printf(&all, "%s%s", all.len ? "; " : "", line);
	text_free(&t);
	return all.s;
}

/* The rdma controller keeps limits of its own, and counts what is in use. */
static void read_cgroup(struct doctor *d, struct doctor_process *p,
			const char *folder)
{
	struct text t = { 0 };
	char *at;

	source_read(&d->source, &t, "%s/cgroup", folder);
	at = text_starts(t.s, "0::") ? t.s : strstr(t.s, "\n0::");
	if (at) {
		at = strchr(at, '/');
		p->cgroup = at ? text_dup_len(at, strcspn(at, "\n")) : NULL;
	}
	text_free(&t);
	if (!p->cgroup)
		return;
	p->rdma_max = rdma_file(d, p->cgroup, "rdma.max");
	p->rdma_current = rdma_file(d, p->cgroup, "rdma.current");
}

static void miss(struct doctor *d, enum source_state state, const char *folder,
		 const char *name, const char *tells)
{
	char *path = text_format("%s/%s", folder, name);

	doctor_miss(d, state, path, tells);
	free(path);
}

static void read_process(struct doctor *d, long long pid)
{
	struct doctor_process *p = &d->process[d->processes++];
	char *folder;

	p->pid = pid;
	folder = folder_of(p);
	source_line(&d->source, &p->comm, "%s/comm", folder);
	read_limits(d, p, folder);
	read_status(d, p, folder);
	read_maps(d, p, folder);
	read_cgroup(d, p, folder);
	miss(d, p->limits, folder, "limits", "RLIMIT_MEMLOCK");
	miss(d, p->status, folder, "status", "VmPin, VmLck and CAP_IPC_LOCK");
	miss(d, p->maps, folder, "maps", "how many mappings there are");
	free(folder);
}

void doctor_read_processes(struct doctor *d)
{
	if (source_number(&d->source, &d->max_map_count,
			  "/proc/sys/vm/max_map_count"))
		d->max_map_count = MAPS_LIMIT;
	read_process(d, 0);
	if (d->pid)
		read_process(d, d->pid);
}

static char *who(const struct doctor_process *p)
{
	return p->pid ? text_format("process %lld (%s)", p->pid,
				    p->comm ? p->comm : "?") :
		text_dup("this process");
}

static char *memlock_fact(const struct doctor_process *p)
{
	return text_format("%s: Max locked memory %lld bytes, VmPin %lld kB, VmLck %lld kB, CAP_IPC_LOCK %s (/proc/%s)",
			   p->comm ? p->comm : "?", p->memlock,
			   p->pinned_kb, p->locked_kb,
			   p->ipc_lock == 1 ? "yes" :
			   p->ipc_lock ? "unknown" : "no",
			   p->pid ? "PID" : "self");
}

#define MEMLOCK_REMEDY	"Raise RLIMIT_MEMLOCK where the process is started: LimitMEMLOCK=infinity in its systemd unit, memlock in limits.conf for logins, --ulimit memlock=-1 for containers; or grant CAP_IPC_LOCK. The limit of the shell is not that of the service."
#define MEMLOCK_RULE	"RDMA counts mm->pinned_vm (VmPin) against RLIMIT_MEMLOCK before it pins, once for each device: over it ENOMEM, at 0 EPERM (Documentation/verdicts.rst, LOCK)"

static void judge_memlock(struct doctor *d, const struct doctor_process *p)
{
	char *name;

	if (p->memlock < 0 || p->ipc_lock == 1)
		return;
	name = who(p);
	if (p->memlock <= MEMLOCK_DEFAULT)
		doctor_find(d, (struct doctor_finding) {
			DOCTOR_WARNING, "memlock-small", "LOCK",
			text_format("%s may lock %lld KiB only", name,
				    p->memlock >> 10),
			text_dup("A registration beyond it fails with ENOMEM (with EPERM where it is 0) before any page is looked at: the same errno as a page that cannot move."),
			text_dup(MEMLOCK_REMEDY), memlock_fact(p), MEMLOCK_RULE });
	else if (p->pinned_kb > 0 &&
		 (p->pinned_kb << 10) / NEAR * 100 >= p->memlock)
		doctor_find(d, (struct doctor_finding) {
			DOCTOR_WARNING, "memlock-nearly-used", "LOCK",
			text_format("%s has pinned %lld of %lld KiB that it may", name,
				    p->pinned_kb, p->memlock >> 10),
			text_dup("The next registration may be the one that fails; a second device counts the same buffer once more."),
			text_dup(MEMLOCK_REMEDY), memlock_fact(p), MEMLOCK_RULE });
	else
		doctor_find(d, (struct doctor_finding) {
			DOCTOR_NOTE, "memlock-finite", "LOCK",
			text_format("%s may lock %lld KiB", name,
				    p->memlock >> 10),
			text_dup("A registration beyond it fails with ENOMEM."),
			text_dup(MEMLOCK_REMEDY), memlock_fact(p), MEMLOCK_RULE });
	free(name);
}

static void judge_maps(struct doctor *d, const struct doctor_process *p)
{
	char *name;

	if (p->map_count < 0 || p->map_count * 100 < d->max_map_count * NEAR)
		return;
	name = who(p);
	doctor_find(d, (struct doctor_finding) {
		DOCTOR_WARNING, "maps-nearly-used", "MAPS",
		text_format("%s has %lld of %lld mappings", name, p->map_count,
			    d->max_map_count),
		text_dup("At the limit mmap(), mprotect() and the split of a mapping by madvise() fail with ENOMEM, with memory to spare; libraries that register memory mark it MADV_DONTFORK, which splits mappings."),
		text_dup("Raise vm.max_map_count (sysctl); then look for what maps in small pieces."),
		text_format("%lld lines of /proc/%s/maps, vm.max_map_count %lld",
			    p->map_count, p->pid ? "PID" : "self",
			    d->max_map_count),
		"vm.max_map_count limits the mappings of a process (Documentation/admin-guide/sysctl/vm.rst of the kernel)" });
	free(name);
}

void doctor_judge_processes(struct doctor *d)
{
	int i;

	for (i = 0; i < d->processes; i++) {
		judge_memlock(d, &d->process[i]);
		judge_maps(d, &d->process[i]);
	}
}

void doctor_free_processes(struct doctor *d)
{
	int i;

	for (i = 0; i < d->processes; i++) {
		free(d->process[i].comm);
		free(d->process[i].cgroup);
		free(d->process[i].rdma_max);
		free(d->process[i].rdma_current);
	}
}
