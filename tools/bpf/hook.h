/* SPDX-License-Identifier: GPL-2.0 */
/* What is hooked, and the programs of one hook: by fentry and fexit, and by probes. */
#ifndef PINPROBE_BPF_HOOK_H
#define PINPROBE_BPF_HOOK_H

enum hook_id {
	HOOK_NONE = TRACE_APIS,
	HOOK_UNPIN_PAGES, HOOK_UNPIN_DIRTY, HOOK_UNPIN_RANGE, HOOK_UNPIN_PAGE,
	HOOK_UNPIN_FOLIO, HOOK_UNPIN_FOLIOS,
	HOOK_UVERBS, HOOK_UVERBS_AGAIN, HOOK_UVERBS_METHOD,
	HOOK_UVERBS_DMABUF, HOOK_PROVIDER, HOOK_UMEM, HOOK_IO_URING, HOOK_VFIO,
	HOOK_XDP, HOOK_UDMABUF, HOOK_OFFLINE, HOOK_CMA, HOOK_CONTIG,
	HOOK_MIGRATE, HOOK_UMEM_RELEASE,
};

static __always_inline void save(__u32 hook, struct args *a)
{
	struct saved_key key = { .tid = this_tid(), .hook = hook };

	bpf_map_update_elem(&saved, &key, a, BPF_ANY);
}

static __always_inline void forgo(__u32 hook, struct args *a)
{
}

static __always_inline bool restore(__u32 hook, struct args *a)
{
	struct saved_key key = { .tid = this_tid(), .hook = hook };
	struct args *found = bpf_map_lookup_elem(&saved, &key);

	if (!found)
		return false;
	*a = *found;
	bpf_map_delete_elem(&saved, &key);
	return true;
}

/*
 * By this helper they are numbers: pointers that the verifier knows the type of
 * cannot be calculated with.
 */
static __always_inline void func_args(void *ctx, struct args *a, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		bpf_get_func_arg(ctx, i, &a->a[i]);
}

static __always_inline void regs_args(struct pt_regs *regs, struct args *a)
{
	a->a[0] = BPF_CORE_READ(regs, REG_0);
	a->a[1] = BPF_CORE_READ(regs, REG_1);
	a->a[2] = BPF_CORE_READ(regs, REG_2);
	a->a[3] = BPF_CORE_READ(regs, REG_3);
	a->a[4] = BPF_CORE_READ(regs, REG_4);
	a->a[5] = BPF_CORE_READ(regs, REG_5);
}

/* @keep: what a probe at the return is to find, for there it has no arguments. */
#define ENTRY_KEEP(name, id, nr, enter, keep)				\
SEC("fentry") int name##_fentry(__u64 *ctx)				\
{									\
	struct args a = {};						\
									\
	func_args(ctx, &a, nr);						\
	enter(ctx, id, &a);						\
	return 0;							\
}									\
SEC("kprobe") int name##_kprobe(struct pt_regs *ctx)			\
{									\
	struct args a = {};						\
									\
	regs_args(ctx, &a);						\
	keep(id, &a);							\
	enter(ctx, id, &a);						\
	return 0;							\
}

#define ENTRY(name, id, nr, enter) ENTRY_KEEP(name, id, nr, enter, save)
#define ENTRY_ONLY(name, id, nr, enter) ENTRY_KEEP(name, id, nr, enter, forgo)

#define RETURN(name, id, nr, leave)					\
SEC("fexit") int name##_fexit(__u64 *ctx)				\
{									\
	struct args a = {};						\
	__u64 ret = 0;							\
									\
	func_args(ctx, &a, nr);						\
	bpf_get_func_ret(ctx, &ret);					\
	leave(ctx, id, &a, ret);					\
	return 0;							\
}									\
SEC("kretprobe") int name##_kretprobe(struct pt_regs *ctx)		\
{									\
	struct args a = {};						\
									\
	if (restore(id, &a))						\
		leave(ctx, id, &a, BPF_CORE_READ(ctx, REG_RESULT));	\
	return 0;							\
}

#define AROUND(name, id, nr, enter, leave)				\
	ENTRY(name, id, nr, enter) RETURN(name, id, nr, leave)

#endif
