// SPDX-License-Identifier: GPL-2.0
/* What is wrong with where memory lies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

#define CMA_RULE	"a long-term pin keeps no page of a CMA pageblock: it moves it away or fails (case A and B of Documentation/matrix.rst)"

static char *or_unknown(char *s, const char *otherwise)
{
	if (*s)
		return s;
	free(s);
	return text_dup(otherwise);
}

static char *hidden_fact(const struct doctor *d)
{
	const struct doctor_memory *m = &d->memory;
	long long blocks = doctor_cma_blocks(m);
	struct text t = { 0 };

	if (m->cma_total_kb >= 0)
		text_printf(&t, "CmaTotal %lld kB, CmaFree %lld kB, may lag %lld kB (/proc/meminfo); ",
			    m->cma_total_kb, m->cma_free_kb, doctor_lag_kb(m));
	if (blocks >= 0)
		text_printf(&t, "%lld CMA pageblocks, %lld kB (/proc/pagetypeinfo); ",
			    m->block_pages ? blocks / m->block_pages : 0,
			    blocks * m->page_kb);
	else
		text_printf(&t, "/proc/pagetypeinfo %s; ",
			    source_why(m->pagetypeinfo));
	text_printf(&t, "%zu registered areas (/sys/kernel/mm/cma%s)", m->areas,
		    m->cma_sysfs ? " absent" : "");
	return t.s;
}

static void judge_hidden(struct doctor *d)
{
	bool sure;
	long long kb = doctor_hidden_kb(&d->memory, &sure);
	char *origin;

	if (!kb)
		return;
	origin = or_unknown(doctor_origins_of(&d->origins, "kho"),
			    "not told by the command line");
	doctor_find(d, (struct doctor_finding) {
		sure ? DOCTOR_CRITICAL : DOCTOR_NOTE, "hidden-cma",
		"HIDDEN-CMA",
		text_format("%lld MiB of CMA %s to no registered area (source: %s)",
			    kb >> 10, sure ? "belong" : "seem to belong",
			    origin),
		text_dup("Buffers land there like anywhere, each registration has to move them out, and one weak reference makes that ENOMEM. Nothing in CmaTotal or in the list of areas shows it. Kexec HandOver releases its scratch memory so."),
		text_dup(sure ? "Boot with kho=off if nobody hands over by kexec, or with a smaller kho_scratch=. Until then: long-term pins first, before any other I/O on the buffers." :
			 "Run as root: /proc/pagetypeinfo tells for sure."),
		hidden_fact(d),
		"KHO scratch is released as MIGRATE_CMA without an area: seen with kho=on on 7.3.4, CmaTotal 0, CmaFree 830432 kB, 416 pageblocks" });
	free(origin);
}

/* An area that could not be activated is counted and is not there. */
static void judge_lost(struct doctor *d)
{
	const struct doctor_memory *m = &d->memory;
	long long blocks = doctor_cma_blocks(m), isolated = 0;
	size_t i;
	int type;

	if (blocks < 0 || m->cma_total_kb <= 0 || !m->block_pages)
		return;
	for (i = 0; i < m->zones; i++)
		for (type = 0; type < m->types; type++)
			if (!strcmp(m->type[type], "Isolate"))
				isolated += m->zone[i].blocks[type];
	if ((blocks + isolated * m->block_pages) * m->page_kb >=
	    m->cma_total_kb)
		return;
	doctor_find(d, (struct doctor_finding) {
		DOCTOR_NOTE, "cma-inactive", NULL,
		text_format("%lld MiB of registered CMA are no CMA pageblocks",
			    (m->cma_total_kb - blocks * m->page_kb) >> 10),
		text_dup("An area that spans two zones is reserved and cannot be activated: allocations from it fail."),
		text_dup("Look for \"could not be activated\" in the kernel's log; give cma= a base, or drop kernelcore= and movablecore=."),
		hidden_fact(d),
		"cma= with kernelcore= or movablecore= can straddle zones: seen" });
}

static char *area_names(const struct doctor *d)
{
	struct text t = { 0 };
	size_t i;

	text_add(&t, "", 0);
	for (i = 0; i < d->memory.areas; i++)
		text_printf(&t, "%s%s", i ? ", " : "; areas: ",
			    d->memory.area[i].name);
	return t.s;
}

static void judge_cma(struct doctor *d)
{
	const struct doctor_memory *m = &d->memory;
	const struct doctor_zone *z = doctor_cma_first(m);
	char *origin, *names;
	bool sure;

	if (m->cma_total_kb <= 0 && !z)
		return;
	origin = or_unknown(doctor_origins_of(&d->origins, "cma hugetlb kho"),
			    "the kernel's configuration or its firmware");
	names = area_names(d);
	if (m->cma_total_kb > 0)
		doctor_find(d, (struct doctor_finding) {
			DOCTOR_NOTE, "cma", NULL,
			text_format("%lld MiB of CMA, by %s%s",
				    m->cma_total_kb >> 10, origin, names),
			text_dup("Device drivers allocate from it; meanwhile it lends its pages to others, who may be asked to register them."),
			text_dup("None, where a device needs it. Else leave the parameter out."),
			hidden_fact(d), CMA_RULE });
	if (z && !(doctor_hidden_kb(m, &sure) && !sure))
		doctor_find(d, (struct doctor_finding) {
			DOCTOR_WARNING, "cma-first", "REFS",
			text_format("new buffers come from CMA first in node %d zone %s",
				    z->node, z->name),
			text_dup("More than half of what is free there is CMA, so that anonymous memory and page cache are taken from it. Whoever pins them without FOLL_LONGTERM, or only holds a reference, makes the next registration fail with ENOMEM."),
			text_dup("Register before any other I/O on the buffer, or touch it first through a long-term pin (io_uring fixed buffers do); then make the reserve smaller than half of its zone."),
			text_format("node %d zone %s: free %lld kB, of it CMA %lld kB (/proc/zoneinfo)",
				    z->node, z->name, z->free * m->page_kb,
				    z->free_cma * m->page_kb),
			"the page allocator takes CMA once it is more than half of a zone's free memory (Documentation/placement.rst)" });
	free(origin);
	free(names);
}

struct share {
	long long managed, unpinnable, free, pinnable_free, movable;
};

static struct share share_of(const struct doctor_memory *m, int node)
{
	struct share s = { 0 };
	const struct doctor_zone *z;
	size_t i;

	for (i = 0; i < m->zones; i++) {
		z = &m->zone[i];
		if (node >= 0 && z->node != node)
			continue;
		s.managed += z->managed;
		s.unpinnable += doctor_zone_unpinnable(m, z);
		s.movable += doctor_zone_movable(z) ? z->managed : 0;
		s.free += z->free;
		s.pinnable_free += doctor_zone_pinnable_free(z);
	}
	return s;
}

static void judge_node(struct doctor *d, int node)
{
	const struct doctor_memory *m = &d->memory;
	struct share s = share_of(m, node);
	char *origin;

	if (!s.managed || s.unpinnable < s.managed)
		return;
	origin = or_unknown(doctor_origins_of(&d->origins, "movable policy"),
			    "onlined so");
	doctor_find(d, (struct doctor_finding) {
		DOCTOR_WARNING, "node-unpinnable", "TARGET",
		text_format("nothing on node %d can ever be registered (%s)",
			    node, origin),
		text_dup("All of it is ZONE_MOVABLE or CMA: a long-term pin moves each page to another node, and fails with ENOMEM where the task is bound to this one."),
		text_dup("Do not bind who registers memory to this node (numactl, cpuset.mems); online a part of it in ZONE_NORMAL (online_kernel)."),
		text_format("node %d: managed %lld kB, ZONE_MOVABLE %lld kB, CMA and ZONE_MOVABLE %lld kB (/proc/zoneinfo)",
			    node, s.managed * m->page_kb,
			    s.movable * m->page_kb, s.unpinnable * m->page_kb),
		"a long-term pin keeps no page of ZONE_MOVABLE or CMA: Documentation/verdicts.rst, TARGET" });
	free(origin);
}

static void judge_nodes(struct doctor *d)
{
	const struct doctor_memory *m = &d->memory;
	size_t i, k;

	for (i = 0; i < m->zones; i++) {
		for (k = 0; k < i; k++)
			if (m->zone[k].node == m->zone[i].node)
				break;
		if (k == i)
			judge_node(d, m->zone[i].node);
	}
}

static void judge_movable(struct doctor *d)
{
	const struct doctor_memory *m = &d->memory;
	struct share s = share_of(m, -1);
	bool most = 2 * s.movable > s.managed;
	char *origin;

	if (!s.movable)
		return;
	origin = or_unknown(doctor_origins_of(&d->origins, "movable policy"),
			    "hot-added and onlined so");
	doctor_find(d, (struct doctor_finding) {
		most ? DOCTOR_WARNING : DOCTOR_NOTE, "zone-movable",
		"TARGET",
		text_format("%lld of %lld MiB are ZONE_MOVABLE, by %s",
			    s.movable * m->page_kb >> 10,
			    s.managed * m->page_kb >> 10, origin),
		text_dup("User memory is taken from there first, and each registration has to move it out: that is a copy of each page, and ENOMEM where somebody holds one or the rest of memory is full."),
		text_dup("A smaller movablecore=, or none where memory is never unplugged. Register before other I/O on the buffers."),
		text_format("ZONE_MOVABLE %lld kB of %lld kB (/proc/zoneinfo)",
			    s.movable * m->page_kb, s.managed * m->page_kb),
		"ZONE_MOVABLE gives the same four answers as CMA: Documentation/matrix.rst" });
	free(origin);
}

/* What is free cannot be pinned, and what can be pinned is not free. */
static void judge_capacity(struct doctor *d)
{
	const struct doctor_memory *m = &d->memory;
	struct share s = share_of(m, -1);
	long long pinnable = s.managed - s.unpinnable;

	if (!s.unpinnable || s.pinnable_free * 50 >= pinnable ||
	    s.free - s.pinnable_free < 4 * s.pinnable_free)
		return;
	doctor_find(d, (struct doctor_finding) {
		DOCTOR_WARNING, "pinnable-nearly-out", "TARGET",
		text_format("%lld MiB are free, and %lld MiB of them can be pinned",
			    s.free * m->page_kb >> 10,
			    s.pinnable_free * m->page_kb >> 10),
		text_dup("A page that must move finds no place: ENOMEM, or the OOM killer, with free memory to be seen."),
		text_dup("Free ordinary memory (drop caches, stop what holds it), then make the movable part smaller."),
		text_format("free %lld kB, pinnable free %lld kB, pinnable in all %lld kB (/proc/zoneinfo)",
			    s.free * m->page_kb, s.pinnable_free * m->page_kb,
			    pinnable * m->page_kb),
		"a target of the migration is never CMA or ZONE_MOVABLE: Documentation/verdicts.rst, TARGET" });
}

static void judge_policy(struct doctor *d)
{
	const char *policy = d->origins.online_policy;

	if (!policy || strcmp(policy, "online_movable"))
		return;
	doctor_find(d, (struct doctor_finding) {
		DOCTOR_NOTE, "online-movable", "TARGET",
		text_dup("hot-added memory becomes ZONE_MOVABLE"),
		text_dup("What a virtual machine or a CXL device adds later can hold no registered memory."),
		text_dup("echo online_kernel >/sys/devices/system/memory/auto_online_blocks, where it need not be unplugged again."),
		text_format("auto_online_blocks: %s", policy),
		"case 7: on a node that is all ZONE_MOVABLE nothing can be pinned" });
}

void doctor_judge_memory(struct doctor *d)
{
	judge_hidden(d);
	judge_lost(d);
	judge_cma(d);
	judge_nodes(d);
	judge_movable(d);
	judge_capacity(d);
	judge_policy(d);
	if (d->memory.pagetypeinfo)
		doctor_find(d, (struct doctor_finding) {
			DOCTOR_NOTE, "pagetypeinfo-unread", NULL,
			text_format("/proc/pagetypeinfo: %s",
				    source_why(d->memory.pagetypeinfo)),
			text_dup("CMA that belongs to no area is seen only as far as it is free: CmaFree above CmaTotal."),
			text_dup("Run as root."),
			text_dup("/proc/pagetypeinfo is for root alone (mode 0400)"),
			"pageblocks by migratetype are told nowhere else" });
}
