// SPDX-License-Identifier: GPL-2.0
/* What is known of the hooks' functions before libbpf is asked. */
#include <string.h>

#include "hook_names.h"
#include "trace_internal.h"

/*
 * fentry cannot be had of functions with more than six arguments, of which 6.1 has
 * two (pin_user_pages_remote() and get_user_pages_remote()).
 */
static void read_arguments(struct trace *trace, const struct hook_names *n)
{
	uint32_t id, types = btf__type_cnt(trace->btf);
	const struct btf_type *t;
	const struct hook_name *name;

	for (id = 1; id < types; id++) {
		t = btf__type_by_id(trace->btf, id);
		if (!btf_is_func(t))
			continue;
		name = hook_names_find(n, btf__name_by_offset(trace->btf, t->name_off));
		t = name ? btf__type_by_id(trace->btf, t->type) : NULL;
		if (!t || !btf_is_func_proto(t) || btf_vlen(t) <= 6)
			continue;
		for (; name; name = hook_names_next(n, name))
			trace->probed[name->hook] |= !name->at;
	}
}

void trace_find_functions(struct trace *trace)
{
	static const struct source here = { .root = "" };
	struct hook_names names;

	hook_names_collect(&names);
	memset(trace->there, 0, sizeof(trace->there));
	memset(trace->probed, 0, sizeof(trace->probed));
	if (!hook_names_there(&names, &here, trace->there))
		memset(trace->there, 0xff, sizeof(trace->there));
	read_arguments(trace, &names);
}
