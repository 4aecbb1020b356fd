// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's tracepoints are not exported by name, but they can be walked.
 * Who attaches a probe lets the compiler compare its prototype with
 * check_trace_callback_type_<name>(): a wrong one would read rubbish.
 */
#include <linux/string.h>
#include <linux/tracepoint.h>
#include "tracepoint.h"

struct pp_tracepoint_search {
	const char *name;
	struct tracepoint *found;
};

static void pp_tracepoint_match(struct tracepoint *tp, void *data)
{
	struct pp_tracepoint_search *search = data;

	if (!strcmp(tp->name, search->name))
		search->found = tp;
}

/**
 * pp_tracepoint_find - a tracepoint of the kernel itself
 * @name: its name, without the subsystem
 *
 * Return: the tracepoint, NULL if this kernel has none of that name.
 */
struct tracepoint *pp_tracepoint_find(const char *name)
{
	struct pp_tracepoint_search search = { .name = name };

	for_each_kernel_tracepoint(pp_tracepoint_match, &search);
	return search.found;
}
