// SPDX-License-Identifier: GPL-2.0
/* RESOLVE against what procfs and the boot log say about the same pages. */
#include <errno.h>
#include <fcntl.h>
#include <linux/kernel-page-flags.h>
#include <sched.h>
#include <sys/uio.h>
#include "kselftest_harness.h"
#include "lib/buffer.h"
#include "lib/child.h"
#include "lib/device.h"
#include "lib/memory.h"
#include "lib/oracle.h"

/* Of include/linux/kernel-page-flags.h, which user space does not get. */
#define KPF_MLOCKED	33

#define PAGES		64
#define THP_PAGES	(pmd_size() / page_size())
#define WINDOW		4096

/* Enough to push every page touched earlier out of the CPU's LRU batch. */
#define LRU_BATCH	64

FIXTURE(page)
{
	int dev;
	struct oracle oracle;
	struct pinprobe_page *pages;
};

FIXTURE_SETUP(page)
{
	cpu_set_t cpu;

	self->oracle.pagemap = -1;
	self->oracle.kpageflags = -1;
	self->oracle.kpagecount = -1;
	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	ASSERT_EQ(0, oracle_open(&self->oracle, 0));
	self->pages = calloc(WINDOW, sizeof(*self->pages));
	ASSERT_NE(NULL, self->pages);
	/* Pages wait in a batch of the CPU that touched them. */
	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(cpu), &cpu));
}

FIXTURE_TEARDOWN(page)
{
	close(self->dev);
	oracle_close(&self->oracle);
	free(self->pages);
}

static void settle(void)
{
	munmap(memory_touched(LRU_BATCH * page_size()),
	       LRU_BATCH * page_size());
}

#define RESOLVE(addr, nr)						\
	ASSERT_EQ(nr, device_resolve(self->dev, 0, addr,		\
				     (nr) * page_size(), 0,		\
				     self->pages, WINDOW, NULL))

static char *map_thp(void)
{
	char *map = mmap(NULL, 2 * pmd_size(), PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *thp;

	if (map == MAP_FAILED)
		return NULL;
	thp = (char *)(((uintptr_t)map + pmd_size() - 1) & ~(pmd_size() - 1));
	if (madvise(thp, pmd_size(), MADV_HUGEPAGE))
		return NULL;
	memset(thp, 1, pmd_size());
	return thp;
}

/* Every second page touched, so that neighbours cannot stand in for a page. */
TEST_F(page, pfn_matches_pagemap)
{
	char *map = memory_map(PAGES * page_size());
	unsigned int i, present = 0;

	ASSERT_NE(NULL, map);
	for (i = 0; i < PAGES; i += 2)
		map[i * page_size()] = 1;
	RESOLVE(map, PAGES);
	for (i = 0; i < PAGES; i++) {
		char *addr = map + i * page_size();
		uint64_t pfn = oracle_pfn(&self->oracle, addr);

		EXPECT_EQ((uintptr_t)addr, self->pages[i].addr);
		EXPECT_EQ(1, self->pages[i].nr_pages);
		EXPECT_EQ(pfn, self->pages[i].pfn);
		EXPECT_EQ(pfn ? PINPROBE_STATE_PRESENT : PINPROBE_STATE_ABSENT,
			  self->pages[i].state);
		present += pfn != 0;
	}
	EXPECT_EQ(PAGES / 2, present);
}

TEST_F(page, references_of_anon)
{
	char *map = memory_touched(PAGES * page_size());
	unsigned int i;

	ASSERT_NE(NULL, map);
	settle();
	RESOLVE(map, PAGES);
	for (i = 0; i < PAGES; i++) {
		EXPECT_EQ(oracle_kpagecount(&self->oracle, self->pages[i].pfn),
			  self->pages[i].mapcount);
		EXPECT_EQ(1, self->pages[i].mapcount);
		EXPECT_EQ(1, self->pages[i].refs);
		EXPECT_EQ(1, self->pages[i].refs_expected);
		EXPECT_EQ(0, self->pages[i].pins);
		EXPECT_EQ(0, self->pages[i].flags & PINPROBE_PAGE_MAYBE_PINNED);
	}
}

static int wait_for_end(int sock, void *arg)
{
	int value;

	return child_hear(sock, &value, NULL) == -EPIPE ? 0 : 1;
}

TEST_F(page, references_of_shared)
{
	char *map = memory_touched(PAGES * page_size());
	struct child child;
	unsigned int i;

	ASSERT_NE(NULL, map);
	settle();
	ASSERT_EQ(0, child_start(&child, wait_for_end, NULL));
	RESOLVE(map, PAGES);
	for (i = 0; i < PAGES; i++) {
		EXPECT_EQ(2, oracle_kpagecount(&self->oracle,
					       self->pages[i].pfn));
		EXPECT_EQ(2, self->pages[i].mapcount);
		EXPECT_EQ(2, self->pages[i].refs);
		EXPECT_EQ(2, self->pages[i].refs_expected);
		EXPECT_EQ(0, self->pages[i].flags & PINPROBE_PAGE_WRITE);
	}
	EXPECT_EQ(0, child_end(&child));
}

TEST_F(page, references_of_page_cache)
{
	int fd = memfd_create("resolve", MFD_CLOEXEC);
	char *map;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ftruncate(fd, page_size()));
	map = mmap(NULL, page_size(), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		   0);
	ASSERT_NE(MAP_FAILED, map);
	map[0] = 1;
	settle();
	RESOLVE(map, 1);
	EXPECT_EQ(oracle_pfn(&self->oracle, map), self->pages[0].pfn);
	EXPECT_EQ(1, self->pages[0].mapcount);
	EXPECT_EQ(2, self->pages[0].refs);
	EXPECT_EQ(2, self->pages[0].refs_expected);
	EXPECT_EQ(0, self->pages[0].flags & PINPROBE_PAGE_ANON);
}

/* A holder shows as a reference that nothing accounts for. */
TEST_F(page, reference_of_a_pipe)
{
	char *map = memory_touched(page_size());
	struct iovec iov = { .iov_base = map, .iov_len = page_size() };
	int pipe_fd[2];

	ASSERT_NE(NULL, map);
	settle();
	ASSERT_EQ(0, pipe(pipe_fd));
	ASSERT_EQ(iov.iov_len, vmsplice(pipe_fd[1], &iov, 1, 0));
	RESOLVE(map, 1);
	EXPECT_EQ(2, self->pages[0].refs);
	EXPECT_EQ(1, self->pages[0].refs_expected);
	EXPECT_EQ(0, self->pages[0].pins);
	close(pipe_fd[0]);
	close(pipe_fd[1]);
	RESOLVE(map, 1);
	EXPECT_EQ(1, self->pages[0].refs);
}

/* Looking from two sides at once finds nobody else's reference, ever. */
TEST_F(page, takes_no_reference)
{
	char *map = memory_touched(PAGES * page_size());
	pid_t parent = getpid(), pid;
	unsigned int i, round;
	int status;

	ASSERT_NE(NULL, map);
	settle();
	/* Shares nothing: what it looks at is the parent's. */
	ASSERT_EQ(0, madvise(map, PAGES * page_size(), MADV_DONTFORK));
	pid = fork();
	ASSERT_LE(0, pid);
	while (!pid)
		if (device_resolve(self->dev, parent, map, PAGES * page_size(),
				   0, self->pages, WINDOW, NULL) != PAGES)
			_exit(1);
	for (round = 0; round < 200; round++) {
		sched_yield();
		RESOLVE(map, PAGES);
		for (i = 0; i < PAGES; i++) {
			ASSERT_EQ(1, self->pages[i].refs);
			ASSERT_EQ(1, oracle_kpagecount(&self->oracle,
						       self->pages[i].pfn));
			if (round)
				break;
		}
	}
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(SIGKILL, WTERMSIG(status));
}

static void expect_flag(struct __test_metadata *_metadata, uint64_t kpf,
			uint64_t kpf_mask, const struct pinprobe_page *page,
			uint64_t flag)
{
	EXPECT_EQ(!!(kpf & kpf_mask), !!(page->flags & flag)) {
		TH_LOG("pfn %#jx: kpageflags %#jx, flags %#jx, looked for %#jx",
		       (uintmax_t)page->pfn, (uintmax_t)kpf,
		       (uintmax_t)page->flags, (uintmax_t)flag);
	}
}

#define KPF(bit)	(1ULL << (KPF_##bit))

/*
 * The flags of the whole folio, as its first page has them. Before "proc: rewrite
 * stable_page_flags()" (in v6.10) the others were shown without.
 */
static uint64_t folio_kpageflags(struct oracle *oracle, uint64_t pfn)
{
	uint64_t kpf;

	do {
		kpf = oracle_kpageflags(oracle, pfn--);
	} while (kpf & KPF(COMPOUND_TAIL));
	return kpf;
}

/* Each flag both ways, on whatever the page at hand is. */
static uint64_t expect_flags(struct __test_metadata *_metadata,
			     struct oracle *oracle,
			     const struct pinprobe_page *page)
{
	uint64_t kpf = oracle_kpageflags(oracle, page->pfn);
	uint64_t folio = folio_kpageflags(oracle, page->pfn);

	ASSERT_NE(0, page->pfn);
	expect_flag(_metadata, kpf, KPF(ANON), page, PINPROBE_PAGE_ANON);
	expect_flag(_metadata, folio, KPF(LRU), page, PINPROBE_PAGE_LRU);
	expect_flag(_metadata, kpf, KPF(COMPOUND_HEAD) | KPF(COMPOUND_TAIL),
		    page, PINPROBE_PAGE_LARGE);
	expect_flag(_metadata, kpf, KPF(HUGE), page, PINPROBE_PAGE_HUGETLB);
	expect_flag(_metadata, kpf, KPF(ZERO_PAGE), page, PINPROBE_PAGE_ZERO);
	expect_flag(_metadata, folio, KPF(SWAPCACHE), page,
		    PINPROBE_PAGE_SWAPCACHE);
	expect_flag(_metadata, folio, KPF(LOCKED), page, PINPROBE_PAGE_LOCKED);
	expect_flag(_metadata, folio, KPF(DIRTY), page, PINPROBE_PAGE_DIRTY);
	expect_flag(_metadata, folio, KPF(WRITEBACK), page,
		    PINPROBE_PAGE_WRITEBACK);
	expect_flag(_metadata, folio, KPF(UNEVICTABLE), page,
		    PINPROBE_PAGE_UNEVICTABLE);
	expect_flag(_metadata, folio, KPF(MLOCKED), page, PINPROBE_PAGE_MLOCKED);
	expect_flag(_metadata, kpf, KPF(HWPOISON), page,
		    PINPROBE_PAGE_HWPOISON);
	/* kpageflags is no oracle here: 6.12 calls every anonymous page KSM. */
	EXPECT_EQ(0, page->flags & PINPROBE_PAGE_KSM);
	return kpf;
}

#define EXPECT_FLAGS(page) \
	expect_flags(_metadata, &self->oracle, page)

TEST_F(page, flags_of_anon)
{
	char *map = memory_touched(2 * page_size());

	ASSERT_NE(NULL, map);
	settle();
	RESOLVE(map, 2);
	EXPECT_NE(0, EXPECT_FLAGS(&self->pages[0]) & KPF(LRU));
	EXPECT_NE(0, self->pages[0].flags & PINPROBE_PAGE_WRITE);
	ASSERT_EQ(0, mprotect(map, page_size(), PROT_READ));
	RESOLVE(map, 2);
	EXPECT_EQ(0, self->pages[0].flags & PINPROBE_PAGE_WRITE);
	EXPECT_NE(0, self->pages[1].flags & PINPROBE_PAGE_WRITE);
}

TEST_F(page, flags_of_mlocked)
{
	char *map = memory_touched(page_size());

	ASSERT_NE(NULL, map);
	ASSERT_EQ(0, mlock(map, page_size()));
	settle();
	RESOLVE(map, 1);
	EXPECT_NE(0, EXPECT_FLAGS(&self->pages[0]) & KPF(MLOCKED));
}

TEST_F(page, flags_of_zero_page)
{
	char *map = memory_map(page_size());

	ASSERT_NE(NULL, map);
	memory_read(map, page_size());
	RESOLVE(map, 1);
	EXPECT_NE(0, EXPECT_FLAGS(&self->pages[0]) & KPF(ZERO_PAGE));
	EXPECT_EQ(0, self->pages[0].flags & PINPROBE_PAGE_WRITE);
	EXPECT_EQ(0, self->pages[0].unpinnable);
}

TEST_F(page, flags_of_shmem)
{
	char *map = memory_shared(page_size());

	ASSERT_NE(NULL, map);
	settle();
	RESOLVE(map, 1);
	EXPECT_NE(0, EXPECT_FLAGS(&self->pages[0]) & KPF(DIRTY));
}

TEST_F(page, thp)
{
	char *thp = map_thp();
	unsigned int i;

	ASSERT_NE(NULL, thp);
	RESOLVE(thp, THP_PAGES);
	for (i = 0; i < THP_PAGES; i++) {
		uint64_t pfn = oracle_pfn(&self->oracle, thp + i * page_size());

		ASSERT_EQ(pfn, self->pages[i].pfn);
		ASSERT_EQ(self->pages[0].pfn + i, self->pages[i].pfn);
		ASSERT_EQ(__builtin_ctzl(THP_PAGES), self->pages[i].order);
		ASSERT_EQ(1, self->pages[i].refs_expected);
		ASSERT_EQ(0, self->pages[i].pins);
	}
	EXPECT_NE(0, EXPECT_FLAGS(&self->pages[0]) & KPF(THP));
	EXPECT_NE(0, EXPECT_FLAGS(&self->pages[1]) & KPF(COMPOUND_TAIL));
}

static int set_hugetlb(int nr)
{
	FILE *file = fopen("/proc/sys/vm/nr_hugepages", "r+e");
	int now = -1;

	if (!file)
		return -1;
	fprintf(file, "%d\n", nr);
	fflush(file);
	rewind(file);
	if (fscanf(file, "%d", &now) != 1)
		now = -1;
	fclose(file);
	return now;
}

TEST_F(page, hugetlb)
{
	char *map;

	if (set_hugetlb(1) < 1)
		SKIP(return, "no-hugetlb");
	map = mmap(NULL, pmd_size(), PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	EXPECT_EQ(0, set_hugetlb(0) & ~1);
	ASSERT_NE(MAP_FAILED, map);
	map[0] = 1;
	RESOLVE(map, THP_PAGES);
	EXPECT_NE(0, EXPECT_FLAGS(&self->pages[0]) & KPF(HUGE));
	EXPECT_EQ(__builtin_ctzl(THP_PAGES), self->pages[0].order);
	EXPECT_EQ(self->pages[0].pfn + THP_PAGES - 1,
		  self->pages[THP_PAGES - 1].pfn);
	EXPECT_EQ(oracle_pfn(&self->oracle, map + page_size()),
		  self->pages[1].pfn);
	EXPECT_EQ(self->pages[0].refs_expected, self->pages[0].refs);
	EXPECT_EQ(0, munmap(map, pmd_size()));
	EXPECT_EQ(0, set_hugetlb(0));
}

/* Zone, migratetype and verdict of a window that has the unpinnable class. */
TEST_F(page, placement_matches_boot_log)
{
	struct look look = { .dev = self->dev };
	unsigned int i, unpinnable = 0;
	struct buffer buffer;
	int err;

	if (!oracle_knows_cma(&self->oracle))
		SKIP(return, "not-this-profile: CMA that the boot log does not place");
	err = buffer_find(&buffer, &look, BACKING_RANGE, BUFFER_UNPINNABLE);
	if (err == -ENODATA && promise_unpinnable() == ~0U)
		SKIP(return, "not-this-profile: no unpinnable memory");
	ASSERT_EQ(0, err) TH_LOG("saw: %s", buffer.histogram);
	RESOLVE(buffer.addr, buffer.nr_pages);
	for (i = 0; i < buffer.nr_pages; i++) {
		const struct pinprobe_page *page = &self->pages[i];
		bool cma = oracle_in_cma(&self->oracle, page->pfn);
		uint8_t zone = oracle_zone(&self->oracle, page->pfn);
		bool known = zone != PINPROBE_ZONE_UNKNOWN;

		ASSERT_EQ(cma, page->migratetype == PINPROBE_MT_CMA);
		ASSERT_EQ(cma, !!(page->unpinnable & PINPROBE_UNPINNABLE_CMA));
		ASSERT_NE(PINPROBE_MT_UNKNOWN, page->migratetype);
		ASSERT_EQ(0, page->node);
		ASSERT_EQ(page->zone == PINPROBE_ZONE_MOVABLE,
			  !!(page->unpinnable & PINPROBE_UNPINNABLE_MOVABLE));
		ASSERT_EQ(known ? zone : page->zone, page->zone);
		unpinnable += !!(page->unpinnable & promise_unpinnable());
	}
	EXPECT_LE(buffer.nr_pages / 2, unpinnable);
	buffer_free(&buffer);
}

TEST_HARNESS_MAIN
