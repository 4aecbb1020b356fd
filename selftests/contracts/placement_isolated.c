// SPDX-License-Identifier: GPL-2.0
/*
 * Where the target page of a row can lie: in a pageblock that is being isolated. An
 * attempt to take a memory block offline isolates all of it, and goes on until it is
 * done or a signal comes; a page that somebody holds keeps it from being done.
 *
 * Memory where a long-term pin may stay, and that nothing but the row allocates
 * from: a block of the node that is all movable, made ordinary for as long as the
 * row runs. Kernel memory comes from the other node.
 */
#include <errno.h>
#include <glob.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../lib/device.h"
#include "../lib/nodes.h"
#include "../lib/put.h"
#include "../lib/vmstat.h"
#include "placements.h"

#define ISOLATED_MS	4000
#define STACK_SIZE	(64UL << 10)
/* Of a block of 128 MiB. */
#define FRONT		(104UL << 20)

/* Of this row's process. */
static struct {
	char state[80];		/* of the block; "" if none was taken */
	int node;
	pid_t offline;		/* who tries to take it offline */
} block;

static int has_node(struct world *world)
{
	if (world->unpinnable & PINPROBE_UNPINNABLE_MOVABLE &&
	    nodes_all_movable())
		return 0;
	return row_skip(world, "not-this-profile: no node is all movable");
}

/* Only with CONFIG_CMA does a long-term pin look at the type of the pageblock. */
static int has_node_and_cma(struct world *world)
{
	if (meminfo_kb("CmaTotal") < 0)
		return row_skip(world, "not-this-kernel: no CONFIG_CMA, isolation does not matter");
	return has_node(world);
}

static int has_node_and_no_cma(struct world *world)
{
	if (meminfo_kb("CmaTotal") >= 0)
		return row_skip(world, "not-this-kernel: CONFIG_CMA, isolation matters");
	return has_node(world);
}

/* The last one: what the node's own threads have lies in the first. */
static int choose_block(void)
{
	int last = -1, number;
	char pattern[64];
	glob_t found;
	size_t i;

	block.node = __builtin_ctzll(nodes_all_movable());
	snprintf(pattern, sizeof(pattern),
		 "/sys/devices/system/node/node%d/memory[0-9]*", block.node);
	if (glob(pattern, 0, NULL, &found))
		return -ENODEV;
	for (i = 0; i < found.gl_pathc; i++) {
		number = atoi(strstr(found.gl_pathv[i], "/memory") + 7);
		if (number > last)
			last = number;
	}
	globfree(&found);
	return last;
}

static int make_ordinary(void)
{
	int number = choose_block(), err;

	if (number < 0)
		return -ENODEV;
	snprintf(block.state, sizeof(block.state),
		 "/sys/devices/system/memory/memory%d/state", number);
	err = put(block.state, "offline");
	return err ? err : put(block.state, "online_kernel");
}

/* Memory of the node is movable until it is pinned for long: then it is the block's. */
static int pin(struct world *world, const char *addr, size_t len)
{
	return device_pin(world->look.dev, addr, len, PINPROBE_CALL_PIN_FAST,
			  PINPROBE_PIN_WRITE | PINPROBE_PIN_LONGTERM, NULL);
}

/*
 * Most of the block, so that the row's pages lie near its end: who takes it
 * offline has them in hand for a moment only and spends the rest of the time in
 * looking for them. A pin waits for a page that somebody has in hand.
 */
static int take_front(struct world *world, char **front)
{
	const unsigned long node[2] = { 1UL << block.node };

	*front = mmap(NULL, FRONT, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (*front == MAP_FAILED)
		return -errno;
	if (syscall(SYS_mbind, *front, FRONT, MPOL_BIND, node, NODES_MAX, 0) ||
	    madvise(*front, FRONT, MADV_HUGEPAGE) ||
	    madvise(*front, FRONT, MADV_POPULATE_WRITE))
		return -errno;
	return pin(world, *front, FRONT);
}

/*
 * The task's policy would do that too, and bring page tables and the like there.
 */
static int move_there(struct world *world, const struct area *area)
{
	void *page = area->addr;
	int status;

	for (; (char *)page < area->addr + area->len;
	     page = (char *)page + world->page_size) {
		status = -EIO;
		if (syscall(SYS_move_pages, 0, 1UL, &page, &block.node, &status,
			    MPOL_MF_MOVE) < 0)
			return -errno;
		if (status != block.node)
			return status < 0 ? status : -EIO;
	}
	return 0;
}

static int make_behind(struct world *world, const struct backing *backing,
		       struct area *area)
{
	int err, fd;

	area->fd = -1;
	area->backing = backing;
	err = backing->make(world, area);
	if (err)
		return err;
	err = move_there(world, area);
	if (err)
		return err;
	fd = pin(world, area->addr, area->len);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static int make_there(struct world *world, const struct backing *backing,
		      struct area *area)
{
	char *front;
	int err, fd;

	fd = take_front(world, &front);
	if (fd < 0)
		return fd;
	err = make_behind(world, backing, area);
	close(fd);
	munmap(front, FRONT);
	return err;
}

static int find(struct world *world,
		const struct placement *placement,
		const struct backing *backing, struct area *area)
{
	struct pinprobe_page page;
	int err = make_ordinary();

	if (!err)
		err = make_there(world, backing, area);
	if (!err)
		err = look_pages(&world->look, area->addr + area->target, 1,
				 &page);
	if (!err && (page.node != block.node || page.unpinnable ||
		     page.flags & PINPROBE_PAGE_ISOLATED))
		err = -ENODATA;
	return err;
}

/* On another CPU than the row, which stays on one. */
static int take_offline(void *arg)
{
	int cpu, nr = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t mine, others;

	CPU_ZERO(&others);
	if (!sched_getaffinity(0, sizeof(mine), &mine)) {
		for (cpu = 0; cpu < nr; cpu++)
			if (!CPU_ISSET(cpu, &mine))
				CPU_SET(cpu, &others);
		sched_setaffinity(0, sizeof(others), &others);
	}
	return put(block.state, "offline") ? 1 : 0;
}

/* A copy of the address space or of the descriptors would hold what is held. */
static int begin(void)
{
	char *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_POPULATE,
			   -1, 0);

	if (stack == MAP_FAILED)
		return -errno;
	block.offline = clone(take_offline, stack + STACK_SIZE,
			      CLONE_VM | CLONE_FILES | CLONE_FS | SIGCHLD, NULL);
	return block.offline < 0 ? -errno : 0;
}

/* What is not held has left by then, or will. */
static int isolate(struct world *world, struct area *area, uint32_t unpinnable)
{
	int64_t deadline = now_ms() + ISOLATED_MS;
	struct pinprobe_page page;
	int err = begin();

	if (err)
		return err;
	do {
		usleep(1000);
		err = look_pages(&world->look, area->addr + area->target, 1,
				 &page);
		if (!err && page.flags & PINPROBE_PAGE_ISOLATED &&
		    page.unpinnable == unpinnable)
			return 0;
	} while (!err && now_ms() < deadline);
	return err ? err : -ETIME;
}

static int isolate_seen(struct world *world, struct area *area)
{
	return isolate(world, area, PINPROBE_UNPINNABLE_ISOLATE);
}

static int isolate_unseen(struct world *world, struct area *area)
{
	return isolate(world, area, 0);
}

static void stop(struct world *world)
{
	if (block.offline > 0) {
		kill(block.offline, SIGKILL);
		waitpid(block.offline, NULL, 0);
	}
	block.offline = 0;
}

static void make_movable(struct world *world)
{
	if (!block.state[0])
		return;
	put(block.state, "offline");
	put(block.state, "online_movable");
	block.state[0] = '\0';
}

const struct placement placement_isolated = {
	.name = "isolated",
	.what = "a pageblock that is being isolated (MIGRATE_ISOLATE), by memory offline",
	.unpinnable = PINPROBE_UNPINNABLE_ISOLATE,
	.here = has_node_and_cma,
	.find = find,
	.arm = isolate_seen,
	.disarm = stop,
	.done = make_movable,
};

const struct placement placement_isolated_unseen = {
	.name = "isolated_unseen",
	.what = "a pageblock that is being isolated, on a kernel without CONFIG_CMA",
	.here = has_node_and_no_cma,
	.find = find,
	.arm = isolate_unseen,
	.disarm = stop,
	.done = make_movable,
};
