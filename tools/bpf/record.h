/* SPDX-License-Identifier: GPL-2.0 */
/* A followed call: from its first hook to its last. */
#ifndef PINPROBE_BPF_RECORD_H
#define PINPROBE_BPF_RECORD_H

static __always_inline struct trace_slot *slot_of(__u32 tid)
{
	__u32 at = tid & (TRACE_SLOTS - 1);

	return bpf_map_lookup_elem(&slots, &at);
}

static __always_inline struct trace_task *task_of_thread(__u32 tid)
{
	struct trace_slot *slot = slot_of(tid);

	if (slot && slot->owner == tid)
		return &slot->task;
	return crowded ? bpf_map_lookup_elem(&tasks, &tid) : NULL;
}

static __always_inline struct trace_task *task_find(void)
{
	return task_of_thread(this_tid());
}

static __always_inline struct trace_task *slot_claim(__u32 tid)
{
	__u32 at = tid & (TRACE_SLOTS - 1);
	struct trace_slot *slot = slot_of(tid);
	struct trace_task *t;

	if (!slot || bpf_map_update_elem(&claims, &at, &tid, BPF_NOEXIST))
		return NULL;
	t = &slot->task;
	t->record.began = 0;
	t->waits = 0;
	t->ignored = 0;
	t->making = 0;
	t->pages = 0;
	t->named = 0;
	t->device_at = 0;
	slot->owner = tid;
	return t;
}

static __always_inline struct trace_task *task_get(void)
{
	struct trace_task *t = task_find(), *fresh;
	__u32 tid = this_tid(), zero = 0;

	if (!t)
		t = slot_claim(tid);
	if (t)
		return t;
	fresh = bpf_map_lookup_elem(&blank, &zero);
	if (!fresh || bpf_map_update_elem(&tasks, &tid, fresh, BPF_ANY))
		return NULL;
	crowded = 1;
	return bpf_map_lookup_elem(&tasks, &tid);
}

static __always_inline void task_forget(__u32 tid)
{
	struct trace_slot *slot = slot_of(tid);
	__u32 at = tid & (TRACE_SLOTS - 1);

	if (!slot || slot->owner != tid) {
		bpf_map_delete_elem(&tasks, &tid);
		return;
	}
	slot->owner = 0;
	bpf_map_delete_elem(&claims, &at);
}

static __always_inline struct trace_record *record_of(struct trace_task *t)
{
	return t && t->record.began ? &t->record : NULL;
}

static __always_inline struct trace_record *record_of_task(void)
{
	return record_of(task_find());
}

/* Read as they are, without a helper for each. */
static __always_inline void measure_task(struct trace_record *r,
					 struct task_struct *task, int end)
{
	end &= 1;
	r->faults[end] = task->min_flt + task->maj_flt;
	r->switches[end] = task->nvcsw;
	r->cpu_ns[end] = task->se.sum_exec_runtime;
}

/* Which system call the task is in; threads of the kernel are in none. */
static __always_inline void note_syscall(struct trace_record *r,
					 struct task_struct *task)
{
	struct pt_regs *regs;

	r->syscall = -1;
	if (task->flags & (PF_KTHREAD | PF_IO_WORKER))
		return;
	regs = (void *)bpf_task_pt_regs((void *)task);
	r->syscall = regs->REG_SYSCALL;
	r->args[0] = regs->REG_0;
	r->args[1] = regs->REG_1;
	r->args[2] = regs->REG_2;
}

/* In trace_task.errors. */
#define LAYER_BIT(layer)	(1u << (layer))

/* A record is the first that a task has. */
static __always_inline struct trace_task *task_of(struct trace_record *r)
{
	return (struct trace_task *)r;
}

/* Of the folios and the mapping that the last call had, only that there are none. */
static __always_inline void record_clear(struct trace_record *r)
{
	__builtin_memset(r, 0, offsetof(struct trace_record, folio));
	r->mapping.found = 0;
	r->mapping.fs[0] = 0;
	r->mapping.name[0] = 0;
	r->exporter[0] = 0;
	r->pinned_vm = 0;
	r->locked_vm = 0;
	r->user_locked = 0;
	r->memlock = 0;
	r->exempt = 0;
	r->measured = 0;
}

/* The system call's return will end it. */
static __always_inline void await_return(struct trace_task *t)
{
	if (t->waits)
		return;
	t->waits = 1;
	__sync_fetch_and_add(&waiting, 1);
}

static __always_inline void waits_no_more(struct trace_task *t)
{
	if (!t->waits)
		return;
	t->waits = 0;
	__sync_fetch_and_add(&waiting, -1);
}

/* That it will be seen. */
static __always_inline bool returns_late(const struct trace_record *r)
{
	int i;

	for (i = 0; i < LATE; i++)
		if (late[i] >= 0 && r->syscall == late[i])
			return true;
	return false;
}

static __always_inline void record_begin(struct trace_task *t, __u32 layer,
					 __u64 now, __u64 both)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct trace_record *r = &t->record;

	record_clear(r);
	t->outermost = layer;
	t->errors = 0;
	r->tid = both;
	r->tgid = both >> 32;
	r->stack = -1;
	note_syscall(r, task);
	measure_task(r, task, 0);
	r->began = now;
	count(TRACE_COUNT_RECORDS, 1);
	/* A layer of its own knows how its system call went, unless something failed. */
	if (layer != TRACE_UVERBS && returns_late(r))
		await_return(t);
}

static __always_inline bool is_error(__s64 ret)
{
	return ret < 0 && ret >= -4095;
}

static __always_inline void record_tell(struct trace_record *r)
{
	struct trace_done *out;
	__u32 zero = 0;

	r->ended = bpf_ktime_get_ns();
	measure_task(r, (void *)bpf_get_current_task_btf(), 1);
	bpf_get_current_comm(r->comm, sizeof(r->comm));
	count(TRACE_COUNT_ERRORS, 1);
	out = bpf_map_lookup_elem(&done, &zero);
	if (!out)
		return;
	out->kind = TRACE_EVENT_RECORD;
	out->zero = 0;
	bpf_probe_read_kernel(&out->record, sizeof(out->record), r);
	if (bpf_ringbuf_output(&events, out, sizeof(*out), BPF_RB_FORCE_WAKEUP))
		count(TRACE_COUNT_LOST_RECORDS, 1);
}

/* Told, if something failed. GUP may come back with fewer pages than were asked for. */
static __always_inline void record_close(struct trace_record *r)
{
	struct trace_task *t = task_of(r);

	if (r->moved)
		count(TRACE_COUNT_MIGRATIONS, r->moved);
	if (r->taken)
		count(TRACE_COUNT_PINNED, r->taken);
	if (t->errors)
		record_tell(r);
	waits_no_more(t);
	r->began = 0;
}

static __always_inline struct trace_record *record_open(struct trace_task *t,
							 __u32 layer, __u64 now)
{
	__u64 both;

	/* What is left of a call whose end nobody saw is taken by the command. */
	if (t && t->record.began && layer != TRACE_UVERBS)
		return &t->record;
	if (t && t->record.began)
		record_close(&t->record);
	both = bpf_get_current_pid_tgid();
	if (!followed(both >> 32))
		return NULL;
	if (!t)
		t = task_get();
	if (!t) {
		count(TRACE_COUNT_LOST_RECORDS, 1);
		return NULL;
	}
	record_begin(t, layer, now, both);
	return &t->record;
}

/* @t: NULL, if it has not been looked up. */
static __always_inline struct trace_record *step_enter_task(struct trace_task *t,
							    __u32 layer)
{
	__u64 now = bpf_ktime_get_ns();
	struct trace_record *r = record_open(t ?: task_find(), layer, now);

	if (!r || layer >= TRACE_LAYERS)
		return NULL;
	r->depth++;
	r->step[layer].entered = now;
	return r;
}

static __always_inline struct trace_record *step_enter(__u32 layer)
{
	return step_enter_task(NULL, layer);
}

/* How it went, without ending the record. */
static __always_inline void step_note_at(struct trace_record *r, __u32 layer,
					 __s64 ret, __u64 now)
{
	struct trace_step *step;

	if (layer >= TRACE_LAYERS)
		return;
	step = &r->step[layer];
	if (step->entered)
		step->spent += now - step->entered;
	step->entered = 0;
	step->ret = ret;
	step->calls++;
	if (is_error(ret))
		task_of(r)->errors |= LAYER_BIT(layer);
	else
		task_of(r)->errors &= ~LAYER_BIT(layer);
}

static __always_inline void step_note(struct trace_record *r, __u32 layer,
				      __s64 ret)
{
	step_note_at(r, layer, ret, bpf_ktime_get_ns());
}

static __always_inline void step_end(struct trace_record *r)
{
	struct trace_task *t = task_of(r);

	if (r->depth)
		r->depth--;
	if (r->depth)
		return;
	if (!returns_late(r) || (t->outermost == TRACE_UVERBS && !t->errors))
		record_close(r);
	else
		await_return(t);
}

static __always_inline void step_exit(__u32 layer, __s64 ret)
{
	struct trace_record *r = record_of_task();

	/* Not one that was entered while the call was followed. */
	if (!r || layer >= TRACE_LAYERS || !r->step[layer].entered)
		return;
	/* Nobody will be told how long it took. */
	if (layer == TRACE_UVERBS && r->depth == 1 && !is_error(ret) &&
	    !task_of(r)->errors) {
		record_close(r);
		return;
	}
	step_note(r, layer, ret);
	step_end(r);
}

static __always_inline void syscall_exit(__s64 ret)
{
	struct trace_record *r = record_of_task();

	if (!r)
		return;
	r->step[TRACE_SYSCALL].spent = bpf_ktime_get_ns() - r->began;
	step_note(r, TRACE_SYSCALL, ret);
	record_close(r);
}

static __always_inline void measure_memlock(struct trace_record *r)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	const struct cred *cred = BPF_CORE_READ(task, cred);
	struct mm_struct *mm = BPF_CORE_READ(task, mm);
	__u64 caps;

	if (!mm)
		return;
	r->pinned_vm = BPF_CORE_READ(mm, pinned_vm.counter);
	r->locked_vm = BPF_CORE_READ(mm, locked_vm);
	r->user_locked = BPF_CORE_READ(cred, user, locked_vm.counter);
	r->memlock = BPF_CORE_READ(task, signal, rlim[RLIMIT_MEMLOCK].rlim_cur);
	/* Two words or one of 64 bits: on a little-endian machine the same. */
	caps = read_word((__u64)cred + bpf_core_field_offset(struct cred, cap_effective));
	r->exempt = (caps >> CAP_IPC_LOCK & 1) &&
		    !BPF_CORE_READ(cred, user_ns, level);
	r->measured = 1;
}

/* Who made a dma-buf, by its name. */
static __always_inline void note_exporter(struct trace_record *r, __u64 dmabuf)
{
	const char *name;

	if (!dmabuf || !bpf_core_field_exists(((struct dma_buf *)0)->exp_name))
		return;
	name = BPF_CORE_READ((struct dma_buf *)dmabuf, exp_name);
	bpf_probe_read_kernel_str(r->exporter, sizeof(r->exporter), name);
}

struct found {
	struct trace_record *r;
};

static long note_mapping(struct task_struct *task, struct vm_area_struct *vma,
			 struct found *found)
{
	struct trace_mapping *m = &found->r->mapping;
	struct inode *inode;

	m->found = 1;
	m->start = BPF_CORE_READ(vma, vm_start);
	m->end = BPF_CORE_READ(vma, vm_end);
	m->flags = BPF_CORE_READ(vma, vm_flags);
	m->pgoff = BPF_CORE_READ(vma, vm_pgoff);
	inode = BPF_CORE_READ(vma, vm_file, f_inode);
	if (!inode)
		return 0;
	m->size = BPF_CORE_READ(inode, i_size);
	m->inode_flags = BPF_CORE_READ(inode, i_flags);
	m->mode = BPF_CORE_READ(inode, i_mode);
	m->magic = BPF_CORE_READ(inode, i_sb, s_magic);
	bpf_probe_read_kernel_str(m->fs, sizeof(m->fs),
				  BPF_CORE_READ(inode, i_sb, s_type, name));
	bpf_probe_read_kernel_str(m->name, sizeof(m->name),
				  BPF_CORE_READ(vma, vm_file, f_path.dentry,
						d_name.name));
	if (m->magic == DMA_BUF_MAGIC)
		note_exporter(found->r,
			      (__u64)BPF_CORE_READ(vma, vm_file, private_data));
	return 0;
}

static __always_inline void look_up_mapping(struct trace_record *r, __u64 addr)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct found found = { .r = r };

	r->mapping.found = 0;
	r->mapping.fs[0] = 0;
	r->mapping.name[0] = 0;
	/* No mapping there: -ENOENT. */
	switch (bpf_find_vma((void *)task, addr, note_mapping, &found, 0)) {
	case 0:
	case -2:
		break;
	default:
		r->mapping.found = -1;
	}
}

/* Those that stay are left on the list they came on. */
static __always_inline void note_stuck(struct trace_record *r, __u64 from)
{
	struct list_head *at = BPF_CORE_READ((struct list_head *)from, next);
	__u32 i, n = 0;

	for (i = 0; i < TRACE_FAILED; i++) {
		if ((__u64)at == from || !at)
			break;
		look_folio((__u64)at - bpf_core_field_offset(struct folio, lru),
			   &r->folio[i]);
		at = BPF_CORE_READ(at, next);
		n++;
	}
	r->failed = n;
}

#endif
