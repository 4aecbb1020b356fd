/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * pinprobe: see where user pages lie, hold them under a chosen contract, and
 * learn what the kernel did to honour it.
 *
 * Rules that hold for every structure below
 *
 *  - @size is the size of the structure as the caller knows it. A shorter one
 *    is taken as if the missing tail were zero; a longer one is accepted only
 *    if the part the module does not know is zero, else -E2BIG; longer than a
 *    page never is. Shorter than the first version of that structure: -EINVAL.
 *  - @flags and every reserved field must be zero where no meaning is given,
 *    else -EINVAL.
 *  - Who may not call at all gets -EPERM before the structure is read, so
 *    nothing in it is filled in.
 *  - Addresses and lengths are in bytes and multiples of the page size,
 *    PFNs are in units of the page size.
 *  - Everything said about a page of a running system is a snapshot. The page
 *    may have moved, and its counts may have changed, before the caller reads
 *    the record. Only a page that a pin fd holds stays the page it was.
 *
 * ioctl numbers carry no size, so that a structure can grow at its end without
 * a new number. None collides with a command that the VFS answers itself
 * (FIBMAP, FIGETBSZ, ...: see do_vfs_ioctl() in fs/ioctl.c).
 */
#ifndef _UAPI_LINUX_PINPROBE_H
#define _UAPI_LINUX_PINPROBE_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define PINPROBE_DEVICE		"/dev/pinprobe"
#define PINPROBE_ABI_VERSION	1

#define PINPROBE_IOC_MAGIC	0xE1

/* Sizes of the structures' first versions, bytes */
#define PINPROBE_INFO_SIZE_V1		48
#define PINPROBE_RESOLVE_SIZE_V1	56
#define PINPROBE_PIN_SIZE_V1		320
#define PINPROBE_PIN_STATE_SIZE_V1	320
#define PINPROBE_PIN_PAGES_SIZE_V1	48
#define PINPROBE_PAGE_SIZE_V1		64

/**
 * enum pinprobe_zone - the zone a page lies in
 * @PINPROBE_ZONE_DMA: ZONE_DMA
 * @PINPROBE_ZONE_DMA32: ZONE_DMA32
 * @PINPROBE_ZONE_NORMAL: ZONE_NORMAL
 * @PINPROBE_ZONE_HIGHMEM: ZONE_HIGHMEM
 * @PINPROBE_ZONE_MOVABLE: ZONE_MOVABLE, which a long-term pin must leave
 * @PINPROBE_ZONE_DEVICE: ZONE_DEVICE
 * @PINPROBE_ZONE_UNKNOWN: not known
 *
 * The kernel's own numbers depend on its configuration; these do not.
 */
enum pinprobe_zone {
	PINPROBE_ZONE_DMA	= 0,
	PINPROBE_ZONE_DMA32	= 1,
	PINPROBE_ZONE_NORMAL	= 2,
	PINPROBE_ZONE_HIGHMEM	= 3,
	PINPROBE_ZONE_MOVABLE	= 4,
	PINPROBE_ZONE_DEVICE	= 5,
	PINPROBE_ZONE_UNKNOWN	= 255,
};

/**
 * enum pinprobe_migratetype - migratetype of the pageblock a page lies in
 * @PINPROBE_MT_UNMOVABLE: MIGRATE_UNMOVABLE
 * @PINPROBE_MT_MOVABLE: MIGRATE_MOVABLE
 * @PINPROBE_MT_RECLAIMABLE: MIGRATE_RECLAIMABLE
 * @PINPROBE_MT_HIGHATOMIC: MIGRATE_HIGHATOMIC
 * @PINPROBE_MT_CMA: MIGRATE_CMA, which a long-term pin must leave
 * @PINPROBE_MT_ISOLATE: MIGRATE_ISOLATE. Only kernels that store isolation in
 *	place of the type report this. Later ones keep the type readable and
 *	the record has %PINPROBE_PAGE_ISOLATED beside it.
 * @PINPROBE_MT_UNKNOWN: not known
 *
 * The kernel's own numbers depend on its configuration (without CONFIG_CMA, 4
 * is MIGRATE_ISOLATE); these do not.
 */
enum pinprobe_migratetype {
	PINPROBE_MT_UNMOVABLE	= 0,
	PINPROBE_MT_MOVABLE	= 1,
	PINPROBE_MT_RECLAIMABLE	= 2,
	PINPROBE_MT_HIGHATOMIC	= 3,
	PINPROBE_MT_CMA		= 4,
	PINPROBE_MT_ISOLATE	= 5,
	PINPROBE_MT_UNKNOWN	= 255,
};

/**
 * enum pinprobe_page_state - what stands at a virtual address
 * @PINPROBE_STATE_ABSENT: mapped area, no page: never touched, swapped out,
 *	being migrated at this moment, or hidden behind a hint of automatic NUMA
 *	balancing until the next access (hmm_range_fault() takes it for absent;
 *	numa_balancing=disable in tests that must not see that)
 * @PINPROBE_STATE_PRESENT: a page with a struct page; the rest of the record
 *	is filled in
 * @PINPROBE_STATE_UNMAPPED: no mapping covers this address
 * @PINPROBE_STATE_SPECIAL: VM_IO or VM_PFNMAP mapping, or an entry without a
 *	normal page
 * @PINPROBE_STATE_NOREAD: the mapping does not allow reading (PROT_NONE);
 *	what it holds is not looked at
 * @PINPROBE_STATE_OFFLINE: a PFN whose memory map is not online
 *
 * For any state but PRESENT, @pfn and all that describes a page is zero, or
 * the UNKNOWN value of its enum.
 */
enum pinprobe_page_state {
	PINPROBE_STATE_ABSENT	= 0,
	PINPROBE_STATE_PRESENT	= 1,
	PINPROBE_STATE_UNMAPPED	= 2,
	PINPROBE_STATE_SPECIAL	= 3,
	PINPROBE_STATE_NOREAD	= 4,
	PINPROBE_STATE_OFFLINE	= 5,
};

/* pinprobe_page.flags. Folio flags are those of the whole folio. */
#define PINPROBE_PAGE_WRITE		(1ULL << 0)  /* mapped writable here */
#define PINPROBE_PAGE_ISOLATED		(1ULL << 1)  /* pageblock is isolated */
#define PINPROBE_PAGE_MAYBE_PINNED	(1ULL << 2)  /* as folio_maybe_dma_pinned() */
#define PINPROBE_PAGE_ANON		(1ULL << 3)
#define PINPROBE_PAGE_LRU		(1ULL << 4)  /* on an LRU list: isolatable */
#define PINPROBE_PAGE_LARGE		(1ULL << 5)  /* folio order > 0 */
#define PINPROBE_PAGE_HUGETLB		(1ULL << 6)
#define PINPROBE_PAGE_ZERO		(1ULL << 7)  /* the zero page: never pinned */
#define PINPROBE_PAGE_SWAPCACHE		(1ULL << 8)
#define PINPROBE_PAGE_LOCKED		(1ULL << 9)
#define PINPROBE_PAGE_DIRTY		(1ULL << 10)
#define PINPROBE_PAGE_WRITEBACK		(1ULL << 11)
#define PINPROBE_PAGE_UNEVICTABLE	(1ULL << 12)
#define PINPROBE_PAGE_MLOCKED		(1ULL << 13)
#define PINPROBE_PAGE_HWPOISON		(1ULL << 14)
#define PINPROBE_PAGE_PRIVATE		(1ULL << 15)
#define PINPROBE_PAGE_KSM		(1ULL << 16)
/*
 * The mapping kept changing while it was read: this record may mix two
 * pages. Records without it were read while the page stayed mapped here.
 */
#define PINPROBE_PAGE_RACY		(1ULL << 17)

/*
 * pinprobe_page.unpinnable: why a long-term pin must move the page first, 0 if
 * it may stay. The reasons are those of folio_is_longterm_pinnable() in
 * include/linux/mm.h; INFO says which of them this kernel checks.
 */
#define PINPROBE_UNPINNABLE_CMA		(1U << 0)
#define PINPROBE_UNPINNABLE_ISOLATE	(1U << 1)
#define PINPROBE_UNPINNABLE_MOVABLE	(1U << 2)
#define PINPROBE_UNPINNABLE_COHERENT	(1U << 3)
#define PINPROBE_UNPINNABLE_FSDAX	(1U << 4)

/**
 * struct pinprobe_page - one page, or a run of alike pages
 * @addr: virtual address of the first page, bytes
 * @pfn: PFN of the first page; page i of the run has @pfn + i
 * @nr_pages: length of the run in pages; 1 unless runs were asked for
 * @flags: PINPROBE_PAGE_*
 * @node: NUMA node, -1 if not known
 * @state: enum pinprobe_page_state
 * @zone: enum pinprobe_zone
 * @migratetype: enum pinprobe_migratetype of the pageblock
 * @order: order of the folio that this page is part of
 * @refs: reference count found on the folio
 * @refs_expected: references that mappings, page cache, swap cache and private
 *	data account for. A folio whose @refs is higher is held by somebody
 *	else, or lies for a moment in a per-CPU LRU batch.
 * @mapcount: how often the folio is mapped
 * @pins: FOLL_PIN count. Exact for a large folio. For a small one it is @refs
 *	/ 1024 (GUP_PIN_COUNTING_BIAS), which 1024 plain references read as
 *	well: see Documentation/core-api/pin_user_pages.rst in the kernel.
 * @unpinnable: PINPROBE_UNPINNABLE_*
 * @reserved: zero
 *
 * Records of consecutive pages are joined into one run if they differ in
 * nothing but address and PFN, and both are consecutive. Where there is no
 * PFN, it need not be.
 */
struct pinprobe_page {
	__u64 addr;
	__u64 pfn;
	__u64 nr_pages;
	__u64 flags;
	__s32 node;
	__u8 state;
	__u8 zone;
	__u8 migratetype;
	__u8 order;
	__s32 refs;
	__s32 refs_expected;
	__s32 mapcount;
	__u32 pins;
	__u32 unpinnable;
	__u32 reserved;
};

/* pinprobe_info.features */
#define PINPROBE_FEATURE_CMA		(1ULL << 0)  /* CONFIG_CMA */
#define PINPROBE_FEATURE_ISOLATE_BIT	(1ULL << 1)  /* isolation beside the type */
#define PINPROBE_FEATURE_MIGRATE_TRACE	(1ULL << 2)  /* mm_migrate_pages attached */
#define PINPROBE_FEATURE_FAULTS		(1ULL << 3)  /* fault fixtures built in */
/* pin_user_pages_unlocked() takes FOLL_LONGTERM */
#define PINPROBE_FEATURE_UNLOCKED_LONGTERM	(1ULL << 4)

/**
 * struct pinprobe_info - what this module and this kernel are
 * @size: see the top of this file
 * @flags: zero
 * @abi_version: out: %PINPROBE_ABI_VERSION of the module
 * @page_size: out: bytes
 * @block_order: out: a pageblock is 2^order pages
 * @migratetypes: out: 1 << enum pinprobe_migratetype for each this kernel has
 * @zones: out: 1 << enum pinprobe_zone for each this kernel has
 * @unpinnable: out: PINPROBE_UNPINNABLE_* that this kernel's gate checks
 * @features: out: PINPROBE_FEATURE_*
 * @max_pin_pages: out: most pages one PIN takes
 */
struct pinprobe_info {
	__u32 size;
	__u32 flags;
	__u32 abi_version;
	__u32 page_size;
	__u32 block_order;
	__u32 migratetypes;
	__u32 zones;
	__u32 unpinnable;
	__u64 features;
	__u64 max_pin_pages;
};

/* pinprobe_resolve.flags */
#define PINPROBE_RESOLVE_FAULT	(1U << 0)  /* fault absent pages in, for reading */
#define PINPROBE_RESOLVE_RUNS	(1U << 1)  /* join alike neighbours into runs */

/**
 * struct pinprobe_resolve - which pages stand in a range of a process
 * @size: see the top of this file
 * @flags: PINPROBE_RESOLVE_*
 * @addr: in: start of the range, bytes
 * @len: in: length of the range, bytes
 * @records: in: user pointer to an array of struct pinprobe_page
 * @nr_records: in: room in @records, at least 1
 * @record_size: in: size of one record as the caller knows it; the module
 *	fills that many bytes, the unknown tail with zeroes
 * @pid: in: process to look at, in the caller's PID namespace; 0: the caller
 * @filled: out: records written
 * @next: out: first address not reported. @addr + @len when all is done;
 *	less when @records was full: call again from there.
 */
struct pinprobe_resolve {
	__u32 size;
	__u32 flags;
	__u64 addr;
	__u64 len;
	__u64 records;
	__u32 nr_records;
	__u32 record_size;
	__s32 pid;
	__u32 filled;
	__u64 next;
};

/**
 * enum pinprobe_call - the function of the kernel that takes the pages
 * @PINPROBE_CALL_GET: get_user_pages(), mmap_lock held for reading
 * @PINPROBE_CALL_GET_FAST: get_user_pages_fast()
 * @PINPROBE_CALL_GET_UNLOCKED: get_user_pages_unlocked()
 * @PINPROBE_CALL_GET_REMOTE: get_user_pages_remote()
 * @PINPROBE_CALL_PIN: pin_user_pages(), mmap_lock held for reading
 * @PINPROBE_CALL_PIN_FAST: pin_user_pages_fast()
 * @PINPROBE_CALL_PIN_UNLOCKED: pin_user_pages_unlocked()
 * @PINPROBE_CALL_PIN_REMOTE: pin_user_pages_remote()
 *
 * FOLL_PIN itself is internal to GUP: which family is called decides it. Only
 * the remote calls reach another process.
 */
enum pinprobe_call {
	PINPROBE_CALL_GET		= 0,
	PINPROBE_CALL_GET_FAST		= 1,
	PINPROBE_CALL_GET_UNLOCKED	= 2,
	PINPROBE_CALL_GET_REMOTE	= 3,
	PINPROBE_CALL_PIN		= 4,
	PINPROBE_CALL_PIN_FAST		= 5,
	PINPROBE_CALL_PIN_UNLOCKED	= 6,
	PINPROBE_CALL_PIN_REMOTE	= 7,
};

/**
 * enum pinprobe_reason - why the kernel migrated pages during a call
 * @PINPROBE_REASON_LONGTERM_PIN: MR_LONGTERM_PIN. Before Linux v5.13 a pin's migrations
 *                                had the reason MR_CONTIG_RANGE; they count here
 * @PINPROBE_REASON_COMPACTION: MR_COMPACTION
 * @PINPROBE_REASON_CONTIG_RANGE: MR_CONTIG_RANGE
 * @PINPROBE_REASON_OTHER: any other
 * @PINPROBE_REASON_COUNT: number of reasons
 */
enum pinprobe_reason {
	PINPROBE_REASON_LONGTERM_PIN	= 0,
	PINPROBE_REASON_COMPACTION	= 1,
	PINPROBE_REASON_CONTIG_RANGE	= 2,
	PINPROBE_REASON_OTHER		= 3,
	PINPROBE_REASON_COUNT		= 4,
};

/**
 * struct pinprobe_migrate - sums over the mm_migrate_pages events of one call
 * @calls: calls of migrate_pages()
 * @succeeded: pages moved; a large folio counts all of its pages
 * @failed: pages not moved
 * @thp_succeeded: PMD-mappable folios moved
 * @thp_failed: PMD-mappable folios not moved
 * @thp_split: PMD-mappable folios split on the way
 *
 * Only migrations run by the calling task are counted, never those that others
 * do meanwhile. The events are those of include/trace/events/migrate.h.
 */
struct pinprobe_migrate {
	__u64 calls;
	__u64 succeeded;
	__u64 failed;
	__u64 thp_succeeded;
	__u64 thp_failed;
	__u64 thp_split;
};

/**
 * enum pinprobe_stage - what a PIN was doing when it ended
 * @PINPROBE_STAGE_DONE: it succeeded
 * @PINPROBE_STAGE_ARGUMENT: checking arguments and finding the process
 * @PINPROBE_STAGE_MEMLOCK: charging RLIMIT_MEMLOCK
 * @PINPROBE_STAGE_ALLOC: allocating memory of its own, or the file descriptor
 * @PINPROBE_STAGE_SNAPSHOT: reading the pages before the call
 * @PINPROBE_STAGE_GUP: inside the get_user_pages()/pin_user_pages() call
 * @PINPROBE_STAGE_MIGRATE: inside migrate_pages(), called by GUP. Only a
 *	deadline or a signal can be found here.
 */
enum pinprobe_stage {
	PINPROBE_STAGE_DONE	= 0,
	PINPROBE_STAGE_ARGUMENT	= 1,
	PINPROBE_STAGE_MEMLOCK	= 2,
	PINPROBE_STAGE_ALLOC	= 3,
	PINPROBE_STAGE_SNAPSHOT	= 4,
	PINPROBE_STAGE_GUP	= 5,
	PINPROBE_STAGE_MIGRATE	= 6,
};

/* pinprobe_outcome.flags */
#define PINPROBE_OUTCOME_MIGRATE	(1U << 0)  /* @migrate was measured */
#define PINPROBE_OUTCOME_SNAPSHOT	(1U << 1)  /* moved/stayed/absent by PFN */

/**
 * struct pinprobe_outcome - what one PIN did
 * @error: errno as a positive number, 0 if the pin is held
 * @stage: enum pinprobe_stage
 * @flags: PINPROBE_OUTCOME_*
 * @calls: calls of the GUP function made, one per batch and per short count
 * @nr_pages: pages asked for
 * @nr_pinned: pages held when it ended. On failure they have been let go.
 * @moved: pages that are not where they were before. With
 *	%PINPROBE_OUTCOME_SNAPSHOT, by comparing PFNs of pages that were
 *	present and got pinned; without it, pages the kernel says it migrated
 *	for this pin. Not zero after a failure either: what moved stays moved.
 * @stayed: pages pinned where they were. With the snapshot, by PFN; without
 *	it, those of @nr_pinned which did not move, faulted in or not.
 * @absent: pages not there before and faulted in by the call; 0 without the
 *	snapshot
 * @failed: pages that the kernel tried to migrate for this pin and could not;
 *	a page that fails in several attempts counts in each
 * @fail_addr: address of the batch's first page not pinned; 0 on success
 * @faults: page faults that the calling task took meanwhile
 * @duration_ns: time spent, ns
 * @migrate: by enum pinprobe_reason
 *
 * A retry loop of the kernel that made no migrate_pages() call, while @stage is
 * GUP and @error ETIMEDOUT, collects a page that it cannot isolate (or, with
 * @faults racing, faults one in that never satisfies it). With calls racing, it
 * migrates again and again.
 */
struct pinprobe_outcome {
	__s32 error;
	__u32 stage;
	__u32 flags;
	__u32 calls;
	__u64 nr_pages;
	__u64 nr_pinned;
	__u64 moved;
	__u64 stayed;
	__u64 absent;
	__u64 failed;
	__u64 fail_addr;
	__u64 faults;
	__u64 duration_ns;
	struct pinprobe_migrate migrate[PINPROBE_REASON_COUNT];
};

/* pinprobe_pin.flags */
#define PINPROBE_PIN_WRITE	(1U << 0)  /* FOLL_WRITE */
#define PINPROBE_PIN_LONGTERM	(1U << 1)  /* FOLL_LONGTERM; PIN calls only */
/*
 * Keep a record of each page as it was before the call. Costs 64 bytes a page
 * and a walk of the page table.
 */
#define PINPROBE_PIN_SNAPSHOT	(1U << 2)

#define PINPROBE_PIN_TIMEOUT_DEFAULT_MS	10000
#define PINPROBE_PIN_TIMEOUT_MAX_MS	3600000

/**
 * struct pinprobe_pin - take pages and hold them until the fd is closed
 * @size: see the top of this file
 * @flags: PINPROBE_PIN_*
 * @addr: in: start of the range, bytes
 * @len: in: length of the range, bytes
 * @call: in: enum pinprobe_call
 * @pid: in: process whose pages to take, in the caller's PID namespace; 0: the
 *	caller. Another process needs a remote call.
 * @timeout_ms: in: deadline, 0 for %PINPROBE_PIN_TIMEOUT_DEFAULT_MS
 * @fd: out: the pin, opened O_CLOEXEC; -1 on failure
 * @outcome: out: filled in on failure too, once the structure itself was valid
 */
struct pinprobe_pin {
	__u32 size;
	__u32 flags;
	__u64 addr;
	__u64 len;
	__u32 call;
	__s32 pid;
	__u32 timeout_ms;
	__s32 fd;
	struct pinprobe_outcome outcome;
};

/**
 * struct pinprobe_pin_state - what a pin fd is
 * @size: see the top of this file
 * @flags: zero
 * @addr: out: start of the range, bytes
 * @len: out: length of the range, bytes
 * @call: out: enum pinprobe_call
 * @pin_flags: out: PINPROBE_PIN_* it was taken with
 * @age_ns: out: ns since the pin was complete (CLOCK_BOOTTIME)
 * @outcome: out: what taking it did
 */
struct pinprobe_pin_state {
	__u32 size;
	__u32 flags;
	__u64 addr;
	__u64 len;
	__u32 call;
	__u32 pin_flags;
	__u64 age_ns;
	struct pinprobe_outcome outcome;
};

/**
 * enum pinprobe_when - which page of a pin to report
 * @PINPROBE_WHEN_BEFORE: the page as it was before the pin, read then. Needs
 *	%PINPROBE_PIN_SNAPSHOT, else -ENODATA.
 * @PINPROBE_WHEN_HELD: the page that the pin holds, read now
 * @PINPROBE_WHEN_NOW: the page that stands at the address now, which after
 *	munmap(), mremap(), MADV_DONTNEED or a copy-on-write is another one, or
 *	none. -ESRCH if the address space is gone.
 */
enum pinprobe_when {
	PINPROBE_WHEN_BEFORE	= 0,
	PINPROBE_WHEN_HELD	= 1,
	PINPROBE_WHEN_NOW	= 2,
};

/* pinprobe_pin_pages.flags */
#define PINPROBE_PAGES_RUNS	(1U << 0)  /* join alike neighbours into runs */

/**
 * struct pinprobe_pin_pages - the pages of a pin
 * @size: see the top of this file
 * @flags: PINPROBE_PAGES_*
 * @index: in: first page to report, counted from the start of the pin
 * @records: in: user pointer to an array of struct pinprobe_page
 * @nr_records: in: room in @records, at least 1
 * @record_size: in: as in struct pinprobe_resolve
 * @when: in: enum pinprobe_when
 * @filled: out: records written
 * @next: out: first page not reported; the number of pages when all is done
 *
 * A record of %PINPROBE_WHEN_HELD has no %PINPROBE_PAGE_WRITE: it describes the
 * page, not a mapping.
 */
struct pinprobe_pin_pages {
	__u32 size;
	__u32 flags;
	__u64 index;
	__u64 records;
	__u32 nr_records;
	__u32 record_size;
	__u32 when;
	__u32 filled;
	__u64 next;
};

/**
 * PINPROBE_IOC_INFO - on /dev/pinprobe, struct pinprobe_info
 *
 * Takes no lock. Errors: EINVAL, E2BIG, EFAULT for the structure itself.
 */
#define PINPROBE_IOC_INFO	_IO(PINPROBE_IOC_MAGIC, 0x80)

/**
 * PINPROBE_IOC_RESOLVE - on /dev/pinprobe, struct pinprobe_resolve
 *
 * Takes no page reference, and faults nothing in unless asked. Holds the mmap
 * lock of the process for reading, 512 pages at a time. Memory used does not
 * grow with the range. Without %PINPROBE_RESOLVE_FAULT a hole is a record
 * (UNMAPPED), not an error; with it too, where no page can be had.
 *
 * EINVAL     unaligned or zero length, unknown flag, negative pid, no room, a
 *            record size below %PINPROBE_PAGE_SIZE_V1, above a page or not a
 *            multiple of 8
 * EOVERFLOW  addr + len wraps
 * EFAULT     range outside user addresses, or a bad pointer
 * ESRCH      no such process, or it has no address space (any more)
 * EPERM      the file was opened by, or the call comes from, somebody without
 *            CAP_SYS_ADMIN in the initial user namespace
 * EINTR      killed while waiting, as a fault may make it do; ENOMEM
 *
 * On failure the records written so far are not counted: @filled and @next keep
 * what the caller put there.
 */
#define PINPROBE_IOC_RESOLVE	_IO(PINPROBE_IOC_MAGIC, 0x81)

/**
 * PINPROBE_IOC_PIN - on /dev/pinprobe, struct pinprobe_pin
 *
 * Calls the GUP function in the caller's own context, 512 pages at a time as
 * ib_umem_get() does, until all pages are held. The pages are charged to the
 * caller's mm->pinned_vm, against RLIMIT_MEMLOCK unless CAP_IPC_LOCK. A call
 * which fails leaves nothing pinned and nothing charged; it may have moved
 * pages, and says how many. For PINPROBE_CALL_GET and _PIN the mmap lock is held
 * for reading across each batch, as those functions want it.
 *
 * EINVAL     as RESOLVE; LONGTERM with a GET call; pid with a call that is not
 *            remote; timeout above %PINPROBE_PIN_TIMEOUT_MAX_MS; more pages
 *            than INFO's max_pin_pages
 * EOVERFLOW, ESRCH, EPERM  as RESOLVE
 * EOPNOTSUPP LONGTERM with PINPROBE_CALL_PIN_UNLOCKED where INFO does not have
 *            %PINPROBE_FEATURE_UNLOCKED_LONGTERM (stage ARGUMENT)
 * EPERM      RLIMIT_MEMLOCK is 0 (stage MEMLOCK)
 * ENOMEM     over RLIMIT_MEMLOCK (stage MEMLOCK); no memory (stage ALLOC); a
 *            page could not be migrated, or the kernel had none (stage GUP)
 * EFAULT     no mapping, no permission, or a mapping GUP refuses (stage GUP)
 * ETIMEDOUT  the deadline passed (the stage says inside what)
 * EINTR      killed
 * EMFILE, ENFILE  no file descriptor
 *
 * Any other errno of GUP is passed on as it is.
 */
#define PINPROBE_IOC_PIN	_IO(PINPROBE_IOC_MAGIC, 0x82)

/**
 * PINPROBE_IOC_PIN_STATE - on a pin fd, struct pinprobe_pin_state
 *
 * Takes no lock. Errors: EINVAL, E2BIG, EFAULT for the structure itself.
 */
#define PINPROBE_IOC_PIN_STATE	_IO(PINPROBE_IOC_MAGIC, 0x83)

/**
 * PINPROBE_IOC_PIN_PAGES - on a pin fd, struct pinprobe_pin_pages
 *
 * %PINPROBE_WHEN_NOW takes the mmap lock of the pinned process for reading.
 * EPERM as RESOLVE: physical addresses are for CAP_SYS_ADMIN, whoever holds the
 * fd. EINVAL if @index is past the end; ENODATA and ESRCH: enum pinprobe_when.
 */
#define PINPROBE_IOC_PIN_PAGES	_IO(PINPROBE_IOC_MAGIC, 0x84)

#endif /* _UAPI_LINUX_PINPROBE_H */
