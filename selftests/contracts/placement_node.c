// SPDX-License-Identifier: GPL-2.0
/*
 * Where the target page of a row can lie: on a node that is all movable. What may
 * come from there is bounded by a policy or by a cpuset, and only one of them
 * counts when a page has to move for a long-term pin.
 */
#include <errno.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "../lib/nodes.h"
#include "../lib/put.h"
#include "placements.h"

#define CGROUPS		"/run/contracts-cgroup"
#define CGROUP		CGROUPS "/row"

static int has_movable_node(struct world *world)
{
	if (world->unpinnable & PINPROBE_UNPINNABLE_MOVABLE &&
	    nodes_all_movable())
		return 0;
	return row_skip(world, "not-this-profile: no node is all movable");
}

static int set_policy(int mode, uint64_t nodes)
{
	unsigned long mask[2] = { nodes, 0 };

	if (syscall(SYS_set_mempolicy, mode, nodes ? mask : NULL,
		    nodes ? NODES_MAX : 0))
		return -errno;
	return 0;
}

/* The policy of a task that has none is asked, and says so. */
static bool is_bound(uint64_t nodes)
{
	unsigned long mask[16] = { 0 };
	int mode = -1;

	return !syscall(SYS_get_mempolicy, &mode, mask, 8 * sizeof(mask), NULL,
			0) && mode == MPOL_BIND && mask[0] == nodes;
}

/* The zone said that it is movable: it must be that node's. */
static int search(struct world *world, const struct placement *placement,
		  const struct backing *backing, struct area *area)
{
	int err = placement_search(world, placement, backing, area);
	struct pinprobe_page page;

	if (!err)
		err = look_pages(&world->look, area->addr + area->target, 1,
				 &page);
	if (!err && (page.node < 0 || page.node >= NODES_MAX ||
		     !(nodes_all_movable() & 1ULL << page.node)))
		err = -ENODATA;
	return err;
}

static int find_bound(struct world *world, const struct placement *placement,
		      const struct backing *backing, struct area *area)
{
	uint64_t nodes = nodes_all_movable();
	int err = set_policy(MPOL_BIND, nodes);

	if (!err)
		err = search(world, placement, backing, area);
	if (!err && !is_bound(nodes))
		err = -ESTALE;
	return err;
}

static int find_there(struct world *world, const struct placement *placement,
		      const struct backing *backing, struct area *area)
{
	int err = find_bound(world, placement, backing, area);

	return err ? err : set_policy(MPOL_DEFAULT, 0);
}

/* A row that was killed left all of it there. */
static int make_cpuset(struct world *world)
{
	if (mkdir(CGROUPS, 0700) && errno != EEXIST)
		return -errno;
	if (!access(CGROUPS "/cgroup.procs", F_OK))
		return 0;
	if (mount("contracts", CGROUPS, "cgroup2", 0, NULL) ||
	    put(CGROUPS "/cgroup.subtree_control", "+cpuset"))
		return row_skip(world, "no-cpuset: no cgroup2 with cpusets: %s",
				strerror(errno));
	return 0;
}

/* Whose memory comes along. */
static int enter_cpuset(uint64_t nodes)
{
	char list[24];
	int err;

	if (mkdir(CGROUP, 0700) && errno != EEXIST)
		return -errno;
	snprintf(list, sizeof(list), "%d", __builtin_ctzll(nodes));
	err = put(CGROUP "/cpuset.mems", list);
	if (!err)
		err = put(CGROUP "/cgroup.procs", "0");
	if (!err && nodes_allowed() & ~nodes)
		err = -ESTALE;
	return err;
}

static int find_in_cpuset(struct world *world,
			  const struct placement *placement,
			  const struct backing *backing, struct area *area)
{
	int err = make_cpuset(world);

	if (!err)
		err = enter_cpuset(nodes_all_movable());
	return err ? err : search(world, placement, backing, area);
}

static void leave_cpuset(struct world *world)
{
	put(CGROUPS "/cgroup.procs", "0");
	rmdir(CGROUP);
	put(CGROUPS "/cgroup.subtree_control", "-cpuset");
	umount(CGROUPS);
	rmdir(CGROUPS);
}

const struct placement placement_movable_node = {
	.name = "movable_node",
	.what = "a node that is all ZONE_MOVABLE, with another one beside it",
	.unpinnable = PINPROBE_UNPINNABLE_MOVABLE,
	.here = has_movable_node,
	.find = find_there,
};

const struct placement placement_movable_node_bound = {
	.name = "movable_node_bound",
	.what = "a node that is all ZONE_MOVABLE, the task bound to it by MPOL_BIND",
	.unpinnable = PINPROBE_UNPINNABLE_MOVABLE,
	.here = has_movable_node,
	.find = find_bound,
};

const struct placement placement_movable_node_cpuset = {
	.name = "movable_node_cpuset",
	.what = "a node that is all ZONE_MOVABLE, the only one that the cpuset allows",
	.unpinnable = PINPROBE_UNPINNABLE_MOVABLE,
	.here = has_movable_node,
	.find = find_in_cpuset,
	.done = leave_cpuset,
};
