// SPDX-License-Identifier: GPL-2.0
/*
 * What "pinprobe explain" is tried on: a program that registers memory of a node that
 * is all ZONE_MOVABLE, having no other node to go to; and another that has one, but
 * whose page is held. Exit code 0 where it ended as the scenario wants.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include "lib/frames.h"
#include "lib/memory.h"
#include "lib/nodes.h"
#include "lib/onlooker.h"
#include "lib/put.h"
#include "lib/rxe.h"

#define PAGES		16
#define CGROUPS		"/run/shortage"
#define CGROUP		CGROUPS "/one"

static char *memory_of(uint64_t nodes)
{
	unsigned long mask[2] = { nodes, 0 };
	char *p;

	if (syscall(SYS_set_mempolicy, MPOL_BIND, mask, NODES_MAX))
		return NULL;
	p = memory_touched(PAGES * page_size());
	if (syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0))
		return NULL;
	return p;
}

/* This process may have memory of these nodes alone. */
static bool shut_in(uint64_t nodes)
{
	char list[24];

	snprintf(list, sizeof(list), "%d", __builtin_ctzll(nodes));
	mkdir(CGROUPS, 0700);
	return !mount("shortage", CGROUPS, "cgroup2", 0, NULL) &&
	       !put(CGROUPS "/cgroup.subtree_control", "+cpuset") &&
	       !mkdir(CGROUP, 0700) && !put(CGROUP "/cpuset.mems", list) &&
	       !put(CGROUP "/cgroup.procs", "0");
}

static void let_out(void)
{
	put(CGROUPS "/cgroup.procs", "0");
	rmdir(CGROUP);
	put(CGROUPS "/cgroup.subtree_control", "-cpuset");
	umount(CGROUPS);
	rmdir(CGROUPS);
}

static bool registered(char *p)
{
	struct rxe rxe;

	if (rxe_open(&rxe))
		return true;
	return ibv_reg_mr(rxe.pd, p, PAGES * page_size(),
			  IBV_ACCESS_LOCAL_WRITE) || errno != ENOMEM;
}

static int no_target(char *p, uint64_t nodes)
{
	size_t lines = onlooker_lines();
	bool came = !shut_in(nodes) || registered(p);

	onlooker_wait(lines + 1);
	let_out();
	return came;
}

static int held(char *p, uint64_t nodes)
{
	struct iovec iov = { p, page_size() };
	size_t lines;
	int ends[2];
	bool came;

	if (pipe(ends) || vmsplice(ends[1], &iov, 1, 0) < 0)
		return 1;
	printf("frame %#lx\n", (unsigned long)frame_of(p));
	fflush(stdout);
	lines = onlooker_lines();
	came = registered(p);
	onlooker_wait(lines + 1);
	return came;
}

int main(int argc, char **argv)
{
	uint64_t nodes = nodes_all_movable();
	char *p = nodes ? memory_of(nodes) : NULL;

	if (argc != 2 || !p)
		return 2;
	prctl(PR_SET_NAME, argv[1]);
	return strcmp(argv[1], "no_target") ? held(p, nodes) : no_target(p, nodes);
}
