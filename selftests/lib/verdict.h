/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From what was measured around one call that takes pages to the verdict on it.
 *
 * Pure functions: no system call, no test harness. Whoever calls them states
 * what was not measured, and a verdict that would need it is not given.
 */
#ifndef SELFTESTS_VERDICT_H
#define SELFTESTS_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* By path: programs of the host compile this without -I. */
#include "../../uapi/linux/pinprobe.h"

enum verdict_code {
	VERDICT_UNDECIDED,	/* the facts do not single out one cause */
	VERDICT_OK,
	VERDICT_REFS,
	VERDICT_TARGET,
	VERDICT_SPIN,
	VERDICT_WAIT,
	VERDICT_FILE,
	VERDICT_DAX,
	VERDICT_PFNMAP,
	VERDICT_SECRET,
	VERDICT_P2P,
	VERDICT_PERM,
	VERDICT_SIGBUS,
	VERDICT_LOCK,
	VERDICT_NOPIN,
	VERDICT_KALLOC,
	VERDICT_NOT_MEMORY,
	VERDICT_COUNT
};

/*
 * What a set of page records adds up to. A folio is counted once for each
 * stretch of consecutive records that lie in it, which is once unless its
 * pages are mapped out of order.
 */
struct verdict_pages {
	uint64_t pages;			/* all that were asked about */
	uint64_t special;		/* state SPECIAL */
	uint64_t unmapped;		/* state UNMAPPED */
	uint64_t unseen;		/* no page, or one that kept changing */
	uint64_t unpinned;		/* seen, and no pin on it */
	uint64_t referenced;		/* of these, held by a plain reference */
	uint64_t held_anon;		/* anonymous ones, held by whatever */
	uint64_t unpinnable;		/* pages a long-term pin must move */
	uint64_t unpinnable_folios;
	/* Of these pages: */
	uint64_t written;		/* being written back */
	uint64_t off_list;		/* on no list that they could be taken from */
};

/*
 * Two snapshots of the same addresses, compared page by page. Pages are taken in
 * batches, and the first batch with a page that cannot move is the last that is
 * tried: what holds pages behind it is no cause of anything.
 */
struct verdict_change {
	uint64_t moved;			/* present in both, another PFN */
	uint64_t stayed;		/* present in both, same PFN */
	uint64_t opened;		/* can be written to, and could not before */
	uint64_t stuck_pages;		/* had to move, and stayed */
	uint64_t stuck_folios;
	/* Of these, in the first batch that has any: */
	uint64_t stuck_pinned;		/* folios with pins on them */
	uint64_t stuck_referenced;	/* no pins, but more refs than expected */
	uint64_t held_pages;		/* pages of both */
};

struct verdict_memlock {
	bool measured;
	bool exempt;			/* CAP_IPC_LOCK */
	uint64_t limit;			/* bytes; UINT64_MAX: unlimited */
	uint64_t used;			/* bytes charged before the call */
	uint64_t wanted;		/* bytes the call adds */
};

/* What the kernel was busy with during the call; system-wide but @switches. */
struct verdict_work {
	bool measured;
	uint64_t thp_splits;		/* thp_split_pmd of /proc/vmstat */
	uint64_t faults;		/* of the calling task */
	uint64_t switches;		/* voluntary ones, of the calling task */
	uint64_t migrate_failed;	/* pgmigrate_fail, for whatever reason */
};

/* What the kernel has to remember of the pages: one pointer each, or more. */
struct verdict_table {
	uint64_t wanted;		/* bytes */
	uint64_t memory;		/* of the machine, bytes; 0: not measured */
};

/* What stands behind a mapping. */
enum verdict_file {
	VERDICT_FILE_NONE,		/* nothing: anonymous */
	VERDICT_FILE_MEMORY,		/* tmpfs, hugetlbfs: not written back */
	VERDICT_FILE_DISK,		/* written back by a file system */
	VERDICT_FILE_DAX,		/* the pages are the storage */
	VERDICT_FILE_SECRET,		/* memfd_secret() */
	VERDICT_FILE_SYSFS,		/* told of writes, as a disk's are */
	VERDICT_FILE_DEVICE,		/* what a driver maps, a socket's ring */
};

struct verdict_mapping {
	bool measured;			/* one mapping covers all addresses */
	bool io;			/* VM_IO or VM_PFNMAP */
	bool shared;
	bool writable;
	enum verdict_file file;
	uint64_t beyond;		/* pages behind the end of the file */
	uint64_t hugetlb;		/* bytes of its hugetlb pages, 0: none */
};

struct verdict_facts {
	int error;			/* errno of the call, 0: success */
	bool write;			/* write access was asked for */
	bool shortterm;			/* without FOLL_LONGTERM: nothing has to move */
	bool reference;			/* asks for references, not for pins */
	bool place;			/* asks for no page, but wants its place */
	bool refs_measured;		/* the records have reference counts */
	bool migrate_measured;
	struct pinprobe_migrate migrate; /* of this call, for a long-term pin */
	/*
	 * Pages that failed in the last migrate_pages() call: the one after
	 * which the pin gave up. Before, it may have failed on the same pages.
	 */
	uint64_t last_failed;
	struct verdict_pages before;	/* as the call found them */
	struct verdict_pages after;	/* as it left them */
	struct verdict_change change;
	uint64_t moved_earlier;		/* pages an earlier pin had moved */
	/*
	 * Pinnable memory that was free where the caller may allocate, bytes;
	 * UINT64_MAX: not measured.
	 */
	uint64_t pinnable_free;
	bool barred;			/* a cpuset leaves out nodes with memory */
	/*
	 * Hugetlb pages that have to move: pinnable memory free on their nodes,
	 * where alone a new one is made, and how many the pool had.
	 */
	bool home_only;
	uint64_t home_free;
	/* Gigantic pages: the target must come from the pool, which had so many. */
	bool pool_only;
	uint64_t pool_free;
	/* Hugetlb pages that a fault of @mapping could get. */
	uint64_t pool_reach;
	struct verdict_memlock memlock;
	struct verdict_table table;
	/*
	 * Pages that lie in mappings without write permission, which the page
	 * table does not tell; UINT64_MAX: not measured.
	 */
	uint64_t denied;
	struct verdict_mapping mapping;
	/* How long the call took, and how long of it on a CPU; 0: not measured. */
	uint64_t spent_us;
	uint64_t cpu_us;
	bool unkillable;		/* SIGKILL did not end it */
	struct verdict_work work;
	/*
	 * Errno of the same call, made while a holder was there that is gone
	 * now; 0 if there was no such call.
	 */
	int with_holder;
};

#define VERDICT_TEXT	160

/* Pages that ib_umem_get() and PIN take at a time. */
#define VERDICT_BATCH	512

struct verdict {
	enum verdict_code code;
	char text[VERDICT_TEXT];	/* why, for people */
	char not_lock[VERDICT_TEXT];	/* why it is not LOCK; "" if it may be */
};

const char *verdict_name(enum verdict_code code);

void verdict_count(const struct pinprobe_page *pages, size_t nr,
		   struct verdict_pages *count);
void verdict_compare(const struct pinprobe_page *before,
		     const struct pinprobe_page *after, size_t nr,
		     struct verdict_change *change);
void verdict_decide(const struct verdict_facts *facts, struct verdict *verdict);

/*
 * True if pages failed to migrate that nobody is seen to hold afterwards, with
 * memory for them elsewhere: some part of the kernel had a reference for a moment
 * (compaction, or who splits large folios under memory pressure), longer than
 * migrate_pages() tries. Who asks again has them moved.
 */
bool verdict_passing(const struct verdict_facts *facts);

#endif /* SELFTESTS_VERDICT_H */
