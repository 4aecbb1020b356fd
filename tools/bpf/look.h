/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a page's folio and its pageblock's bits, taking nothing. */
#ifndef PINPROBE_BPF_LOOK_H
#define PINPROBE_BPF_LOOK_H

static __always_inline __u64 read_word(__u64 at)
{
	__u64 value = 0;

	bpf_probe_read_kernel(&value, sizeof(value), (void *)at);
	return value;
}

static __always_inline __u64 pfn_of(__u64 page)
{
	/* 64 bytes nearly everywhere; a division is slow. */
	if (struct_page == 64)
		return (page - vmemmap) >> 6;
	return (page - vmemmap) / (struct_page ?: 64);
}

static __always_inline __u64 head_of(__u64 page)
{
	__u64 info;

	if (bpf_core_field_exists(((struct page___info *)0)->compound_info))
		info = BPF_CORE_READ((struct page___info *)page, compound_info);
	else
		info = BPF_CORE_READ((struct page *)page, compound_head);
	if (!(info & 1))
		return page;
	/*
	 * A mask has its high bits set down to the size of the folio; as the
	 * address of a struct page it would be within the last page of all.
	 */
	if (bpf_core_field_exists(((struct page___info *)0)->compound_info) &&
	    info >= -((__u64)1 << 32))
		return page & (info - 1);
	return info - 1;
}

static __always_inline bool sections_known(void)
{
	return section_shift && (mem_section_at || mem_section_roots);
}

/* Address of a frame's struct mem_section; 0: none. */
static __always_inline __u64 section_at(__u64 pfn)
{
	__u64 section = pfn >> section_shift;
	__u64 size = bpf_core_type_size(struct mem_section);
	__u64 roots = mem_section_roots ?: read_word(mem_section_at), root;
	__u64 per_root;

	if (!roots || !size)
		return 0;
	per_root = page_bytes / size;
	root = read_word(roots + section / per_root * 8);
	return root ? root + section % per_root * size : 0;
}

static __always_inline bool look_block(__u64 pfn, __u32 *type)
{
	__u64 section, usage, bits, at, word;

	if (!sections_known())
		return false;
	section = section_at(pfn);
	if (!section)
		return false;
	usage = (__u64)BPF_CORE_READ((struct mem_section *)section, usage);
	if (!usage)
		return false;
	bits = usage + bpf_core_field_offset(struct mem_section_usage,
					     pageblock_flags);
	at = ((pfn & (((__u64)1 << section_shift) - 1)) >> block_shift) *
	     block_bits;
	word = read_word(bits + at / 64 * 8) >> (at % 64);
	*type = word & (type_mask | isolate_bit);
	return true;
}

static __always_inline void look_folio(__u64 page, struct trace_look *look)
{
	struct folio *folio = (void *)head_of(page);

	look->pfn = pfn_of((__u64)folio);
	look->have = TRACE_HAVE_PAGE;
	look->flags = read_word((__u64)folio);
	look->mapping = (__u64)BPF_CORE_READ(folio, mapping);
	look->index = BPF_CORE_READ(folio, index);
	look->refcount = BPF_CORE_READ(folio, _refcount.counter);
	look->mapcount = BPF_CORE_READ(folio, _mapcount.counter);
	look->order = 0;
	look->pincount = 0;
	if (look->flags & ((__u64)1 << head_bit)) {
		if (bpf_core_field_exists(((struct folio___order *)0)->_folio_order))
			look->order = BPF_CORE_READ((struct folio___order *)folio,
						    _folio_order);
		else
			look->order = BPF_CORE_READ(folio, _flags_1) & 0xff;
		look->pincount = BPF_CORE_READ(folio, _pincount.counter);
		if (bpf_core_field_exists(((struct folio___large_mapcount *)0)->_large_mapcount))
			look->mapcount = BPF_CORE_READ((struct folio___large_mapcount *)folio,
						       _large_mapcount.counter);
		else if (bpf_core_field_exists(((struct folio___total_mapcount *)0)->_total_mapcount))
			look->mapcount = BPF_CORE_READ((struct folio___total_mapcount *)folio,
						       _total_mapcount.counter);
	}
	if (look_block(look->pfn, &look->migratetype))
		look->have |= TRACE_HAVE_BLOCK;
}

#endif
