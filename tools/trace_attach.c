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

static bool there(const struct trace *trace, const struct hook *hook,
		  unsigned int at)
{
	return trace->there[hook - hooks] >> at & 1;
}

/* One program at one of the hook's functions, from @at on; false: there is none. */
static bool choose(struct trace *trace, const struct hook *hook,
		   const char *kind, unsigned int *at)
{
	struct bpf_program *p = program(trace, hook, kind);

	for (; hook->symbols[*at]; ++*at)
		if (there(trace, hook, *at) &&
		    !bpf_program__set_attach_target(p, 0, hook->symbols[*at])) {
			bpf_program__set_autoload(p, true);
			return true;
		}
	return false;
}

static bool by_probes(const struct trace *trace, const struct hook *hook)
{
	return trace->probes || trace->probed[hook - hooks];
}

static void choose_hook(struct trace *trace, const struct hook *hook,
			struct text *why)
{
	bool found = true;
	unsigned int at = 0;

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
		found = choose(trace, hook, "fentry", &at);
	/* Both at one function. */
	if (hook->returns)
		found = found && choose(trace, hook, "fexit", &at);
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
	trace_find_functions(trace);
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
	int error = -ENOENT, now;
	unsigned int at;

	for (at = 0; hook->symbols[at] && error; at++) {
		if (!there(trace, hook, at))
			continue;
		now = keep(trace, bpf_program__attach_kprobe(program(trace, hook, kind),
							     returns,
							     hook->symbols[at]));
		/* Of several names, one that is there tells why it was refused. */
		if (!now || error == -ENOENT || error == -ESRCH)
			error = now;
	}
	return error;
}

/* Not about a function: no probe at all is allowed. */
static bool forbidden(int error)
{
	return error == -EACCES || error == -EPERM;
}

static int attach_probes(struct trace *trace, const struct hook *hook,
			 struct text *why)
{
	int error = 0;

	/* Arguments are kept at the entry, for the return. */
	if (hook->enters)
		error = attach_probe(trace, hook, "kprobe", false);
	if (!error && hook->returns)
		error = attach_probe(trace, hook, "kretprobe", true);
	if (trace->probes && forbidden(error)) {
		text_printf(why, "the kernel allows no probes, and has no fentry: that needs CAP_SYS_ADMIN where the sysctl kernel.perf_event_paranoid is above 2 (Debian, Ubuntu)\n");
		return error;
	}
	if (error)
		missing(hook, error, why);
	return 0;
}

static int attach_hook(struct trace *trace, const struct hook *hook,
		       struct text *why)
{
	int error = 0;

	if (by_probes(trace, hook))
		return attach_probes(trace, hook, why);
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
