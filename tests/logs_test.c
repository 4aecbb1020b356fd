// SPDX-License-Identifier: GPL-2.0
/*
 * Logs of real guests that went wrong in a known way: each must come to its
 * own outcome, and none that is not whole and clean may read as a pass.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "outcome.h"
#include "run.h"
#include "unit.h"

struct log {
	const char *folder;
	enum ended ended;
	int exit_code;
	enum outcome outcome;
	struct counts counts;
	const char *failed;	/* a result that must be among the failed ones */
	const char *says;	/* part of the diagnosis */
	const char *allow;	/* allow list */
	const char *kernel;	/* NULL: 7.3.4 with the cma profile */
	bool passthrough;
};

static const struct log logs[] = {
	{ .folder = "pass", .counts = { 10, 0, 0 } },
	{ .folder = "xfail", .counts = { 10, 0, 0 } },
	{ .folder = "skip_expected", .counts = { 9, 0, 1 } },
	/* "Kernel panic" in what a test prints is no panic */
	{ .folder = "panic_text", .counts = { 10, 0, 0 } },
	{ .folder = "rubbish", .counts = { 10, 0, 0 } },
	{ .folder = "flood", .counts = { 10, 0, 0 } },
	{ .folder = "command_ok", .passthrough = true, .counts = { 1, 0, 0 } },
	{ .folder = "warn_allowed", .counts = { 10, 0, 0 },
	  .allow = "7.3.*\t^WARNING: splat\\.c:\tmade on purpose\n" },

	{ .folder = "fail", .exit_code = 1, .outcome = OUTCOME_FAILED,
	  .counts = { 9, 1, 0 }, .failed = "demo.page.large.moves" },
	{ .folder = "xpass", .exit_code = 1, .outcome = OUTCOME_FAILED,
	  .counts = { 9, 1, 0 }, .failed = "demo.page.large.known" },
	{ .folder = "segv", .exit_code = 1, .outcome = OUTCOME_FAILED,
	  .counts = { 9, 1, 0 }, .failed = "demo.global.crash" },
	{ .folder = "program_crash", .exit_code = 1, .outcome = OUTCOME_FAILED,
	  .counts = { 12, 1, 0 }, .failed = "demo.completed",
	  .says = "1 results where 9 were planned" },
	{ .folder = "plan_short", .exit_code = 1, .outcome = OUTCOME_FAILED,
	  .counts = { 9, 1, 0 }, .failed = "demo.completed" },
	{ .folder = "skip_no_reason", .exit_code = 1,
	  .outcome = OUTCOME_FAILED, .counts = { 9, 1, 0 },
	  .failed = "demo.global.skips" },
	{ .folder = "skip_expected", .exit_code = 1,
	  .outcome = OUTCOME_FAILED, .counts = { 9, 1, 0 },
	  .failed = "demo.global.skips", .kernel = "other",
	  .says = "it is not expected here" },
	{ .folder = "duplicate", .exit_code = 1, .outcome = OUTCOME_FAILED,
	  .counts = { 10, 10, 0 }, .failed = "demo.global.last.duplicate_2" },
	{ .folder = "bad_record", .exit_code = 1, .outcome = OUTCOME_FAILED,
	  .counts = { 10, 1, 0 }, .failed = "demo.records" },
	{ .folder = "leak", .exit_code = 1, .outcome = OUTCOME_FAILED,
	  .counts = { 10, 1, 0 }, .failed = "other.pins_balanced" },
	{ .folder = "no_tests", .exit_code = 1, .outcome = OUTCOME_FAILED,
	  .counts = { 0, 1, 0 }, .failed = "guest.end",
	  .says = "no test ran" },
	{ .folder = "pass", .ended = ENDED_FLOOD, .exit_code = 1,
	  .outcome = OUTCOME_FAILED, .counts = { 10, 1, 0 },
	  .failed = "guest.end" },
	{ .folder = "command_fails", .passthrough = true, .exit_code = 7,
	  .outcome = OUTCOME_FAILED, .counts = { 0, 1, 0 },
	  .failed = "command.exit_code" },

	{ .folder = "warn", .exit_code = 3, .outcome = OUTCOME_SPLAT,
	  .counts = { 20, 1, 0 }, .failed = "module.console_clean",
	  .says = "4 kernel splats, first in module: WARNING: splat.c:8" },
	{ .folder = "warn_allowed", .exit_code = 3, .outcome = OUTCOME_SPLAT,
	  .counts = { 10, 1, 0 }, .failed = "module.console_clean" },
	{ .folder = "warn_allowed", .exit_code = 3, .outcome = OUTCOME_SPLAT,
	  .counts = { 10, 1, 0 }, .failed = "module.console_clean",
	  .allow = "6.12.*\t^WARNING: splat\\.c:\tmade on purpose\n" },
	{ .folder = "oops", .exit_code = 3, .outcome = OUTCOME_SPLAT,
	  .counts = { 10, 1, 0 }, .failed = "module.console_clean",
	  .says = "deep<splat_init<do_one_initcall<do_init_module<init_module_from_file" },
	{ .folder = "warn_6_12", .exit_code = 3, .outcome = OUTCOME_SPLAT,
	  .counts = { 20, 1, 0 }, .failed = "module.console_clean",
	  .kernel = "6.12", .says = "deep<splat_init<" },
	/* a failed test weighs more than the splat */
	{ .folder = "bug_6_12", .exit_code = 1, .outcome = OUTCOME_FAILED,
	  .counts = { 1, 2, 0 }, .failed = "module.console_clean",
	  .kernel = "6.12" },

	{ .folder = "all_skipped", .exit_code = 4, .outcome = OUTCOME_SKIPPED,
	  .counts = { 2, 0, 2 } },

	{ .folder = "panic_in_test", .exit_code = 5, .outcome = OUTCOME_PANIC,
	  .counts = { 11, 2, 0 }, .failed = "demo.global.crash",
	  .says = "(in demo) at sysrq_handle_crash<" },
	{ .folder = "panic_module", .exit_code = 5, .outcome = OUTCOME_PANIC,
	  .counts = { 0, 2, 0 }, .failed = "module.completed",
	  .says = "Kernel panic - not syncing: pinprobe: deliberate panic" },
	{ .folder = "init_dies", .exit_code = 5, .outcome = OUTCOME_PANIC,
	  .counts = { 10, 1, 0 }, .failed = "guest.end",
	  .says = "Attempted to kill init" },

	{ .folder = "hang", .ended = ENDED_TEST_DEADLINE, .exit_code = 124,
	  .outcome = OUTCOME_TIMEOUT, .counts = { 11, 2, 0 },
	  .failed = "demo.global.crash", .says = "hung in demo" },
	{ .folder = "kernel_hang", .ended = ENDED_TEST_DEADLINE,
	  .exit_code = 124, .outcome = OUTCOME_TIMEOUT,
	  .counts = { 10, 2, 0 }, .failed = "module.completed" },
	{ .folder = "hang", .ended = ENDED_TOTAL_DEADLINE, .exit_code = 124,
	  .outcome = OUTCOME_TIMEOUT, .counts = { 11, 2, 0 },
	  .failed = "demo.global.crash" },
	{ .folder = "late", .exit_code = 124, .outcome = OUTCOME_TIMEOUT,
	  .counts = { 21, 2, 0 }, .failed = "slow.completed",
	  .says = "slow did not end within its deadline" },
	{ .folder = "pass", .ended = ENDED_POWEROFF_DEADLINE, .exit_code = 124,
	  .outcome = OUTCOME_TIMEOUT, .counts = { 10, 1, 0 },
	  .failed = "guest.end" },

	{ .folder = "hang_boot", .ended = ENDED_BOOT_DEADLINE,
	  .exit_code = 125, .outcome = OUTCOME_CANNOT,
	  .counts = { 0, 1, 0 }, .failed = "guest.end" },
	{ .folder = "panic_boot", .exit_code = 125, .outcome = OUTCOME_CANNOT,
	  .counts = { 0, 1, 0 }, .says = "panicked while it booted" },
	{ .folder = "early_poweroff_boot", .exit_code = 125,
	  .outcome = OUTCOME_CANNOT, .counts = { 0, 1, 0 },
	  .says = "ended before its init reported anything" },
	{ .folder = "abort", .exit_code = 125, .outcome = OUTCOME_CANNOT,
	  .counts = { 0, 1, 0 }, .says = "rxe: no device rxe0" },
	/* the right guest for another profile: what ran does not count */
	{ .folder = "pass", .exit_code = 125, .outcome = OUTCOME_CANNOT,
	  .counts = { 0, 1, 0 }, .kernel = "cma=512M",
	  .says = "profile cma: wanted cma_total_kb=524288, got 131072" },
	{ .folder = "pass", .exit_code = 125, .outcome = OUTCOME_CANNOT,
	  .counts = { 0, 1, 0 }, .kernel = "6.12",
	  .says = "wanted release=6.12.118+deb13-amd64, got 7.3.4" },

	{ .folder = "early_poweroff", .exit_code = 126,
	  .outcome = OUTCOME_LOST, .counts = { 13, 2, 0 },
	  .failed = "demo.completed", .says = "in demo" },
	{ .folder = "no_end_marker", .exit_code = 126, .outcome = OUTCOME_LOST,
	  .counts = { 10, 1, 0 }, .failed = "guest.end" },
	{ .folder = "command_ok", .exit_code = 1, .outcome = OUTCOME_FAILED,
	  .counts = { 0, 1, 0 }, .failed = "guest.end" },
	{ .folder = "pass", .passthrough = true, .exit_code = 126,
	  .outcome = OUTCOME_LOST, .counts = { 10, 1, 0 },
	  .says = "did not report the command's exit code" },
	{ .folder = "pass", .ended = ENDED_PANIC, .exit_code = 126,
	  .outcome = OUTCOME_LOST, .counts = { 10, 1, 0 } },
	{ .folder = "pass", .ended = ENDED_SIGNAL, .exit_code = 130,
	  .outcome = OUTCOME_INTERRUPTED, .counts = { 10, 1, 0 },
	  .failed = "guest.end" },
};

static struct options options;

static void options_of(const struct log *l)
{
	memset(&options, 0, sizeof(options));
	options.cpus = 2;
	options.boot_timeout = 60;
	options.test_timeout = 120;
	options.total_timeout = 1800;
	options.passthrough = l->passthrough;
	options.kernel_name = "debian-7.3";
	options.kernel_release = "7.3.4+deb13-amd64";
	options.profile = "cma";
	options.expect = "cma_total_kb>=65536";
	if (l->kernel && !strcmp(l->kernel, "6.12")) {
		options.kernel_name = "debian-6.12";
		options.kernel_release = "6.12.118+deb13-amd64";
		options.profile = "none";
		options.expect = "cma_total_kb=0";
	} else if (l->kernel && !strcmp(l->kernel, "other")) {
		options.kernel_name = "other";
	} else if (l->kernel) {
		options.expect = "cma_total_kb=524288 cma_blocks>=256";
	}
}

static void lists_of(const struct log *l)
{
	static const char skips[] =
		"debian-* cma demo.global.skips no-cma\n"
		"debian-7.3 * one no-rxe\n"
		"debian-7.3 * two no-rxe\n";

	options.deny = text_format("%s/console-deny", unit_vm);
	unit_write("skips", skips, sizeof(skips) - 1);
	options.skips = unit_path("skips");
	if (l->allow) {
		unit_write("allow", l->allow, strlen(l->allow));
		options.allow = unit_path("allow");
	}
}

struct bytes {
	const char *s;
	size_t len;
};

static struct bytes log_read(const char *folder, const char *name)
{
	char *path = text_format("%s/data/guests/%s/%s", unit_tests, folder, name);
	struct bytes b;

	b.s = unit_read(path, &b.len);
	free(path);
	return b;
}

static void on_facts(void *ctx)
{
	run_check_guest(ctx);
}

static const struct channel_ops ops = { .facts = on_facts };

static void judge(struct run *r, enum ended how, struct bytes console,
		  struct bytes channel)
{
	char *error = run_init(r, &options, &ops, r);

	if (error)
		unit_fail(__FILE__, __LINE__, "%s", error);
	r->ended = how;
	r->signal = how == ENDED_SIGNAL ? 2 : 0;
	console_feed(&r->console, console.s, console.len);
	channel_feed(&r->channel, channel.s, channel.len);
	run_end(r);
}

static bool has_failed(const struct run *r, const char *name)
{
	const struct results *all = &r->channel.results;
	size_t i;

	for (i = 0; i < all->count; i++)
		if (!strcmp(all->all[i].name, name))
			return all->all[i].status == STATUS_FAILED;
	return false;
}

static void check_log(const struct log *l)
{
	struct counts n;
	struct run r;

	printf("# %s\n", l->folder);
	options_of(l);
	lists_of(l);
	judge(&r, l->ended, log_read(l->folder, "console.log"),
	      log_read(l->folder, "channel.log"));
	results_count(&r.channel.results, &n);
	printf("# %s %d: %s\n", outcome_name(r.verdict.outcome),
	       r.verdict.exit_code, r.verdict.diagnosis);
	CHECK_NUMBER(r.verdict.exit_code, l->exit_code);
	CHECK_NUMBER(r.verdict.outcome, l->outcome);
	CHECK_NUMBER(n.passed, l->counts.passed);
	CHECK_NUMBER(n.failed, l->counts.failed);
	CHECK_NUMBER(n.skipped, l->counts.skipped);
	if (l->failed && !has_failed(&r, l->failed))
		unit_fail(__FILE__, __LINE__, "%s: %s has not failed",
			  l->folder, l->failed);
	if (l->says && !strstr(r.verdict.diagnosis, l->says))
		unit_fail(__FILE__, __LINE__, "%s: \"%s\" has no \"%s\"",
			  l->folder, r.verdict.diagnosis, l->says);
	/* A reader of the reports alone must not take it for a pass. */
	if (l->outcome != OUTCOME_PASSED && l->outcome != OUTCOME_SKIPPED)
		CHECK(n.failed);
	run_free(&r);
}

TEST(logs_come_to_their_outcome)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(logs); i++)
		check_log(&logs[i]);
}

/* However much of a good run's channel has come: less than all is no pass. */
TEST(logs_truncated_never_pass)
{
	const struct log *l = &logs[0];
	struct bytes console, channel;
	size_t whole;
	struct run r;

	options_of(l);
	lists_of(l);
	console = log_read(l->folder, "console.log");
	channel = log_read(l->folder, "channel.log");
	whole = channel.len;
	for (channel.len = 0; channel.len <= whole; channel.len++) {
		judge(&r, ENDED_SELF, console, channel);
		CHECK((r.verdict.outcome == OUTCOME_PASSED) ==
		      (channel.len == whole));
		CHECK((r.verdict.exit_code == 0) == (channel.len == whole));
		run_free(&r);
	}
}

/* No way of ending the guest early makes a good log a pass. */
TEST(logs_ended_early_never_pass)
{
	const struct log *l = &logs[0];
	struct bytes console, channel;
	struct run r;
	int ended;

	options_of(l);
	lists_of(l);
	console = log_read(l->folder, "console.log");
	channel = log_read(l->folder, "channel.log");
	for (ended = ENDED_SELF + 1; ended < ENDED_COUNT; ended++) {
		judge(&r, ended, console, channel);
		CHECK(r.verdict.outcome > OUTCOME_SPLAT);
		CHECK(r.verdict.exit_code);
		run_free(&r);
	}
}

/* A good run but for one line: a guest that cannot keep to the protocol. */
TEST(logs_protocol_fault)
{
	static const char fault[] = "@dune\n";
	struct bytes console, channel;
	struct text with = { 0 };
	struct run r;

	options_of(&logs[0]);
	lists_of(&logs[0]);
	console = log_read("pass", "console.log");
	channel = log_read("pass", "channel.log");
	text_add(&with, channel.s, channel.len - strlen("@done\n"));
	text_puts(&with, fault);
	text_puts(&with, "@done\n");
	channel.s = with.s;
	channel.len = with.len;
	judge(&r, ENDED_SELF, console, channel);
	CHECK_NUMBER(r.verdict.exit_code, 1);
	CHECK(has_failed(&r, "guest.protocol"));
	run_free(&r);
}

/* Fewer CPUs than asked for: what ran there does not count. */
TEST(logs_cpus_are_asserted)
{
	struct run r;

	options_of(&logs[0]);
	lists_of(&logs[0]);
	options.cpus = 4;
	judge(&r, ENDED_SELF, log_read("pass", "console.log"),
	      log_read("pass", "channel.log"));
	CHECK_NUMBER(r.verdict.exit_code, 125);
	CHECK_STRING(r.verdict.diagnosis,
		     "profile cma: wanted cpus=4, got 2: the guest did not bring all its CPUs up");
	run_free(&r);
}

TEST(logs_silence)
{
	struct bytes none = { "", 0 };
	struct run r;

	options_of(&logs[0]);
	lists_of(&logs[0]);
	judge(&r, ENDED_SELF, none, none);
	CHECK_NUMBER(r.verdict.exit_code, 125);
	run_free(&r);
	judge(&r, ENDED_BOOT_DEADLINE, none, none);
	CHECK_NUMBER(r.verdict.exit_code, 125);
	CHECK_STRING(r.verdict.diagnosis,
		     "the guest did not boot within 60 s; the console is empty");
	run_free(&r);
}

/* Everything at once: the worst counts, and the same one whatever the order. */
TEST(logs_worst_counts)
{
	struct bytes panic = log_read("panic_in_test", "console.log");
	struct bytes warn = log_read("warn", "console.log");
	struct bytes fail = log_read("fail", "channel.log");
	struct bytes hang = log_read("hang", "channel.log");
	struct run r;

	options_of(&logs[0]);
	lists_of(&logs[0]);
	judge(&r, ENDED_SELF, warn, fail);
	CHECK_NUMBER(r.verdict.exit_code, 1);
	run_free(&r);
	judge(&r, ENDED_SELF, panic, fail);
	CHECK_NUMBER(r.verdict.exit_code, 5);
	run_free(&r);
	judge(&r, ENDED_TEST_DEADLINE, panic, hang);
	CHECK_NUMBER(r.verdict.exit_code, 5);
	run_free(&r);
	judge(&r, ENDED_TEST_DEADLINE, warn, hang);
	CHECK_NUMBER(r.verdict.exit_code, 124);
	run_free(&r);
	judge(&r, ENDED_SIGNAL, panic, hang);
	CHECK_NUMBER(r.verdict.exit_code, 130);
	run_free(&r);
}
