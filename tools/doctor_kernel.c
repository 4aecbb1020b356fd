// SPDX-License-Identifier: GPL-2.0
/* What this version of the kernel is known to do. */
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "version.h"

const struct doctor_rule doctor_rules[] = {
	{ "cow_longterm", "6.2",
	  "read-only, private mapping: a copy of the page is pinned, not the file's",
	  "read-only, private mapping: the file's own page is pinned" },
	{ "umem_no_force", "6.2",
	  "read-only registration: pins for reading",
	  "read-only registration: pins for writing, by FOLL_FORCE" },
	{ "direct_io_pins", "6.5",
	  "O_DIRECT in flight: holds FOLL_PIN",
	  "O_DIRECT in flight: holds a plain reference" },
	{ "file_write", "6.5",
	  "shared writable mapping of a disk's file: refused with EFAULT, tmpfs and hugetlbfs are not",
	  "shared writable mapping of a disk's file: pinned, though the file system cannot see the device write" },
	{ "io_uring_short", "6.10",
	  "held page behind others in an io_uring buffer: EFAULT, not ENOMEM",
	  "held page behind others in an io_uring buffer: ENOMEM" },
	{ "rxe_odp", "6.15",
	  "on-demand paging on rxe: yes",
	  "on-demand paging on rxe: no" },
	{ NULL }
};

/* A release candidate already has what its release has. */
bool doctor_kernel_since(const struct doctor *d, const char *version)
{
	char *candidate;
	bool since;

	if (!d->release)
		return false;
	candidate = text_format("%s-rc1", version);
	since = version_compare(d->release, candidate) >= 0;
	free(candidate);
	return since;
}

static bool has_movable(const struct doctor *d)
{
	size_t i;

	for (i = 0; i < d->memory.zones; i++)
		if (!strcmp(d->memory.zone[i].name, "Movable") &&
		    d->memory.zone[i].managed)
			return true;
	return false;
}

static void judge_hugetlb(struct doctor *d)
{
	if (!doctor_kernel_since(d, "6.1") || doctor_kernel_since(d, "6.10") ||
	    d->memory.huge_pages <= 0 || !has_movable(d))
		return;
	doctor_find(d, (struct doctor_finding) {
		DOCTOR_WARNING, "hugetlb-in-movable", "TARGET",
		text_dup("hugetlb pages in ZONE_MOVABLE cannot be registered on this kernel"),
		text_dup("A long-term pin of a touched 2 MiB hugetlb page in ZONE_MOVABLE fails with ENOMEM, with a warning in the kernel's log."),
		text_dup("Reserve the pool at boot (hugepages=), before there is a ZONE_MOVABLE to take it from; or use a kernel from v6.10 on."),
		text_format("kernel %s, %lld hugetlb pages, ZONE_MOVABLE present",
			    d->release, d->memory.huge_pages),
		"seen on 6.1, not on 6.12; 42d0c3fbb581 (\"mm: hugetlb: make the hugetlb migration strategy consistent\", v6.10)" });
}

static void judge_odd_pages(struct doctor *d)
{
	if (!doctor_kernel_since(d, "6.1") ||
	    !doctor_has_unpinnable(&d->memory))
		return;
	doctor_find(d, (struct doctor_finding) {
		DOCTOR_NOTE, "collect-loop", "SPIN",
		text_dup("a driver's movable page that is on no LRU list makes a long-term pin spin"),
		text_dup("It cannot be isolated, is counted as collected, and the pin starts anew until a fatal signal. Needs a driver that maps such pages into user space (vm_insert_page) and memory that must stay movable; both are rare together."),
		text_dup("Register no mapping of a driver that is not made for it; end the task with SIGKILL."),
		text_format("kernel %s, with CMA or ZONE_MOVABLE", d->release),
		"seen on 6.1, 6.12 and 7.3: Documentation/verdicts.rst, collect loop" });
}

void doctor_judge_kernel(struct doctor *d)
{
	judge_hugetlb(d);
	judge_odd_pages(d);
}
