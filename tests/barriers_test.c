// SPDX-License-Identifier: GPL-2.0
/* What is said to be missing where the kernel refuses BPF programs. */
#include "doctor_run.h"
#include "../tools/barriers.c"
#include "../tools/source.c"

static struct text why;

/* A tree in which nothing is missing. */
static struct source whole(void)
{
	static struct source source;

	tree_from("doctor/plain");
	tree_put("proc/self/status", "Name:\tx\nCapEff:\t000001ffffffffff\n");
	tree_put("proc/self/uid_map", "         0          0 4294967295\n");
	tree_put("sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	tree_put("proc/sys/kernel/osrelease", "6.1.0-37-amd64\n");
	source.root = text_format("%s/tree", unit_scratch);
	text_clear(&why);
	return source;
}

TEST(barriers_none)
{
	struct source source = whole();

	CHECK(!barriers_find(&source, &why));
	CHECK_NUMBER(why.len, 0);
	tree_put("sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	CHECK(!barriers_find(&source, &why));
}

/* CAP_PERFMON is 38, CAP_BPF 39, CAP_SYS_ADMIN 21. */
TEST(barriers_capabilities)
{
	struct source source = whole();

	tree_put("proc/self/status", "CapEff:\t0000000000000000\n");
	CHECK(barriers_certain(&source, &why));
	text_clear(&why);
	CHECK(barriers_find(&source, &why));
	CHECK_STRING(why.s, "this process lacks CAP_BPF and CAP_PERFMON: run it as root, or give it both, CAP_SYSLOG and CAP_SYS_ADMIN\n");
	text_clear(&why);
	tree_put("proc/self/status", "CapEff:\t0000008000000000\n");
	CHECK(barriers_find(&source, &why));
	CHECK(text_starts(why.s, "this process lacks CAP_PERFMON:"));
	text_clear(&why);
	tree_put("proc/self/status", "CapEff:\t0000004000000000\n");
	CHECK(barriers_find(&source, &why));
	CHECK(text_starts(why.s, "this process lacks CAP_BPF:"));
	text_clear(&why);
	tree_put("proc/self/status", "CapEff:\t000000c000000000\n");
	CHECK(!barriers_find(&source, &why));
	tree_put("proc/self/status", "CapEff:\t0000000000200000\n");
	CHECK(!barriers_find(&source, &why));
}

TEST(barriers_partial_without_root)
{
	struct source source = whole();

	barriers_partial(&source, &why);
	CHECK_NUMBER(why.len, 0);
	tree_put("proc/self/status", "CapEff:\t000000c400000000\n");
	barriers_partial(&source, &why);
	CHECK(text_starts(why.s, "without CAP_SYS_ADMIN the BTF of modules"));
	CHECK(!strstr(why.s, "CAP_SYSLOG"));
	text_clear(&why);
	tree_put("proc/self/status", "CapEff:\t000000c000200000\n");
	barriers_partial(&source, &why);
	CHECK(text_starts(why.s, "without CAP_SYSLOG"));
}

/* All capabilities, of a namespace in which they are worth nothing here. */
TEST(barriers_user_namespace)
{
	struct source source = whole();

	tree_put("proc/self/uid_map", "         0       1000          1\n");
	CHECK(barriers_certain(&source, &why));
	text_clear(&why);
	CHECK(barriers_find(&source, &why));
	CHECK(text_starts(why.s, "this is a user namespace"));
}

TEST(barriers_lockdown)
{
	struct source source = whole();

	tree_put("sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	CHECK(barriers_certain(&source, &why));
	text_clear(&why);
	CHECK(barriers_find(&source, &why));
	CHECK(text_starts(why.s, "the kernel is locked down (/sys/kernel/security/lockdown: confidentiality)"));
}

TEST(barriers_old_kernel)
{
	struct source source = whole();

	tree_put("proc/sys/kernel/osrelease", "5.15.0-100-generic\n");
	CHECK(!barriers_certain(&source, &why));
	CHECK_NUMBER(why.len, 0);
	CHECK(barriers_find(&source, &why));
	CHECK_STRING(why.s, "Linux 5.15.0-100-generic is older than 6.1, from which on it works\n");
}

TEST(barriers_pid_namespace)
{
	struct source source = whole();

	CHECK(barriers_first_pids(&source));
	tree_link("proc/self/ns/pid", "pid:[4026531836]");
	CHECK(barriers_first_pids(&source));
	source = whole();
	tree_link("proc/self/ns/pid", "pid:[4026532299]");
	CHECK(!barriers_first_pids(&source));
}
