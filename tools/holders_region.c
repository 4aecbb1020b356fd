// SPDX-License-Identifier: GPL-2.0
/* Memory regions of RDMA devices. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "holders_internal.h"
#include "out.h"
#include "region_ask.h"
#include "region_dump.h"

/* Objects of a file are numbered from 0, and numbers are used again. */
#define HANDLES	(1U << 16)

static struct region *by_key(struct regions *r, const char *device, pid_t pid,
			     const struct region_place *place)
{
	size_t i;

	for (i = 0; i < r->nr; i++)
		if (r->region[i].pid == pid && !r->region[i].has_iova &&
		    !strcmp(r->region[i].device, device) &&
		    r->region[i].bytes == place->bytes &&
		    (!r->region[i].has_lkey || r->region[i].lkey == place->lkey))
			return &r->region[i];
	return NULL;
}

static size_t unplaced(const struct regions *r, const char *device, pid_t pid)
{
	size_t count = 0, i;

	for (i = 0; i < r->nr; i++)
		count += r->region[i].pid == pid && !r->region[i].has_iova &&
			 !strcmp(r->region[i].device, device);
	return count;
}

static void ask_file(struct regions *r, struct rdma_device *device, pid_t pid,
		     int verbs)
{
	struct region_place place;
	struct region *region;
	uint32_t handle;

	for (handle = 0; handle < HANDLES; handle++) {
		if (!unplaced(r, device->name, pid))
			break;
		out_progress("asking %s for regions of process %d",
			     device->name, pid);
		if (region_ask(verbs, device->driver, handle, &place))
			continue;
		region = by_key(r, device->name, pid, &place);
		if (!region)
			continue;
		region->iova = place.iova;
		region->has_iova = true;
	}
}

/* Through each device file that the process has open. */
static void ask(struct holders *h, struct regions *r,
		struct rdma_device *device, pid_t pid)
{
	struct source_names names;
	size_t i;

	source_list(h->query->source, &names, "/proc/%d/fd", pid);
	for (i = 0; i < names.count; i++) {
		char *link = NULL, *name = NULL;
		int copy;

		source_link(h->query->source, &link, "/proc/%d/fd/%s", pid,
			    names.name[i]);
		if (link && text_starts(link, "uverbs"))
			source_line(h->query->source, &name,
				    "/sys/class/infiniband_verbs/%s/ibdev", link);
		if (name && !strcmp(name, device->name)) {
			copy = holders_borrow(h, pid, atoi(names.name[i]));
			if (copy >= 0) {
				ask_file(r, device, pid, copy);
				close(copy);
			} else {
				holders_missing(h, "regions of process %d: its descriptor %s: %s",
						pid, names.name[i], strerror(-copy));
			}
		}
		free(link);
		free(name);
	}
	source_names_free(&names);
}

static void ask_all(struct holders *h, struct regions *r)
{
	size_t d, t;

	for (d = 0; d < r->devices; d++)
		for (t = 0; t < h->targets; t++) {
			struct rdma_device *device = &r->device[d];

			if (!unplaced(r, device->name, h->target[t].pid))
				continue;
			if (!device->has_driver && !regions_driver(device))
				holders_missing(h, "addresses of regions of %s: its driver is not told",
						device->name);
			else
				ask(h, r, device, h->target[t].pid);
		}
}

static struct holder *add(struct holders *h, const struct region *region)
{
	struct holder *holder = holders_add(h, HOLDER_REGION, region->pid, -1);

	holder->takes = HOLDER_TAKES_PIN;
	holder->bytes = region->bytes;
	return holder;
}

static void add_placed(struct holders *h, const struct region *region)
{
	struct holder *holder;

	if (!holders_covers(h, region->pid, region->iova, region->bytes))
		return;
	holder = add(h, region);
	holder->claim = HOLDER_CLAIM_ADDRESS;
	holder->start = region->iova;
	holder->what = text_format("region %u of %s, %" PRIx64 "-%" PRIx64,
				   region->id, region->device, region->iova,
				   region->iova + region->bytes);
	holder->evidence = text_dup("the device says that the region has this address");
}

/* All that are alike in what is known of them are one line. */
static void add_unplaced(struct holders *h, const struct regions *r, size_t first)
{
	const struct region *region = &r->region[first];
	uint64_t bytes = 0;
	struct holder *holder;
	size_t i, count = 0;

	for (i = 0; i < r->nr; i++) {
		if (r->region[i].pid != region->pid || r->region[i].kernel ||
		    r->region[i].has_iova || strcmp(r->region[i].device, region->device))
			continue;
		if (i < first)
			return;
		bytes += r->region[i].bytes;
		count++;
	}
	holder = add(h, region);
	holder->claim = HOLDER_CLAIM_SIZE;
	holder->bytes = bytes;
	if (count == 1)
		holder->what = text_format("region %u of %s", region->id,
					   region->device);
	else
		holder->what = text_format("%zu regions of %s", count,
					   region->device);
	holder->evidence = text_format("netlink; regions pin memory of their process, and where is told by none%s",
				       h->query->ask ? " of its descriptors" :
				       " but the device: --ask");
}

/* Devices may belong to one network namespace alone. */
static void say_namespace(struct holders *h)
{
	const struct source *source = h->query->source;
	char *mine = NULL, *its = NULL;

	source_target(source, &mine, "/proc/self/ns/net");
	source_target(source, &its, "/proc/%d/ns/net", h->query->pid);
	if (mine && its && strcmp(mine, its))
		holders_missing(h, "RDMA devices of the network namespace of process %d, where they are not shared (rdma system)",
				h->query->pid);
	free(mine);
	free(its);
}

void holders_regions(struct holders *h)
{
	bool everybody = h->query->all || !h->targets;
	const char *wrong;
	struct regions r;
	size_t i;

	if (!source_live(h->query->source)) {
		holders_missing(h, "RDMA regions: this is a recorded tree");
		return;
	}
	wrong = regions_read(&r);
	if (wrong)
		holders_missing(h, "RDMA regions: %s", wrong);
	if (r.devices && h->query->pid)
		say_namespace(h);
	if (h->query->ask)
		ask_all(h, &r);
	for (i = 0; i < r.nr; i++) {
		if (r.region[i].kernel || !r.region[i].bytes ||
		    (!everybody && !holders_maps_it(h, r.region[i].pid)))
			continue;
		if (r.region[i].has_iova)
			add_placed(h, &r.region[i]);
		else
			add_unplaced(h, &r, i);
	}
	regions_free(&r);
}
