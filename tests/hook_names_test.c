// SPDX-License-Identifier: GPL-2.0
/* Which functions of the hooks a kernel has, from its /proc/kallsyms. */
#include "doctor_run.h"
#include "../tools/hook_names.c"
#include "../tools/hooks.c"

static unsigned int hook_of(const char *name, unsigned int after)
{
	unsigned int i = after;

	while (i < hooks_nr && strcmp(hooks[i].name, name))
		i++;
	CHECK(i < hooks_nr);
	return i;
}

TEST(hook_names_all_are_found)
{
	const struct hook_name *name;
	struct hook_names names;
	unsigned int i, at, seen = 0;

	hook_names_collect(&names);
	CHECK(names.nr < HOOK_NAMES);
	for (i = 0; i < hooks_nr; i++)
		for (at = 0; hooks[i].symbols[at]; at++) {
			name = hook_names_find(&names, hooks[i].symbols[at]);
			while (name && (name->hook != i || name->at != at))
				name = hook_names_next(&names, name);
			CHECK(name);
			seen++;
		}
	CHECK_NUMBER(names.nr, seen);
	CHECK(!hook_names_find(&names, "pin_user_page"));
	CHECK(!hook_names_find(&names, ""));
}

/* Two hooks are at one function, and of several names any may be there. */
TEST(hook_names_that_are_there)
{
	struct source source = { .root = text_format("%s/tree", unit_scratch) };
	struct hook_names names;
	uint32_t there[64] = {};
	unsigned int umem, release, provider;

	CHECK(hooks_nr <= 64);
	umem = hook_of("umem", 0);
	release = hook_of("umem_release", 0);
	provider = hook_of("provider", 0);
	hook_names_collect(&names);
	tree_from("doctor/plain");
	tree_put("proc/kallsyms",
		 "0000000000000000 T pin_user_pages_fast\n"
		 "0000000000000000 t ib_umem_get_peer\t[ib_core]\n"
		 "0000000000000000 T ib_umem_get\t[ib_uverbs]\n"
		 "0000000000000000 T ib_umem_release\t[ib_uverbs]\n"
		 "short\n\n"
		 "0000000000000000 t mlx4_ib_reg_user_mr\t[mlx4_ib]");
	CHECK(hook_names_there(&names, &source, there));
	CHECK_NUMBER(there[hook_of("pin", 0)], 0);
	CHECK_NUMBER(there[hook_of("pin_fast", 0)], 1);
	CHECK_NUMBER(there[umem], 2);
	CHECK_NUMBER(there[release], 1);
	CHECK_NUMBER(there[hook_of("umem_release", release + 1)], 1);
	CHECK_NUMBER(there[provider], 2);
	source.root = "/nonexistent";
	CHECK(!hook_names_there(&names, &source, there));
}
