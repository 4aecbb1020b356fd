// SPDX-License-Identifier: GPL-2.0
/*
 * Values that kernels do not agree on, from their BTF and /proc, and handed to the
 * BPF programs as constants.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "page_bytes.h"
#include "trace_internal.h"
#include "vmcoreinfo.h"

/* ioctl() of 32-bit programs, on x86 and arm alike. */
#define NR_IOCTL_32	54

/* Any enumerator of the kernel by its name, whatever the enum is called. */
struct wanted {
	const char *name;
	int64_t value;
	bool found;
};

static void match(struct wanted *wanted, const char *name, int64_t value)
{
	for (; wanted->name; wanted++)
		if (!wanted->found && !strcmp(wanted->name, name)) {
			wanted->value = value;
			wanted->found = true;
		}
}

static void find_enumerators(const struct btf *btf, struct wanted *wanted)
{
	uint32_t id, types = btf__type_cnt(btf);
	int i;

	for (id = 1; id < types; id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);
		const struct btf_enum *e;

		if (!btf_is_enum(t))
			continue;
		e = btf_enum(t);
		for (i = 0; i < btf_vlen(t); i++)
			match(wanted, btf__name_by_offset(btf, e[i].name_off),
			      e[i].val);
	}
}

enum {
	W_WRITE, W_PIN, W_LONGTERM, W_LRU, W_PRIVATE, W_SWAPCACHE, W_OWNER,
	W_SWAPBACKED, W_WRITEBACK, W_HEAD, W_CMA, W_ISOLATE,
	W_ISOLATE_BIT, W_LT, W_CONTIG, W_HOTPLUG, W_END
};

/* Up to v6.2 these were macros, and no BTF has them. */
static void old_foll(struct trace_kernel *k)
{
	k->foll_write = 0x1;
	k->foll_pin = 0x40000;
	k->foll_longterm = 0x10000;
}

static int bit(const struct wanted *w)
{
	return w->found ? (int)w->value : -1;
}

static uint32_t type(const struct wanted *w)
{
	return w->found ? (uint32_t)w->value : ~0u;
}

static void take_values(struct trace_kernel *k, const struct wanted *w)
{
	if (w[W_LONGTERM].found) {
		k->foll_write = w[W_WRITE].value;
		k->foll_longterm = w[W_LONGTERM].value;
		k->foll_pin = w[W_PIN].found ? w[W_PIN].value : 0;
	} else {
		old_foll(k);
	}
	k->pg_lru = bit(w + W_LRU);
	k->pg_private = bit(w + W_PRIVATE);
	k->pg_swapcache = w[W_SWAPCACHE].found ? bit(w + W_SWAPCACHE) :
			  bit(w + W_OWNER);
	k->pg_swapbacked = bit(w + W_SWAPBACKED);
	k->pg_writeback = bit(w + W_WRITEBACK);
	k->pg_head = bit(w + W_HEAD);
	k->migrate_cma = type(w + W_CMA);
	k->migrate_isolate = type(w + W_ISOLATE);
	k->type_mask = 7;
	/*
	 * Isolation became a bit of its own, and eight bits a pageblock, with
	 * "mm/page_isolation: make page isolation a standalone bit" (v6.17).
	 */
	k->isolate_bit = w[W_ISOLATE_BIT].found ? 1u << w[W_ISOLATE_BIT].value : 0;
	k->mr_longterm = type(w + W_LT);
	k->mr_contig = type(w + W_CONTIG);
	k->mr_hotplug = type(w + W_HOTPLUG);
}

/* "Page block order: 9", for root. Without, what is usual with 4 KiB pages. */
static unsigned int block_order(struct text *why)
{
	FILE *f = fopen("/proc/pagetypeinfo", "re");
	unsigned int order = 9;

	if (!f || fscanf(f, "Page block order: %u", &order) != 1)
		text_printf(why, "/proc/pagetypeinfo is not readable: pageblocks are taken for 2 MiB\n");
	if (f)
		fclose(f);
	return order;
}

bool trace_kernel_read(struct trace *trace, struct text *why)
{
	struct wanted w[W_END + 1] = {
		[W_WRITE] = { .name = "FOLL_WRITE" },
		[W_PIN] = { .name = "FOLL_PIN" },
		[W_LONGTERM] = { .name = "FOLL_LONGTERM" },
		[W_LRU] = { .name = "PG_lru" },
		[W_PRIVATE] = { .name = "PG_private" },
		[W_SWAPCACHE] = { .name = "PG_swapcache" },
		[W_OWNER] = { .name = "PG_owner_priv_1" },
		[W_SWAPBACKED] = { .name = "PG_swapbacked" },
		[W_WRITEBACK] = { .name = "PG_writeback" },
		[W_HEAD] = { .name = "PG_head" },
		[W_CMA] = { .name = "MIGRATE_CMA" },
		[W_ISOLATE] = { .name = "MIGRATE_ISOLATE" },
		[W_ISOLATE_BIT] = { .name = "PB_migrate_isolate" },
		[W_LT] = { .name = "MR_LONGTERM_PIN" },
		[W_CONTIG] = { .name = "MR_CONTIG_RANGE" },
		[W_HOTPLUG] = { .name = "MR_MEMORY_HOTPLUG" },
	};

	trace->btf = btf__load_vmlinux_btf();
	if (libbpf_get_error(trace->btf) || !trace->btf) {
		trace->btf = NULL;
		text_printf(why, "the kernel has no BTF (/sys/kernel/btf/vmlinux): CONFIG_DEBUG_INFO_BTF=y\n");
		return false;
	}
	find_enumerators(trace->btf, w);
	take_values(&trace->kernel, w);
	trace->kernel.block_order = block_order(why);
	trace->kernel.page_bytes = page_bytes();
	return true;
}

uint64_t trace_symbol(const char *name)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	char line[512], symbol[256];
	unsigned long long address;
	uint64_t found = 0;
	char kind;

	while (f && !found && fgets(line, sizeof(line), f))
		/* A hundred thousand lines and more, which are slow to take apart. */
		if (strstr(line, name) &&
		    sscanf(line, "%llx %c %255s", &address, &kind, symbol) == 3 &&
		    !strcmp(symbol, name))
			found = address;
	if (f)
		fclose(f);
	return found;
}

/* Its position among the constants; -1: no program uses it. */
static int offset_of(const struct btf *btf, const char *name, uint32_t *size)
{
	int id = btf__find_by_name_kind(btf, ".rodata", BTF_KIND_DATASEC);
	const struct btf_type *section = id > 0 ? btf__type_by_id(btf, id) : NULL;
	const struct btf_var_secinfo *var;
	int i;

	if (!section)
		return -1;
	var = btf_var_secinfos(section);
	for (i = 0; i < btf_vlen(section); i++, var++) {
		const struct btf_type *t = btf__type_by_id(btf, var->type);

		if (strcmp(btf__name_by_offset(btf, t->name_off), name))
			continue;
		*size = var->size;
		return var->offset;
	}
	return -1;
}

static bool set_at(struct trace *trace, const char *name, unsigned int index,
		   uint64_t value, unsigned int width)
{
	struct bpf_map *map = bpf_object__find_map_by_name(trace->object, ".rodata");
	size_t all = 0;
	uint32_t size = 0;
	char *data = map ? (char *)bpf_map__initial_value(map, &all) : NULL;
	int at = offset_of(bpf_object__btf(trace->object), name, &size);

	if (!data || at < 0 || (index + 1) * width > size || at + size > all)
		return false;
	memcpy(data + at + index * width, &value, width);
	return true;
}

static bool set32(struct trace *trace, const char *name, uint32_t value)
{
	return set_at(trace, name, 0, value, 4);
}

static bool set64(struct trace *trace, const char *name, uint64_t value)
{
	return set_at(trace, name, 0, value, 8);
}

/* Bytes of a structure; 0: not in the BTF. */
static uint32_t size_of(const struct btf *btf, const char *name)
{
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_STRUCT);

	return id > 0 ? btf__type_by_id(btf, id)->size : 0;
}

/*
 * SECTION_SIZE_BITS of asm/sparsemem.h: 27 on x86-64, and on arm64 with pages of 4
 * and 16 KiB since "arm64: mm: Set SECTION_SIZE_BITS to 27 ..." (v5.12).
 */
static unsigned int section_shift(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
	uint64_t page = page_bytes();
	unsigned int shift = 0;

	while ((1ull << shift) < page)
		shift++;
	return (page > 16384 ? 29 : 27) - shift;
#else
	return 0;
#endif
}

/* The tracepoint got one more in v6.7: which argument is the reason. */
static unsigned int migrate_arguments(const struct btf *btf)
{
	int id = btf__find_by_name_kind(btf, "btf_trace_mm_migrate_pages",
					BTF_KIND_TYPEDEF);
	const struct btf_type *t = id > 0 ? btf__type_by_id(btf, id) : NULL;

	if (t)
		t = btf__type_by_id(btf, t->type);
	if (t && btf_is_ptr(t))
		t = btf__type_by_id(btf, t->type);
	/* The first is the probe's own data. */
	return t && btf_is_func_proto(t) ? btf_vlen(t) - 1 : 0;
}

/* For whom pages are moved: not for compaction, which is number 0 everywhere. */
static uint32_t reasons(const struct trace_kernel *k)
{
	const uint32_t wanted[] = { k->mr_longterm, k->mr_contig, k->mr_hotplug };
	uint32_t mask = 0;
	unsigned int i;

	for (i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		/* Without names, all but that. */
		if (wanted[i] >= 32)
			return ~1u;
		mask |= 1u << wanted[i];
	}
	return mask;
}

/*
 * mem_section, by its address or by its value. Without CONFIG_KALLSYMS_ALL, as in
 * arm64 kernels of Debian 12, functions alone have names.
 */
static bool find_sections(uint64_t *at, uint64_t *roots, struct text *why)
{
	static const struct source here = { .root = "" };

	*roots = 0;
	*at = trace_symbol("mem_section");
	if (*at)
		return true;
	if (!trace_symbol("_stext")) {
		text_printf(why, "/proc/kallsyms shows no addresses (kernel.kptr_restrict): page frames and pageblocks are not seen\n");
		return false;
	}
	*roots = vmcoreinfo_symbol(&here, "mem_section");
	if (!*roots)
		text_printf(why, "neither /proc/kallsyms (CONFIG_KALLSYMS_ALL) nor /proc/kcore (CONFIG_PROC_KCORE, CAP_SYS_RAWIO) tells where mem_section is: page frames and pageblocks are not seen\n");
	return *roots;
}

bool trace_set_values(struct trace *trace, struct text *why)
{
	const struct trace_kernel *k = &trace->kernel;
	uint64_t page = k->page_bytes;
	unsigned int shift = 0;
	uint64_t at, roots;
	bool sections, ok;

	while ((1ull << shift) < page)
		shift++;
	trace->struct_page = size_of(trace->btf, "page");
	sections = find_sections(&at, &roots, why);
	ok = set32(trace, "everybody", trace->options.everybody) &&
	     set32(trace, "ledger", trace->options.ledger) &&
	     set32(trace, "ranges", trace->ranges) &&
	     set32(trace, "own_tgid", getpid()) &&
	     set32(trace, "foll_pin", k->foll_pin) &&
	     set32(trace, "foll_longterm", k->foll_longterm) &&
	     set64(trace, "page_bytes", page) &&
	     set32(trace, "page_shift", shift) &&
	     set32(trace, "section_shift", section_shift()) &&
	     set32(trace, "block_shift", k->block_order) &&
	     set32(trace, "block_bits", k->isolate_bit ? 8 : 4) &&
	     set32(trace, "type_mask", k->type_mask) &&
	     set32(trace, "isolate_bit", k->isolate_bit) &&
	     set64(trace, "mem_section_at", at) &&
	     set64(trace, "mem_section_roots", roots) &&
	     set32(trace, "struct_page", sections ? trace->struct_page : 0) &&
	     set32(trace, "head_bit", k->pg_head) &&
	     set32(trace, "migrate_reasons", reasons(k)) &&
	     set32(trace, "migrate_reason_at",
		   migrate_arguments(trace->btf) == 8 ? 7 : 6) &&
	     set_at(trace, "late", 0, __NR_ioctl, 4) &&
	     set_at(trace, "late", 1, __NR_io_uring_register, 4) &&
	     set_at(trace, "late", 2, __NR_setsockopt, 4) &&
	     set_at(trace, "late", 3, NR_IOCTL_32, 4);
	if (!ok)
		text_printf(why, "the BPF programs are not those of this pinprobe\n");
	return ok;
}
