/* SPDX-License-Identifier: GPL-2.0 */
/* Run by the command itself: what a page frame is, which types blocks have. */
#ifndef PINPROBE_BPF_ASK_H
#define PINPROBE_BPF_ASK_H

#define SECTIONS_TRIED	65536	/* from frame 0 on: 8 TiB */

static long one_block(__u32 index, struct trace_ask *ask)
{
	__u64 pfn = ask->pfn + ((__u64)index << block_shift);
	__u32 type = ~0u;

	look_block(pfn, &type);
	bpf_map_update_elem(&blocks, &index, &type, BPF_ANY);
	return 0;
}

/* The map of a section is stored less what its first frame would be in it. */
static long one_section(__u32 index, void *ctx)
{
	__u64 section = section_at((__u64)index << section_shift);
	__u64 map = section ? BPF_CORE_READ((struct mem_section *)section,
					    section_mem_map) : 0;

	if (!(map & 1))
		return 0;
	vmemmap = map & ~0xffULL;
	return 1;
}

SEC("syscall") int look_at(struct trace_ask *ctx)
{
	struct trace_ask ask = { .pfn = ctx->pfn, .nr = ctx->nr };
	struct trace_look look = {};
	__u32 zero = 0;

	if (!sections_known() || !struct_page)
		return 1;
	if (!vmemmap)
		bpf_loop(SECTIONS_TRIED, one_section, NULL, 0);
	if (!vmemmap)
		return 1;
	if (ctx->blocks)
		return bpf_loop(ask.nr, one_block, &ask, 0) < 0;
	look_folio(vmemmap + ask.pfn * struct_page, &look);
	bpf_map_update_elem(&looked, &zero, &look, BPF_ANY);
	return 0;
}

#endif
