// SPDX-License-Identifier: GPL-2.0
/*
 * What "pinprobe explain" is tried on: a program that wants memory in one piece, or
 * memory taken away, where another has a page. Exit code 0 where it ended as the
 * scenario wants. It says which page is in the way ("frame"), who has it ("hoarder")
 * and when that began ("held", ms); and when that had been told ("told").
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "lib/frames.h"
#include "lib/hugetlb.h"
#include "lib/memory.h"
#include "lib/onlooker.h"
#include "lib/vmstat.h"

#define MIB		(1UL << 20)
#define STEP		(64 * MIB)	/* taken at once, until a page lies there */
#define MOST		(96 * STEP)
#define HELD_US		500000		/* before it is in anybody's way */
#define PATIENCE	4		/* seconds */

#define BLOCKS		"/sys/devices/system/memory/"
#define AREA		"/sys/kernel/mm/cma/hugetlb0/total_pages"
#define GIGANTIC	HUGETLB_GIGANTIC_SIZE
#define PLACES		16
#define FLAG_HUGE	(1ULL << 17)	/* KPF_HUGE */

/* Frames from here on. */
static uint64_t place[PLACES], place_pages;
static size_t places;

static bool lies_there(uint64_t pfn)
{
	size_t i;

	for (i = 0; i < places; i++)
		if (pfn >= place[i] && pfn < place[i] + place_pages)
			return true;
	return false;
}

/*
 * A page that lies there, alone: the others of its area go. What was taken before
 * and lies elsewhere is kept.
 */
static char *find_page(void)
{
	size_t taken, at, page = page_size();

	for (taken = 0; taken < MOST; taken += STEP) {
		char *p = memory_shared(STEP);

		for (at = STEP - page; p && at > 64 * page; at -= 64 * page) {
			if (!lies_there(frame_of(p + at)))
				continue;
			madvise(p, at, MADV_REMOVE);
			madvise(p + at + page, STEP - at - page, MADV_REMOVE);
			return p + at;
		}
	}
	return NULL;
}

static pid_t hold_by_another(char *page)
{
	int64_t held = now_ms();
	int ready[2], ends[2];
	char c;
	pid_t pid;

	if (pipe(ready))
		return -1;
	pid = fork();
	if (pid) {
		if (read(ready[0], &c, 1) != 1)
			return -1;
		usleep(HELD_US);
		printf("hoarder %d\nheld %lld\n", pid, (long long)held);
		return pid;
	}
	prctl(PR_SET_NAME, "hoarder");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	{
		struct iovec iov = { page, page_size() };

		if (pipe(ends) || vmsplice(ends[1], &iov, 1, 0) < 0 ||
		    write(ready[1], "", 1) != 1)
			_exit(1);
	}
	pause();
	_exit(0);
}

/* When so many lines are there: not before all has been told. */
static void let_go(pid_t pid, size_t lines)
{
	onlooker_wait(lines);
	printf("told %lld\n", (long long)now_ms());
	fflush(stdout);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static bool read_line(const char *path, char *line, int size)
{
	FILE *f = fopen(path, "re");
	bool good = f && fgets(line, size, f);

	if (f)
		fclose(f);
	return good;
}

/* Blocks that can be nothing but ZONE_MOVABLE, as they are online. */
static bool find_blocks(void)
{
	char line[64], path[96];
	unsigned int block;

	if (!read_line(BLOCKS "block_size_bytes", line, sizeof(line)))
		return false;
	place_pages = strtoull(line, NULL, 16) / page_size();
	for (block = 0; block < 1024 && places < PLACES; block++) {
		snprintf(path, sizeof(path), BLOCKS "memory%u/valid_zones", block);
		if (read_line(path, line, sizeof(line)) &&
		    !strcmp(line, "Movable\n"))
			place[places++] = block * place_pages;
	}
	return places;
}

/* 0 or the errno. */
static int set_block(uint64_t pfn, const char *state)
{
	char path[96];
	int fd, error = 0;

	snprintf(path, sizeof(path), BLOCKS "memory%u/state",
		 (unsigned int)(pfn / place_pages));
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	if (write(fd, state, strlen(state)) < 0)
		error = errno;
	close(fd);
	return error;
}

/* What is in the way; how many lines there are then. */
static size_t say_frame(uint64_t pfn)
{
	printf("frame %#lx\n", (unsigned long)pfn);
	fflush(stdout);
	return onlooker_lines();
}

static void too_long(int signal)
{
}

static int block_with_holder(void)
{
	struct sigaction action = { .sa_handler = too_long };
	char *page = find_blocks() ? find_page() : NULL;
	uint64_t pfn = page ? frame_of(page) : 0;
	size_t lines;
	pid_t pid;
	int error;

	pid = pfn ? hold_by_another(page) : -1;
	if (pid < 0 || sigaction(SIGALRM, &action, NULL))
		return 1;
	lines = say_frame(pfn);
	alarm(PATIENCE);
	error = set_block(pfn, "offline");
	alarm(0);
	/* While it hung, and when it came back. */
	let_go(pid, lines + 2);
	return error != EINTR;
}

/* Where no page of it is held. */
static int block_of_nobody(void)
{
	uint64_t pfn;

	if (!find_blocks())
		return 1;
	pfn = place[places - 1];
	return set_block(pfn, "offline") || set_block(pfn, "online_movable");
}

/* What the kernel has in other zones cannot be moved; some blocks are free of it. */
static int block_of_the_kernel(void)
{
	int error = find_blocks() ? 0 : EINVAL;
	uint64_t pfn;

	for (pfn = 0; error != EBUSY && pfn < place[0]; pfn += place_pages) {
		error = set_block(pfn, "offline");
		if (!error)
			set_block(pfn, "online_kernel");
	}
	return error != EBUSY;
}

/* Where gigantic pages of the area come to lie: as many as there is room for. */
static size_t find_area(void)
{
	char line[32];
	uint64_t pfn, nr;

	if (!read_line(AREA, line, sizeof(line)))
		return 0;
	place_pages = GIGANTIC / page_size();
	nr = strtoull(line, NULL, 10) / place_pages;
	if (!nr || nr > PLACES || hugetlb_pool_set(GIGANTIC, nr))
		return 0;
	for (pfn = 0; places < nr && pfn < 64 * place_pages; pfn += place_pages)
		if (frame_flags(pfn) & FLAG_HUGE)
			place[places++] = pfn;
	hugetlb_pool_set(GIGANTIC, 0);
	return places == nr ? nr : 0;
}

/* One of the places cannot be had, and which one is not asked for. */
static int area_with_holder(void)
{
	size_t nr = find_area();
	char *page = nr ? find_page() : NULL;
	uint64_t pfn = page ? frame_of(page) : 0;
	pid_t pid = pfn ? hold_by_another(page) : -1;
	size_t lines;
	bool came;

	if (pid < 0)
		return 1;
	lines = say_frame(pfn);
	hugetlb_pool_set(GIGANTIC, nr);
	came = frame_flags(pfn) & FLAG_HUGE;
	let_go(pid, lines + 1);
	hugetlb_pool_set(GIGANTIC, 0);
	return came;
}

/* One more than there is room for. */
static int area_too_small(void)
{
	size_t nr = find_area();

	if (!nr)
		return 1;
	hugetlb_pool_set(GIGANTIC, nr + 1);
	hugetlb_pool_set(GIGANTIC, 0);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} all[] = {
		{ "block_held", block_with_holder },
		{ "block_free", block_of_nobody },
		{ "block_kernel", block_of_the_kernel },
		{ "area_held", area_with_holder },
		{ "area_small", area_too_small },
	};
	size_t i;

	for (i = 0; argc == 2 && i < sizeof(all) / sizeof(*all); i++) {
		if (strcmp(all[i].name, argv[1]))
			continue;
		/* By which it is found in what is told. */
		prctl(PR_SET_NAME, argv[1]);
		return all[i].run();
	}
	return 3;
}
