// SPDX-License-Identifier: GPL-2.0
/* Chooses which functions the BPF programs watch, and hooks them there. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hooks.h"
#include "trace_internal.h"

static struct bpf_program *program(struct trace *trace, const struct hook *hook,
				   const char *kind)
{
	char name[64];

	snprintf(name, sizeof(name), "%s_%s", hook->name, kind);
	return bpf_object__find_program_by_name(trace->object, name);
}

static bool wanted(const struct trace *trace, const struct hook *hook)
{
	if (hook->need == HOOK_RANGES)
		return trace->ranges;
	return hook->need == HOOK_ALWAYS ||
	       trace->options.ledger != TRACE_LEDGER_OFF;
}

static void missing(const struct hook *hook, int error, struct text *why)
{
	if (hook->optional)
		return;
	if (error == -ENOENT || error == -ESRCH)
		text_printf(why, "%s is not seen: no function %s in this kernel\n",
			    hook->tells, hook->symbols[0]);
	else
		text_printf(why, "%s is not seen: %s() cannot be hooked: %s\n",
			    hook->tells, hook->symbols[0], strerror(-error));
}

/* One program at one of the hook's functions; false if there is none. */
static bool choose(struct bpf_program *program, const struct hook *hook)
{
	const char *const *symbol;

	for (symbol = hook->symbols; *symbol; symbol++)
		if (!bpf_program__set_attach_target(program, 0, *symbol)) {
			bpf_program__set_autoload(program, true);
			return true;
		}
	return false;
}

/*
 * fentry cannot be had of functions with more than six arguments, of which 6.1 has
 * two (pin_user_pages_remote() and get_user_pages_remote()).
 */
static bool many_arguments(const struct btf *btf, const struct hook *hook)
{
	int id = btf__find_by_name_kind(btf, hook->symbols[0], BTF_KIND_FUNC);
	const struct btf_type *t = id > 0 ? btf__type_by_id(btf, id) : NULL;

	t = t ? btf__type_by_id(btf, t->type) : NULL;
	return t && btf_is_func_proto(t) && btf_vlen(t) > 6;
}

static bool by_probes(const struct trace *trace, const struct hook *hook)
{
	return trace->probes || trace->probed[hook - hooks];
}

static void choose_hook(struct trace *trace, const struct hook *hook,
			struct text *why)
{
	bool found = true;

	trace->probed[hook - hooks] = many_arguments(trace->btf, hook);
	if (by_probes(trace, hook)) {
		if (hook->enters)
			bpf_program__set_autoload(program(trace, hook, "kprobe"),
						  true);
		if (hook->returns)
			bpf_program__set_autoload(program(trace, hook, "kretprobe"),
						  true);
		return;
	}
	if (hook->enters)
		found = choose(program(trace, hook, "fentry"), hook);
	if (hook->returns)
		found = choose(program(trace, hook, "fexit"), hook) && found;
	if (!found)
		missing(hook, -ENOENT, why);
}

static const char *const tracepoints[][2] = {
	{ "migrate_counts", "mm_migrate_pages" },
	{ "follow_fork", "sched_process_fork" },
	{ "forget", "sched_process_exit" },
	{ "renamed", "task_rename" },
};

#define TRACEPOINTS	(sizeof(tracepoints) / sizeof(*tracepoints))

/*
 * unpin_user_page_range_dirty_lock() is called for each stretch of pages when an RDMA region
 * goes, where ib_umem_release() tells as much at once. Of the kernel's own only iommufd
 * calls it besides. Whoever asks how long pins last gets those of any driver.
 */
static bool iommufd_is_there(void)
{
	return !access("/sys/module/iommufd", F_OK);
}

static bool ranges_needed(const struct trace *trace)
{
	return trace->options.ledger == TRACE_LEDGER_PINS ||
	       (trace->options.ledger == TRACE_LEDGER_ALL && iommufd_is_there());
}

bool trace_came_late(const struct trace *trace)
{
	return trace->options.ledger != TRACE_LEDGER_OFF && !trace->ranges &&
	       iommufd_is_there();
}

void trace_choose_hooks(struct trace *trace, struct text *why)
{
	unsigned int i;

	trace->ranges = ranges_needed(trace);
	for (i = 0; i < hooks_nr; i++)
		if (wanted(trace, hooks + i))
			choose_hook(trace, hooks + i, why);
	for (i = 0; i < TRACEPOINTS; i++)
		bpf_program__set_autoload(bpf_object__find_program_by_name(trace->object,
					  tracepoints[i][0]), true);
}

static int keep(struct trace *trace, struct bpf_link *link)
{
	if (!link)
		return -errno;
	if (trace->links == TRACE_LINKS) {
		bpf_link__destroy(link);
		return -ENOSPC;
	}
	trace->link[trace->links++] = link;
	return 0;
}

static int attach_fast(struct trace *trace, const struct hook *hook,
		       const char *kind, struct text *why)
{
	struct bpf_program *p = program(trace, hook, kind);
	int error;

	if (!p || !bpf_program__autoload(p))
		return 0;
	error = keep(trace, bpf_program__attach(p));
	/* Not with this kernel at all, rather than not there. */
	if (error == -ENOTSUP || error == -524)
		return error;
	if (error && !hook->optional)
		text_printf(why, "%s is not seen: %s\n", hook->tells,
			    strerror(-error));
	return 0;
}

static int attach_probe(struct trace *trace, const struct hook *hook,
			const char *kind, bool returns)
{
	const char *const *symbol;
	int error = -ENOENT;

	for (symbol = hook->symbols; *symbol && error; symbol++) {
		int now = keep(trace, bpf_program__attach_kprobe(program(trace, hook, kind),
								 returns, *symbol));

		/* Of several names, one that is there tells why it was refused. */
		if (!now || error == -ENOENT || error == -ESRCH)
			error = now;
	}
	return error;
}

static void attach_probes(struct trace *trace, const struct hook *hook,
			  struct text *why)
{
	int error = 0;

	/* Arguments are kept at the entry, for the return. */
	if (hook->enters)
		error = attach_probe(trace, hook, "kprobe", false);
	if (!error && hook->returns)
		error = attach_probe(trace, hook, "kretprobe", true);
	if (error)
		missing(hook, error, why);
}

static int attach_hook(struct trace *trace, const struct hook *hook,
		       struct text *why)
{
	int error = 0;

	if (by_probes(trace, hook)) {
		attach_probes(trace, hook, why);
		return 0;
	}
	if (hook->enters)
		error = attach_fast(trace, hook, "fentry", why);
	if (!error && hook->returns)
		error = attach_fast(trace, hook, "fexit", why);
	return error;
}

int trace_attach_hooks(struct trace *trace, struct text *why)
{
	unsigned int i;
	int error;

	for (i = 0; i < hooks_nr; i++) {
		error = wanted(trace, hooks + i) ?
			attach_hook(trace, hooks + i, why) : 0;
		if (error)
			return error;
	}
	for (i = 0; i < TRACEPOINTS; i++) {
		error = keep(trace, bpf_program__attach_raw_tracepoint(
			     bpf_object__find_program_by_name(trace->object,
							      tracepoints[i][0]),
			     tracepoints[i][1]));
		if (error)
			text_printf(why, "tracepoint %s is not seen: %s\n",
				    tracepoints[i][1], strerror(-error));
	}
	return 0;
}
