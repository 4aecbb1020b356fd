// SPDX-License-Identifier: GPL-2.0
/* A page frame as the kernel's structures have it, read by a BPF program. */
#include <linux/pinprobe.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "look.h"
#include "trace.h"

/* The low bits of folio->mapping: PAGE_MAPPING_FLAGS of linux/page-flags.h. */
#define LOW_ANON	1
#define LOW_MOVABLE	2
#define LOW_BITS	3
#define BTF		"/sys/kernel/btf/vmlinux"

static struct trace *looking;

static void end(void)
{
	trace_close(looking);
}

/* Loading takes a while: once, and not again if it could not be done. */
static bool ready(void)
{
	static const struct trace_options options = { .looking = true };
	static bool tried;
	struct text why = {};

	if (tried)
		return looking;
	tried = true;
	looking = trace_open(&options, &why);
	text_free(&why);
	if (looking)
		atexit(end);
	return looking;
}

static uint32_t type_of(bool known, uint32_t type)
{
	static const struct {
		const char *name;
		uint32_t type;
	} types[] = {
		{ "Unmovable", PINPROBE_MT_UNMOVABLE },
		{ "Movable", PINPROBE_MT_MOVABLE },
		{ "Reclaimable", PINPROBE_MT_RECLAIMABLE },
		{ "HighAtomic", PINPROBE_MT_HIGHATOMIC },
		{ "CMA", PINPROBE_MT_CMA },
		{ "Isolate", PINPROBE_MT_ISOLATE },
	};
	const char *name = known ? trace_type_name(trace_kernel(looking), type) : "";
	unsigned int i;

	for (i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(types[i].name, name))
			return types[i].type;
	return PINPROBE_MT_UNKNOWN;
}

static enum page_mapping mapping_of(uint64_t mapping)
{
	switch (mapping & LOW_BITS) {
	case LOW_ANON:
		return PAGE_MAPPING_ANON;
	case LOW_MOVABLE:
		return PAGE_MAPPING_DRIVER;
	case LOW_BITS:
		return PAGE_MAPPING_KSM;
	default:
		return mapping ? PAGE_MAPPING_FILE : PAGE_MAPPING_NONE;
	}
}

bool page_look(uint64_t pfn, struct page_look *look)
{
	struct trace_look l;

	if (!ready() || !trace_look(looking, pfn, &l))
		return false;
	*look = (struct page_look){
		.pfn = l.pfn, .flags = l.flags, .refcount = l.refcount,
		/* The count of a large folio before v6.9 is not of all its pages. */
		.mapcount = !l.order ? l.mapcount + 1 :
			    l.mapcount >= 0 ? l.mapcount : -1,
		.pincount = l.pincount, .order = l.order,
		.migratetype = type_of(l.have & TRACE_HAVE_BLOCK, l.migratetype),
		.mapping = mapping_of(l.mapping),
	};
	return true;
}

bool page_blocks(uint64_t pfn, uint32_t nr, uint64_t block_pages, uint8_t *types)
{
	uint32_t raw[PAGE_BLOCKS], i;

	if (nr > PAGE_BLOCKS || !ready() ||
	    1ull << trace_kernel(looking)->block_order != block_pages ||
	    !trace_blocks(looking, pfn, nr, raw))
		return false;
	for (i = 0; i < nr; i++)
		types[i] = type_of(raw[i] != ~0u, raw[i]);
	return true;
}

bool page_look_denied(void)
{
	return !ready() && !access(BTF, F_OK);
}
