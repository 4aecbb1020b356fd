// SPDX-License-Identifier: GPL-2.0
/*
 * A long-term pin of a page that has to move, while somebody else has it taken off
 * its LRU list: does it wait, fail or spin?
 *
 * Who has it taken off: move_pages() isolates each page as it reads the list of
 * them, and userfaultfd stops it in the middle of that list. Who pins: io_uring.
 * No module and no device is needed, but two nodes, one of them with nothing but
 * ZONE_MOVABLE (hot-added memory onlined as online_movable will do), and a
 * userfaultfd that stops the kernel too: root, or vm.unprivileged_userfaultfd.
 * Links with -lpthread.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/mempolicy.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE	4096UL
#define SECONDS	3
#define NO_ERRNO 255	/* how a child ends that did not get that far */
#define KILLED	(-1)
#define STILL_THERE (-2)

static char *page;	/* the one that has to move, and is isolated */
static int from = -1, to = -1;
static int trap;	/* the userfaultfd */

static long counter(const char *name)
{
	FILE *file = fopen("/proc/vmstat", "re");
	char key[64];
	long value;

	if (!file)
		err(1, "vmstat");
	while (fscanf(file, "%63s %ld", key, &value) == 2) {
		if (!strcmp(key, name)) {
			fclose(file);
			return value;
		}
	}
	fclose(file);
	return 0;
}

/* One node whose only memory is ZONE_MOVABLE, and one with other memory. */
static void choose_nodes(void)
{
	int movable[64] = { 0 }, other[64] = { 0 }, node = 0;
	FILE *file = fopen("/proc/zoneinfo", "re");
	char line[256], zone[32] = "";
	long pages;

	if (!file)
		err(1, "zoneinfo");
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "Node %d, zone %31s", &node, zone) == 2 ||
		    sscanf(line, " present %ld", &pages) != 1 ||
		    node < 0 || node > 63)
			continue;
		if (pages && !strcmp(zone, "Movable"))
			movable[node] = 1;
		else if (pages)
			other[node] = 1;
	}
	fclose(file);
	for (node = 0; node < 64; node++) {
		if (movable[node] && !other[node])
			from = node;
		if (other[node] && to < 0)
			to = node;
	}
}

/* Shared, so that a child has the same page and not a copy. */
static void make_page(void)
{
	unsigned long nodes[2] = { 1UL << from };

	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		err(1, "mmap");
	if (syscall(SYS_mbind, page, PAGE, MPOL_BIND, nodes, 65UL, 0))
		err(1, "mbind");
	*page = 1;
}

/* A list of pages whose second entry is not there until somebody brings it. */
static void **make_list(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	char *list = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void **entries = (void **)(list + PAGE) - 1;

	if (list == MAP_FAILED)
		err(1, "mmap");
	trap = syscall(SYS_userfaultfd, O_CLOEXEC);
	if (trap < 0 || ioctl(trap, UFFDIO_API, &api))
		err(1, "userfaultfd");
	area.range.start = (unsigned long)list + PAGE;
	area.range.len = PAGE;
	if (ioctl(trap, UFFDIO_REGISTER, &area))
		err(1, "UFFDIO_REGISTER");
	entries[0] = page;
	return entries;
}

static void *isolate(void *list)
{
	int nodes[2] = { to, to }, status[2];

	syscall(SYS_move_pages, 0, 2UL, list, nodes, status, MPOL_MF_MOVE);
	return NULL;
}

static void await_fault(void)
{
	struct pollfd poll_trap = { .fd = trap, .events = POLLIN };
	struct uffd_msg msg;

	if (poll(&poll_trap, 1, 5000) != 1 ||
	    read(trap, &msg, sizeof(msg)) != sizeof(msg))
		errx(1, "move_pages() did not get to its second page");
}

static void let_go(void **list)
{
	struct uffdio_zeropage zero = {
		.range = { (unsigned long)(list + 1), PAGE },
	};

	if (ioctl(trap, UFFDIO_ZEROPAGE, &zero))
		err(1, "UFFDIO_ZEROPAGE");
}

static int pin(void)
{
	struct io_uring_params params = { 0 };
	struct iovec buffer = { page, PAGE };
	int ring = syscall(SYS_io_uring_setup, 1, &params);

	if (ring < 0)
		err(NO_ERRNO, "io_uring_setup");
	if (syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS,
		    &buffer, 1))
		return errno;
	return 0;
}

/* Its errno, if it ends within so many tenths of a second. */
static int await(pid_t pid, int tenths, struct rusage *usage)
{
	int status;

	for (; tenths; tenths--) {
		if (wait4(pid, &status, WNOHANG, usage) == pid)
			return WIFEXITED(status) ? WEXITSTATUS(status) : KILLED;
		usleep(100000);
	}
	return STILL_THERE;
}

static int say(int number, const char *name, int result)
{
	if (result == NO_ERRNO || result < 0) {
		printf("not ok %d %s.returns\n", number, name);
		return 1;
	}
	printf("ok %d %s.returns # %s\n", number, name,
	       result ? strerror(result) : "pinned");
	return 0;
}

static pid_t start_pin(void)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (!pid)
		_exit(pin());
	return pid;
}

/* While the page is isolated. */
static int try_isolated(void **list)
{
	long pins = counter("nr_foll_pin_acquired");
	long moves = counter("pgmigrate_success") + counter("pgmigrate_fail");
	struct rusage usage = { 0 };
	pid_t pid = start_pin();
	int result = await(pid, 10 * SECONDS, &usage), killed = KILLED;

	if (result == STILL_THERE) {
		kill(pid, SIGKILL);
		killed = await(pid, 10, &usage);
		printf("# SIGKILL %s\n", killed == KILLED ? "ends it" :
							   "does not end it");
	}
	printf("# %ld pins taken, migration of %ld pages tried\n",
	       counter("nr_foll_pin_acquired") - pins,
	       counter("pgmigrate_success") + counter("pgmigrate_fail") - moves);
	let_go(list);
	if (killed == STILL_THERE)
		wait4(pid, NULL, 0, &usage);
	printf("# %.2f s on a CPU of %d s, voluntary switches %ld\n",
	       usage.ru_stime.tv_sec + usage.ru_stime.tv_usec / 1e6, SECONDS,
	       usage.ru_nvcsw);
	return say(1, "isolated", result);
}

int main(void)
{
	struct rusage usage;
	pthread_t thread;
	void **list;
	int failed;

	printf("TAP version 13\n1..2\n");
	choose_nodes();
	if (from < 0 || to < 0) {
		printf("ok 1 isolated.returns # SKIP no-numa: no node that is all movable\n");
		printf("ok 2 afterwards.returns # SKIP no-numa: no node that is all movable\n");
		return 0;
	}
	make_page();
	list = make_list();
	if (pthread_create(&thread, NULL, isolate, list))
		errx(1, "thread");
	await_fault();
	failed = try_isolated(list);
	pthread_join(thread, NULL);
	failed += say(2, "afterwards", await(start_pin(), 10 * SECONDS, &usage));
	return failed != 0;
}
