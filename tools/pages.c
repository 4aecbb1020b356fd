// SPDX-License-Identifier: GPL-2.0
/* Records of pages. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../selftests/lib/device.h"
#include "json.h"
#include "out.h"
#include "pages.h"

#define ROOM	4096

static void add_names(struct text *t, const struct bit_name *names,
		      uint64_t set, const char *between)
{
	const char *first = "";

	for (; names->name; names++) {
		if (!(set & names->bit))
			continue;
		text_printf(t, "%s%s", first, names->name);
		first = between;
	}
}

void page_text(struct text *t, const struct pinprobe_page *page)
{
	text_printf(t, "%012" PRIx64 " %8" PRIu64 "  ", (uint64_t)page->addr,
		    (uint64_t)page->nr_pages);
	if (!page_present(page)) {
		text_puts(t, state_name(page->state));
		return;
	}
	text_printf(t, "pfn 0x%" PRIx64 ", node %d, %s, %s", (uint64_t)page->pfn,
		    page->node, zone_name(page->zone),
		    migratetype_name(page->migratetype));
	if (page->order)
		text_printf(t, ", order %u", page->order);
	text_printf(t, ", refs %d of %d", page->refs, page->refs_expected);
	if (page->pins)
		text_printf(t, ", pins %u", page->pins);
	if (page->unpinnable) {
		text_puts(t, ", must move: ");
		add_names(t, page_unpinnable_names, page->unpinnable, "+");
	}
	if (page_held(page))
		text_puts(t, page->unpinnable ? ", HELD" : ", held");
}

static json_object *names_json(const struct bit_name *names, uint64_t set)
{
	json_object *list = json_object_new_array();

	for (; names->name; names++)
		if (set & names->bit)
			json_object_array_add(list,
					      json_object_new_string(names->name));
	return list;
}

json_object *page_json(const struct pinprobe_page *page)
{
	json_object *j = json_object_new_object();

	json_add_hex(j, "addr", page->addr);
	json_add_int(j, "nr_pages", page->nr_pages);
	json_add_string(j, "state", state_name(page->state));
	if (!page_present(page))
		return j;
	json_add_hex(j, "pfn", page->pfn);
	json_add_int(j, "node", page->node);
	json_add_string(j, "zone", zone_name(page->zone));
	json_add_string(j, "migratetype", migratetype_name(page->migratetype));
	json_add_int(j, "order", page->order);
	json_add_int(j, "refs", page->refs);
	json_add_int(j, "refs_expected", page->refs_expected);
	json_add_int(j, "mapcount", page->mapcount);
	json_add_int(j, "pins", page->pins);
	json_object_object_add(j, "held", json_object_new_boolean(page_held(page)));
	json_object_object_add(j, "unpinnable",
			       names_json(page_unpinnable_names,
					  page->unpinnable));
	json_object_object_add(j, "flags",
			       names_json(page_flag_names, page->flags));
	return j;
}

void pages_add(struct pages_sum *sum, const struct pinprobe_page *page)
{
	uint64_t nr = page->nr_pages;

	if (page->state == PINPROBE_STATE_ABSENT)
		sum->absent += nr;
	else if (page_present(page))
		sum->present += nr;
	else
		sum->other += nr;
	if (page->unpinnable)
		sum->unpinnable += nr;
	if (page_held(page))
		sum->held += nr;
	if (page->unpinnable && page_held(page))
		sum->stuck += nr;
}

int pages_open(void)
{
	int dev = device_open();

	if (dev == -ENOENT)
		out_error("no " PINPROBE_DEVICE ": the module pinprobe.ko is not loaded");
	else if (dev == -EPERM || dev == -EACCES)
		out_error(PINPROBE_DEVICE ": needs CAP_SYS_ADMIN in the initial user namespace");
	else if (dev < 0)
		out_error(PINPROBE_DEVICE ": %s", strerror(-dev));
	return dev;
}

struct reading {
	int dev;
	pid_t pid;
	uint32_t flags;
	bool (*each)(const struct pinprobe_page *page, void *ctx);
	void *ctx;
};

/* Positive: @each wants no more. */
static int read_range(const struct reading *r, uint64_t addr, uint64_t end)
{
	static struct pinprobe_page pages[ROOM];
	uint64_t next = addr;
	int filled, i;

	while (next < end) {
		addr = next;
		out_progress("reading pages at %" PRIx64, addr);
		filled = device_resolve(r->dev, r->pid, (void *)(uintptr_t)addr,
					end - addr, r->flags, pages, ROOM, &next);
		if (filled < 0)
			return filled;
		for (i = 0; i < filled; i++)
			if (!r->each(&pages[i], r->ctx))
				return 1;
		if (next <= addr)
			return -EIO;
	}
	return 0;
}

static int read_maps(const struct reading *r)
{
	uint64_t from, to;
	char path[64], *line = NULL;
	size_t room = 0;
	int ret = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", r->pid);
	maps = fopen(path, "re");
	if (!maps)
		return -errno;
	while (!ret && getline(&line, &room, maps) > 0) {
		/* The vsyscall page is in no address space. */
		if (strstr(line, "[vsyscall]") ||
		    sscanf(line, "%" SCNx64 "-%" SCNx64, &from, &to) != 2)
			continue;
		ret = read_range(r, from, to);
	}
	free(line);
	fclose(maps);
	return ret;
}

int pages_each(int dev, const struct range *range, uint32_t flags,
	       bool (*each)(const struct pinprobe_page *page, void *ctx),
	       void *ctx)
{
	const struct reading reading = { dev, range->pid, flags, each, ctx };
	int ret;

	if (range->len)
		ret = read_range(&reading, range->addr, range->addr + range->len);
	else
		ret = read_maps(&reading);
	out_progress_end();
	if (ret == -ESRCH || ret == -ENOENT)
		out_error("there is no process %d", range->pid);
	else if (ret < 0)
		out_error("pages of process %d: %s", range->pid, strerror(-ret));
	return ret < 0 ? ret : 0;
}
