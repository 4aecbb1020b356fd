// SPDX-License-Identifier: GPL-2.0
/* Loads the BPF programs, and reads what they tell. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "barriers.h"
#include "trace_internal.h"

/* The object, as it was compiled: bpf_object.S. */
extern const char trace_object[], trace_object_end[];

bool trace_built(void)
{
	return trace_object_end - trace_object > 0;
}

/* libbpf's own messages are for who mends the programs. */
static int quiet(enum libbpf_print_level level, const char *fmt, va_list args)
{
	if (level > LIBBPF_WARN || !getenv("PINPROBE_LIBBPF"))
		return 0;
	return vfprintf(stderr, fmt, args);
}

/* Addresses of struct page as page frames, in runs. */
static const struct trace_pages *frames(struct trace *trace,
					const struct trace_pages *e)
{
	struct trace_pages *to = &trace->pages;
	uint64_t next = 0, pfn;
	uint32_t i, n = 0;

	if (e->kind == TRACE_EVENT_UMEM_LEFT || !e->raw ||
	    !trace->struct_page || e->runs > TRACE_RUNS)
		return e;
	memcpy(to, e, offsetof(struct trace_pages, run));
	for (i = 0; i < e->runs; i++) {
		pfn = trace->struct_page == 64 ? (e->page[i] - e->raw) >> 6 :
		      (e->page[i] - e->raw) / trace->struct_page;
		if (n && pfn == next) {
			to->run[n - 1].pages++;
		} else {
			to->run[n].pfn = pfn;
			to->run[n++].pages = 0;
		}
		next = pfn + 1;
	}
	to->runs = n;
	to->raw = 0;
	return to;
}

static int event(void *ctx, void *data, size_t size)
{
	struct trace *trace = ctx;
	const struct trace_done *done = data;

	if (done->kind == TRACE_EVENT_RECORD) {
		if (size >= sizeof(*done) && trace->options.record)
			trace->options.record(trace->options.ctx, &done->record);
	} else if (trace->options.pages) {
		trace->options.pages(trace->options.ctx, frames(trace, data));
	}
	return 0;
}

static int map_fd(struct trace *trace, const char *name)
{
	return bpf_object__find_map_fd_by_name(trace->object, name);
}

/* Programs that are hooked, or none but the one that looks. */
static void choose_programs(struct trace *trace, struct text *why)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, trace->object) {
		const char *name = bpf_program__name(program);

		bpf_program__set_autoload(program, !strcmp(name, "look_at"));
	}
	if (trace->options.looking)
		return;
	trace_choose_hooks(trace, why);
}

static int open_object(struct trace *trace, struct text *why)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "pinprobe");

	trace->object = bpf_object__open_mem(trace_object,
					     trace_object_end - trace_object, &opts);
	if (!trace->object) {
		text_printf(why, "the BPF programs cannot be read: %s\n", strerror(errno));
		return -EINVAL;
	}
	choose_programs(trace, why);
	return trace_set_values(trace, why) ? 0 : -EINVAL;
}

static void say_refused(struct text *why, int error)
{
	static const struct source here = { .root = "" };

	if (barriers_find(&here, why))
		return;
	if (error == -EPERM || error == -EACCES)
		text_printf(why, "BPF is not allowed: it needs root (CAP_BPF and CAP_PERFMON); a container, a security module or kernel.unprivileged_bpf_disabled may forbid it\n");
	else
		text_printf(why, "the kernel refuses the BPF programs: %s (PINPROBE_LIBBPF=1 tells more)\n",
			 strerror(-error));
}

static bool ask(struct trace *trace, struct trace_ask *in)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = in,
		    .ctx_size_in = sizeof(*in));

	return trace->looker >= 0 &&
	       !bpf_prog_test_run_opts(trace->looker, &opts) && !opts.retval;
}

/* Its first run finds out where struct page begins. */
static bool find_memory(struct trace *trace)
{
	struct trace_ask in = { .nr = 0, .blocks = 1 };

	return ask(trace, &in);
}

static int load(struct trace *trace, struct text *why)
{
	int error = open_object(trace, why);

	if (error)
		return error;
	error = bpf_object__load(trace->object);
	if (error) {
		say_refused(why, error);
		return error;
	}
	trace->looker = bpf_program__fd(bpf_object__find_program_by_name(trace->object, "look_at"));
	if (!find_memory(trace))
		text_printf(why, "struct page was not found: page frames and pageblocks are not seen\n");
	return trace->options.looking ? 0 : trace_attach_hooks(trace, why);
}

static void unload(struct trace *trace)
{
	while (trace->links)
		bpf_link__destroy(trace->link[--trace->links]);
	bpf_object__close(trace->object);
	trace->object = NULL;
}

/* Kernels that have BTF need not have fentry: arm64 before v6.4. */
static int load_somehow(struct trace *trace, struct text *why)
{
	struct text first = {};
	int error = load(trace, &first);

	if (error == -ENOTSUP || error == -524) {
		unload(trace);
		trace->probes = true;
		error = load(trace, why);
	} else if (first.s) {
		text_printf(why, "%s", first.s);
	}
	text_free(&first);
	return error;
}

static struct trace_slot *slots_map(struct trace *trace)
{
	void *p = mmap(NULL, TRACE_SLOTS * sizeof(struct trace_slot),
		       PROT_READ | PROT_WRITE, MAP_SHARED, map_fd(trace, "slots"), 0);

	return p == MAP_FAILED ? NULL : p;
}

struct trace *trace_open(const struct trace_options *options, struct text *why)
{
	static const struct source here = { .root = "" };
	struct trace *trace;

	if (!trace_built()) {
		text_printf(why, "this pinprobe was built without its BPF programs\n");
		return NULL;
	}
	/* Reading the kernel's BTF takes a second or more of a slow machine. */
	if (barriers_certain(&here, why))
		return NULL;
	trace = calloc(1, sizeof(*trace));
	if (!trace)
		return NULL;
	trace->options = *options;
	trace->looker = -1;
	libbpf_set_print(quiet);
	if (!trace_kernel_read(trace, why) || load_somehow(trace, why)) {
		trace_close(trace);
		return NULL;
	}
	if (options->looking)
		return trace;
	trace->ring = ring_buffer__new(map_fd(trace, "events"), event, trace, NULL);
	trace->slots = slots_map(trace);
	if (trace->ring && trace->slots)
		return trace;
	text_printf(why, "no ring buffer or no records: %s\n", strerror(errno));
	trace_close(trace);
	return NULL;
}

void trace_close(struct trace *trace)
{
	if (!trace)
		return;
	ring_buffer__free(trace->ring);
	if (trace->slots)
		munmap(trace->slots, TRACE_SLOTS * sizeof(*trace->slots));
	unload(trace);
	btf__free(trace->btf);
	free(trace);
}

int trace_follow(struct trace *trace, pid_t pid)
{
	uint32_t key = pid, one = 1;

	return bpf_map_update_elem(map_fd(trace, "targets"), &key, &one, BPF_ANY) ?
	       -errno : 0;
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ull + t.tv_nsec / 1000000;
}

int trace_drain(struct trace *trace)
{
	trace->read_at = now_ms();
	return ring_buffer__consume(trace->ring);
}

int trace_poll(struct trace *trace, int ms)
{
	int n = ring_buffer__poll(trace->ring, ms);
	int more;

	if (n < 0)
		return n;
	if (n)
		trace->read_at = now_ms();
	/* Events that woke nobody. */
	if (now_ms() - trace->read_at < trace->options.lag_ms)
		return n;
	more = trace_drain(trace);
	return more < 0 ? more : n + more;
}

/* The programs do so when a call has failed. */
static void name_task(struct trace_record *r)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/comm", r->tgid, r->tid);
	f = fopen(path, "re");
	if (!f)
		return;
	if (!fgets(r->comm, sizeof(r->comm), f))
		r->comm[0] = 0;
	r->comm[strcspn(r->comm, "\n")] = 0;
	fclose(f);
}

void trace_in_flight(struct trace *trace,
		     void (*each)(void *ctx, const struct trace_record *record),
		     void *ctx)
{
	int fd = map_fd(trace, "tasks");
	uint32_t key, *last = NULL;
	struct trace_task *t = malloc(sizeof(*t));
	unsigned int i;

	for (i = 0; t && i < TRACE_SLOTS; i++) {
		const struct trace_slot *slot = trace->slots + i;

		if (!slot->owner || !slot->task.record.began)
			continue;
		t->record = slot->task.record;
		/* It may have ended meanwhile. */
		if (!t->record.began)
			continue;
		name_task(&t->record);
		each(ctx, &t->record);
	}
	while (t && !bpf_map_get_next_key(fd, last, &key)) {
		if (!bpf_map_lookup_elem(fd, &key, t) && t->record.began) {
			name_task(&t->record);
			each(ctx, &t->record);
		}
		last = &key;
	}
	free(t);
}

void trace_forget(struct trace *trace, uint32_t tid)
{
	struct trace_slot *slot = trace->slots + (tid & (TRACE_SLOTS - 1));

	if (slot->owner == tid)
		slot->task.record.began = 0;
	else
		bpf_map_delete_elem(map_fd(trace, "tasks"), &tid);
}

uint64_t trace_count(struct trace *trace, enum trace_count what)
{
	int cpus = libbpf_num_possible_cpus(), i;
	uint64_t *values, sum = 0;
	uint32_t key = what;

	values = calloc(cpus > 0 ? cpus : 1, sizeof(*values));
	if (values && cpus > 0 &&
	    !bpf_map_lookup_elem(map_fd(trace, "counts"), &key, values))
		for (i = 0; i < cpus; i++)
			sum += values[i];
	free(values);
	return sum;
}

uint64_t trace_missed(struct trace *trace)
{
	struct bpf_program *program;
	uint64_t sum = 0;

	bpf_object__for_each_program(program, trace->object) {
		struct bpf_prog_info info = {};
		uint32_t size = sizeof(info);
		int fd = bpf_program__fd(program);

		if (fd >= 0 && !bpf_obj_get_info_by_fd(fd, &info, &size))
			sum += info.recursion_misses;
	}
	return sum;
}

size_t trace_stack(struct trace *trace, int id, uint64_t *ip, size_t nr)
{
	uint64_t all[16] = {};
	uint32_t key = id;
	size_t n = 0;

	if (id < 0 || bpf_map_lookup_elem(map_fd(trace, "stacks"), &key, all))
		return 0;
	while (n < nr && n < sizeof(all) / sizeof(*all) && all[n]) {
		ip[n] = all[n];
		n++;
	}
	return n;
}

bool trace_look(struct trace *trace, uint64_t pfn, struct trace_look *look)
{
	struct trace_ask in = { .pfn = pfn, .nr = 1 };
	uint32_t zero = 0;

	return ask(trace, &in) &&
	       !bpf_map_lookup_elem(map_fd(trace, "looked"), &zero, look);
}

bool trace_blocks(struct trace *trace, uint64_t pfn, uint32_t nr,
		  uint32_t *types)
{
	struct trace_ask in = { .pfn = pfn, .nr = nr, .blocks = 1 };
	uint32_t i;

	if (nr > TRACE_ASK_BLOCKS || !ask(trace, &in))
		return false;
	for (i = 0; i < nr; i++)
		if (bpf_map_lookup_elem(map_fd(trace, "blocks"), &i, types + i))
			return false;
	return true;
}

const struct trace_kernel *trace_kernel(const struct trace *trace)
{
	return &trace->kernel;
}
