// SPDX-License-Identifier: GPL-2.0
/* The console scan: splats, panics, whose they are, and hostile bytes. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "console.h"
#include "unit.h"

static struct patterns deny, allow;
static struct console console;

static void load(const char *allowed)
{
	char *path = text_format("%s/console-deny", unit_vm), *error;

	error = patterns_load_deny(&deny, path);
	if (error)
		unit_fail(__FILE__, __LINE__, "%s", error);
	free(path);
	if (allowed) {
		unit_write("allow", allowed, strlen(allowed));
		path = unit_path("allow");
		error = patterns_load_allow(&allow, path, "7.3.4");
		if (error)
			unit_fail(__FILE__, __LINE__, "%s", error);
		free(path);
	}
	console_init(&console, &deny, &allow);
}

static void scan_bytes(const char *bytes, size_t len, const char *allowed)
{
	load(allowed);
	console_feed(&console, bytes, len);
	console_end(&console);
}

static void scan(const char *bytes)
{
	scan_bytes(bytes, strlen(bytes), NULL);
}

#define WARNING								\
	"[    7.887626] ------------[ cut here ]------------\n"		\
	"[    7.887727] WARNING: splat.c:8 at deep.isra.0+0x25/0x130 [splat], CPU#1: insmod/130\n" \
	"[    7.894723] CPU: 1 UID: 0 PID: 130 Comm: insmod\n"		\
	"[    7.896203] RIP: 0010:deep.isra.0+0x25/0x130 [splat]\n"	\
	"[    7.908592] Call Trace:\n"					\
	"[    7.913957]  <TASK>\n"					\
	"[    7.914501]  ? __pfx_init_module+0x10/0x10 [splat]\n"	\
	"[    7.914751]  splat_init+0xe/0xff0 [splat]\n"		\
	"[    7.914921]  do_one_initcall+0x57/0x310\n"			\
	"[    7.915245]  do_init_module+0x60/0x250\n"			\
	"[    7.915381]  init_module_from_file+0xd6/0x130\n"		\
	"[    7.915533]  idempotent_init_module+0x114/0x310\n"		\
	"[    7.916972] RIP: 0033:0x4cefc9\n"				\
	"[    7.928098]  </TASK>\n"					\
	"[    7.928278] ---[ end trace 0000000000000000 ]---\n"

TEST(console_clean)
{
	scan("[    0.000000] Linux version 7.3.4+deb13-amd64\n"
	     "[    0.1] a warning: of sorts\n"
	     "[    0.200000] x86/mm: no BUG: here\n"
	     "[    1.000000] Spectre V2 : WARNING: eIBRS\n");
	CHECK_NUMBER(console.count, 0);
	CHECK(console.kernel_seen);
	CHECK(!console.panic);
}

TEST(console_warning)
{
	scan("[    1.000000] pinprobe: test first\n"
	     "[    2.000000] pinprobe: test module\n" WARNING
	     "[    9.000000] all is well again\n");
	CHECK_NUMBER(console.count, 1);
	CHECK_NUMBER(console_unexcused(&console), 1);
	CHECK_STRING(console.splats[0].test, "module");
	CHECK_STRING(console.splats[0].fingerprint.s,
		     "deep<splat_init<do_one_initcall<do_init_module<init_module_from_file");
	CHECK(!strstr(console.splats[0].lines.s, "all is well"));
}

TEST(console_two_warnings)
{
	scan(WARNING WARNING);
	CHECK_NUMBER(console.count, 2);
	CHECK(!console.splats[0].test);
}

TEST(console_printk_caller_and_crlf)
{
	scan("[    1.000000][    T1] pinprobe: test one\r\n"
	     "[    2.000000][   C0] BUG: sleeping function called from invalid context at mm/x.c:1\r\n"
	     "[    2.000001][  T12] Call Trace:\r\n"
	     "[    2.000002][  T12]  ___might_sleep+0x1/0x2\r\n");
	CHECK_NUMBER(console.count, 1);
	CHECK_STRING(console.splats[0].test, "one");
	CHECK_STRING(console.splats[0].fingerprint.s, "___might_sleep");
}

TEST(console_no_stamps)
{
	scan("BUG: unable to handle page fault\n"
	     "Oops: Oops: 0002 [#1] SMP\n"
	     "Call Trace:\n"
	     " f+0x1/0x2\n");
	CHECK_NUMBER(console.count, 1);
}

/* User output without a newline in front of the kernel's line */
TEST(console_arm64)
{
	scan("[    1.000000] Unable to handle kernel NULL pointer dereference at virtual address 0\n"
	     "[    1.000000] Internal error: Oops: 96000004 [#1] SMP\n"
	     "[    1.000000] pc : deep+0x24/0x100 [splat]\n"
	     "[    1.000000] lr : outer+0x10/0x20\n"
	     "[    1.000000] Call trace:\n"
	     "[    1.000000]  deep+0x24/0x100 [splat] (P)\n"
	     "[    1.000000]  outer+0x10/0x20\n"
	     "[    1.000000] ---[ end trace 0000000000000000 ]---\n");
	CHECK_NUMBER(console.count, 1);
	CHECK_STRING(console.splats[0].fingerprint.s, "deep<outer");
}

TEST(console_after_user_output)
{
	scan("progress: 50%[    7.100000] WARNING: mm/gup.c:1 at f+0x1/0x2\n");
	CHECK_NUMBER(console.count, 1);
	scan("hello[    7.100000] Kernel panic - not syncing: x\n");
	CHECK(console.panic);
	CHECK_STRING(console.panic->title, "Kernel panic - not syncing: x");
	scan("hello Kernel panic - not syncing: y\n");
	CHECK(console.panic);
}

TEST(console_bare_stack)
{
	scan("[    1.000000] CPU: 0 Comm: x\n"
	     "[    1.000000] Call Trace:\n"
	     "[    1.000000]  dump_stack_lvl+0x5d/0x80\n"
	     "[    1.000000]  culprit+0x1/0x2\n");
	CHECK_NUMBER(console.count, 1);
	CHECK_STRING(console.splats[0].fingerprint.s, "culprit");
}

TEST(console_panic)
{
	scan("[    2.000000] pinprobe: test module\n"
	     "[    3.000000] Kernel panic - not syncing: sysrq triggered crash\n"
	     "[    3.000001] Call Trace:\n"
	     "[    3.000002]  <TASK>\n"
	     "[    3.000003]  vpanic+0x166/0x360\n"
	     "[    3.000004]  sysrq_handle_crash+0x1a/0x20\n"
	     "[    3.000005]  </TASK>\n"
	     "[    3.000006] ---[ end Kernel panic - not syncing: sysrq triggered crash ]---\n");
	CHECK(console.panic);
	CHECK_STRING(console.panic->test, "module");
	CHECK_STRING(console.panic->fingerprint.s, "sysrq_handle_crash");
	CHECK_NUMBER(console.count, 0);
}

TEST(console_oops_then_panic)
{
	scan("[    3.000000] BUG: kernel NULL pointer dereference, address: 0\n"
	     "[    3.000000] RIP: 0010:deep+0x1/0x2\n"
	     "[    3.000001] Call Trace:\n"
	     "[    3.000004]  outer+0x1a/0x20\n"
	     "[    3.000006] ---[ end trace 0 ]---\n"
	     "[    3.000007] Kernel panic - not syncing: Fatal exception\n");
	CHECK(console.panic);
	CHECK_STRING(console.panic->fingerprint.s, "deep<outer");
}

/* The last line may have been cut off. */
TEST(console_truncated)
{
	scan("[    3.000000] Kernel panic - not syncing: Att");
	CHECK(console.panic);
	scan("[    3.000000] WARNING: mm/gup.c:1");
	CHECK_NUMBER(console.count, 1);
}

TEST(console_every_split)
{
	static const char log[] = "[    1.000000] pinprobe: test one\n" WARNING
		"[    3.000000] Kernel panic - not syncing: x\n";
	size_t split;

	for (split = 1; split < sizeof(log) - 1; split++) {
		load(NULL);
		console_feed(&console, log, split);
		console_feed(&console, log + split, sizeof(log) - 1 - split);
		console_end(&console);
		CHECK_NUMBER(console.count, 1);
		CHECK(console.panic);
		console_free(&console);
		patterns_free(&deny);
	}
}

TEST(console_rubbish)
{
	char bytes[20000], *p;
	unsigned int seed = 1;
	size_t i;

	for (i = 0; i < sizeof(bytes); i++) {
		seed = seed * 1103515245 + 12345;
		bytes[i] = seed >> 16;
	}
	p = bytes + sizeof(bytes) - 300;
	memset(p, 0, 200);
	memcpy(p + 100, "\n[    1.000000] WARNING: x\n", 26);
	scan_bytes(bytes, sizeof(bytes), NULL);
	CHECK_NUMBER(console.count, 1);
	CHECK(!console.panic);
}

/* NUL bytes do not end a line early. */
TEST(console_nul_before_panic)
{
	static const char log[] = "a\0b\0[    1.000000] Kernel panic - not syncing: x\n";

	scan_bytes(log, sizeof(log) - 1, NULL);
	CHECK(console.panic);
}

TEST(console_long_line)
{
	static const char panic[] = "Kernel panic - not syncing: x";
	size_t len = 3 * CONSOLE_LINE_MAX, at;
	char *line = text_alloc(len + 1);

	/* wherever it lies against the pieces a long line is cut into */
	for (at = CONSOLE_LINE_MAX - 400; at < CONSOLE_LINE_MAX + 400; at += 7) {
		memset(line, 'x', len);
		line[len] = '\n';
		memcpy(line + at, panic, strlen(panic));
		scan_bytes(line, len + 1, NULL);
		CHECK(console.panic);
		console_free(&console);
		patterns_free(&deny);
	}
}

TEST(console_long_line_counts_once)
{
	static const char bug[] = "Call Trace:";
	size_t len = 3 * CONSOLE_LINE_MAX, at;
	char *line = text_alloc(len + 1);

	for (at = CONSOLE_LINE_MAX - 400; at < CONSOLE_LINE_MAX + 100; at += 7) {
		memset(line, 'x', len);
		line[len] = '\n';
		memcpy(line + at, bug, strlen(bug));
		scan_bytes(line, len + 1, NULL);
		CHECK_NUMBER(console.count, 1);
		console_free(&console);
		patterns_free(&deny);
	}
}

static long max_rss_kb(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* 100 MB of console, half of it splats */
TEST(console_hundred_megabytes)
{
	static const char line[] = "[    1.000000] x86/fpu: Supporting XSAVE feature 0x001: 'x87 floating point registers'\n";
	size_t fed = 0, i;
	long before;

	load(NULL);
	before = max_rss_kb();
	while (fed < 100000000) {
		for (i = 0; i < 100; i++)
			console_feed(&console, line, sizeof(line) - 1);
		console_feed(&console, WARNING, sizeof(WARNING) - 1);
		fed += 100 * (sizeof(line) - 1) + sizeof(WARNING) - 1;
	}
	console_end(&console);
	CHECK_NUMBER(console.count, CONSOLE_SPLATS_MAX);
	CHECK(console.dropped > 1000);
	CHECK_NUMBER(console_unexcused(&console),
		     console.count + console.dropped);
	/* sanitizers keep what was freed for a while */
#ifndef __SANITIZE_ADDRESS__
	CHECK(max_rss_kb() - before < 20000);
#endif
	(void)before;
}

TEST(console_allowed)
{
	scan_bytes(WARNING, sizeof(WARNING) - 1,
		   "7.*\t^WARNING: splat\\.c:[0-9]+ at deep\tmade on purpose\n");
	CHECK_NUMBER(console.count, 1);
	CHECK_NUMBER(console_unexcused(&console), 0);
	CHECK_STRING(console.splats[0].reason, "made on purpose");
}

TEST(console_allowed_on_other_kernels)
{
	scan_bytes(WARNING, sizeof(WARNING) - 1,
		   "6.1.*\t^WARNING: splat\tmade on purpose\n");
	CHECK_NUMBER(console_unexcused(&console), 1);
}

TEST(console_allowed_by_its_stack)
{
	scan_bytes(WARNING, sizeof(WARNING) - 1,
		   "*\t^deep<splat_init<\tmade on purpose\n");
	CHECK_NUMBER(console_unexcused(&console), 0);
}

/* An excuse for one heading does not cover another one beside it. */
TEST(console_allowed_in_part)
{
	static const char log[] =
		"[    1.000000] WARNING: known at f+0x1/0x2\n"
		"[    1.000000] BUG: unknown\n"
		"[    1.000000] Call Trace:\n"
		"[    1.000000]  f+0x1/0x2\n";

	scan_bytes(log, sizeof(log) - 1, "*\t^WARNING: known\tit is known\n");
	CHECK_NUMBER(console_unexcused(&console), 1);
}

/* Nor the next splat, if the excused one had no end. */
TEST(console_allowed_then_another)
{
	static const char log[] =
		"[    1.000000] WARNING: known at f+0x1/0x2\n"
		"[    1.000000] Call Trace:\n"
		"[    1.000000]  f+0x1/0x2\n"
		"[    1.000000] BUG: unknown\n";

	scan_bytes(log, sizeof(log) - 1, "*\t^WARNING: known\tit is known\n");
	CHECK_NUMBER(console.count, 2);
	CHECK_NUMBER(console_unexcused(&console), 1);
}

TEST(console_panic_is_never_allowed)
{
	static const char log[] = "[    1.000000] Kernel panic - not syncing: x\n";

	scan_bytes(log, sizeof(log) - 1, "*\t.*\teverything\n");
	CHECK(console.panic);
}

TEST(console_marker_of_the_end)
{
	scan("[    1.000000] pinprobe: test one\n"
	     "[    2.000000] pinprobe: end of tests\n" WARNING);
	CHECK_STRING(console.splats[0].test, "shutdown");
}

/* A test's name that reads like a panic is a name. */
TEST(console_panic_in_a_marker)
{
	scan("[    1.000000] pinprobe: test Kernel panic - not syncing\n");
	CHECK(!console.panic);
}
