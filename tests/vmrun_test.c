// SPDX-License-Identifier: GPL-2.0
/* The program vmrun itself, with a script in place of QEMU. */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libxml/parser.h>

#include "clock.h"
#include "ktap.h"
#include "unit.h"
#include "vmrun_cli.h"

TEST(vmrun_pass)
{
	CHECK_NUMBER(RUN("pass"), 0);
	CHECK(strstr(cli_out, "accelerator: tcg (asked for)\n"));
	CHECK(strstr(cli_out, "kernel 7.3.4 (stock) \xc2\xb7 tcg \xc2\xb7 profile cma: CmaTotal 512 MiB\n"));
	CHECK(strstr(cli_out, "again: vm/run --suite 'it'\n"));
	CHECK(strstr(cli_out, "run folder: "));
	CHECK_STRING(cli_last_line(cli_out), "1 passed, 0 failed, 0 skipped");
	CHECK_STRING(cli_err, "");
	CHECK_STRING(cli_result_string("outcome"), "passed");
	CHECK(!cli_fake_runs());
}

static void check_document(const char *path, struct counts *n)
{
	struct results results = { 0 };
	char *copy = unit_read(path, NULL), *line;
	struct ktap k;

	ktap_begin(&k, "again", &results, 0);
	while ((line = strsep(&copy, "\n")))
		if (copy)
			ktap_line(&k, line, 0);
	ktap_end(&k, 1, 0);
	results_count(&results, n);
}

/* What machines read is whole, and all say the same. */
TEST(vmrun_outputs)
{
	json_object *counts, *value;
	struct counts n;
	xmlDocPtr doc;
	xmlNodePtr suite;

	CHECK_NUMBER(RUN("panic"), 5);
	check_document(unit_path("run/results.ktap"), &n);
	CHECK_NUMBER(n.passed, 0);
	CHECK_NUMBER(n.failed, 2);
	CHECK(json_object_object_get_ex(cli_result(), "counts", &counts));
	CHECK(json_object_object_get_ex(counts, "failed", &value));
	CHECK_NUMBER(json_object_get_int(value), 2);
	doc = xmlReadFile(unit_path("run/results.xml"), NULL, 0);
	CHECK(doc);
	suite = xmlFirstElementChild(xmlDocGetRootElement(doc));
	CHECK_STRING((char *)suite->name, "testsuite");
	CHECK(!xmlNextElementSibling(suite));
	CHECK_STRING((char *)xmlGetProp(suite, BAD_CAST "failures"), "2");
	CHECK_STRING((char *)xmlGetProp(suite, BAD_CAST "name"), "debian-7.3");
	/* the first child holds the properties */
	CHECK_NUMBER(xmlChildElementCount(suite), 3);
	CHECK_STRING(cli_last_line(cli_out), "0 passed, 2 failed, 0 skipped");
}

TEST(vmrun_records)
{
	CHECK_NUMBER(RUN("pass"), 0);
	CHECK_STRING(unit_read(unit_path("run/records.jsonl"), NULL),
		     "{\"type\":\"page\",\"pfn\":\"0x1\"}\n");
}

TEST(vmrun_argv_can_be_typed)
{
	char *script;

	CHECK_NUMBER(RUN("pass", "--append", "a='b c' $d"), 0);
	script = unit_read(unit_path("run/qemu.argv"), NULL);
	CHECK(strstr(script, "-append 'console=ttyS0 panic=-1 a='\\''b c'\\'' $d'"));
	CHECK(strstr(script, "-accel tcg,thread=single"));
	CHECK(!strstr(script, "tsc_early_khz="));
	CHECK_NUMBER(RUN("pass", "--mttcg", "--cpu-clock"), 0);
	script = unit_read(unit_path("run/qemu.argv"), NULL);
	CHECK(strstr(script, "-accel tcg,thread=multi"));
#ifdef __x86_64__
	CHECK(strstr(script, " tsc_early_khz="));
#endif
	/* and does the same again */
	unlink(unit_path("run/channel.log"));
	script = text_format("sh %s", unit_path("run/qemu.argv"));
	CHECK_NUMBER(system(script), 0);
	CHECK(strstr(unit_read(unit_path("run/channel.log"), NULL), "@done\n"));
}

TEST(vmrun_quiet)
{
	CHECK_NUMBER(RUN("pass", "--quiet"), 0);
	CHECK_STRING(cli_out, "1 passed, 0 failed, 0 skipped\n");
}

TEST(vmrun_passthrough)
{
	setenv("FAKE_EXIT", "0", 1);
	CHECK_NUMBER(RUN("command", "--passthrough"), 0);
	CHECK_STRING(cli_out, "to stdout\n");
	CHECK(strstr(cli_err, "to stderr"));
	setenv("FAKE_EXIT", "7", 1);
	CHECK_NUMBER(RUN("command", "--passthrough", "--quiet"), 7);
	CHECK_STRING(cli_out, "to stdout\n");
	CHECK(strstr(cli_err, "the command ended with 7"));
}

TEST(vmrun_silent_boot)
{
	double start_time = clock_now();

	CHECK_NUMBER(RUN("silent", "--boot-timeout", "1", "--accel", "kvm"),
		     125);
	CHECK(strstr(cli_out, "did not boot within 1 s; QEMU said: KVM internal error. Suberror: 1\n"));
	CHECK(clock_now() - start_time < 4);
	CHECK(!cli_fake_runs());
}

/* Deadlines are given as for KVM. */
TEST(vmrun_deadlines_scale)
{
	double start_time = clock_now();

	CHECK_NUMBER(RUN("silent", "--boot-timeout", "1"), 125);
	CHECK(clock_now() - start_time >= 4);
	CHECK(strstr(cli_out, "did not boot within 4 s"));
	CHECK_NUMBER(RUN("silent", "--boot-timeout", "1", "--accel", "kvm",
			 "--slow", "2"), 125);
	CHECK(strstr(cli_out, "did not boot within 2 s"));
	CHECK_NUMBER(RUN("pass", "--slow", "0"), 2);
}

TEST(vmrun_hang_in_init)
{
	CHECK_NUMBER(RUN("hang_init", "--boot-timeout", "1", "--accel", "kvm"),
		     124);
	CHECK(!cli_fake_runs());
}

TEST(vmrun_hang_in_test)
{
	CHECK_NUMBER(RUN("hang", "--accel", "kvm"), 124);
	CHECK(strstr(cli_out, "FAILED prog.stuck: it did not end within its deadline"));
	CHECK_STRING(cli_last_line(cli_out), "1 passed, 2 failed, 0 skipped");
	CHECK(!cli_fake_runs());
}

TEST(vmrun_hang_between_tests)
{
	CHECK_NUMBER(RUN("hang_between", "--accel", "kvm", "--test-timeout",
			 "1"), 124);
	CHECK(!cli_fake_runs());
}

TEST(vmrun_total_deadline)
{
	CHECK_NUMBER(RUN("hang_between", "--accel", "kvm", "--total-timeout",
			 "1"), 124);
	CHECK(strstr(cli_out, "not done within 1 s in all"));
}

TEST(vmrun_no_power_off)
{
	CHECK_NUMBER(RUN("no_power_off", "--accel", "kvm"), 124);
	CHECK(strstr(cli_out, "did not power off"));
	CHECK(!cli_fake_runs());
}

TEST(vmrun_qemu_dies)
{
	CHECK_NUMBER(RUN("dies"), 126);
	CHECK(strstr(cli_out, "QEMU: signal 9"));
	CHECK(strstr(cli_out, "in prog"));
}

TEST(vmrun_no_end_marker)
{
	CHECK_NUMBER(RUN("no_done"), 126);
	CHECK(strstr(cli_out, "without the end marker"));
}

TEST(vmrun_qemu_refuses)
{
	CHECK_NUMBER(RUN("refuses"), 125);
	CHECK(strstr(cli_out, "qemu: could not open kernel file"));
}

TEST(vmrun_panic)
{
	double start_time = clock_now();

	CHECK_NUMBER(RUN("panic"), 5);
	CHECK(clock_now() - start_time < 10);
	CHECK(!cli_fake_runs());
}

TEST(vmrun_panic_after_the_end_marker)
{
	CHECK_NUMBER(RUN("late_panic"), 5);
}

TEST(vmrun_wrong_guest)
{
	double start_time = clock_now();

	CHECK_NUMBER(RUN("wrong_guest", "--expect", "cma_total_kb=1"), 125);
	CHECK(clock_now() - start_time < 10);
	CHECK(strstr(cli_out, "profile cma: wanted cma_total_kb=1, got 524288"));
	CHECK_STRING(cli_last_line(cli_out), "0 passed, 1 failed, 0 skipped");
	CHECK(!cli_fake_runs());
}

TEST(vmrun_abort)
{
	CHECK_NUMBER(RUN("abort"), 125);
	CHECK(strstr(cli_out, "the guest cannot do this: no rxe"));
	CHECK(!cli_fake_runs());
}

TEST(vmrun_flood)
{
	struct stat st;

	CHECK_NUMBER(RUN("flood"), 1);
	CHECK(strstr(cli_out, "the guest flooded the result channel"));
	CHECK(!cli_fake_runs());
	CHECK(!stat(unit_path("run/channel.log"), &st));
	CHECK(st.st_size < 1L << 30);
	CHECK(!stat(unit_path("out"), &st));
	CHECK(st.st_size < 1 << 20);
}

TEST(vmrun_console_flood)
{
	struct stat st;

	CHECK_NUMBER(RUN("console_flood"), 1);
	CHECK(strstr(cli_out, "the guest flooded its console"));
	CHECK(!cli_fake_runs());
	CHECK(!stat(unit_path("run/console.log"), &st));
	CHECK(st.st_size < 1L << 30);
}

/* Where nothing can be seen, no splat was seen either: not a pass. */
TEST(vmrun_mute_console)
{
	CHECK_NUMBER(RUN("mute_console"), 125);
	CHECK(strstr(cli_out, "the console shows no test's mark (0 bytes in all)"));
	CHECK_STRING(cli_last_line(cli_out), "1 passed, 1 failed, 0 skipped");
}

/* A chatty guest does not fill whatever the output goes to. */
TEST(vmrun_chatter)
{
	struct stat st;

	CHECK_NUMBER(RUN("chatter"), 0);
	CHECK(strstr(cli_out, "too much to print"));
	CHECK(!stat(unit_path("out"), &st));
	CHECK(st.st_size < 1 << 20);
}

/* Nobody reads what it writes, and it is to end. */
TEST(vmrun_stalled_output)
{
	char *out = unit_path("out");
	int fd, filled, room;
	pid_t pid;

	CHECK(!mkfifo(out, 0600));
	fd = open(out, O_RDWR | O_CLOEXEC);
	CHECK(fd >= 0);
	room = fcntl(fd, F_GETPIPE_SZ);
	pid = cli_start("babble", "--passthrough", NULL);
	do {
		usleep(20000);
		CHECK(!ioctl(fd, FIONREAD, &filled));
	} while (filled < room - 2 * PIPE_BUF);
	usleep(200000);
	kill(pid, SIGTERM);
	unlink(out);
	unit_write("out", "", 0);
	CHECK_NUMBER(cli_finish(pid), 143);
	CHECK(!cli_fake_runs());
	close(fd);
}

static void interrupt(int sig, int exit_code)
{
	pid_t pid = cli_start("hang", NULL), fake;
	double start_time;

	cli_wait_for("run/channel.log", "ok 1 works");
	/* Ctrl-C is for vmrun alone. */
	fake = atoi(unit_read(cli_pid_file(), NULL));
	CHECK_NUMBER(getpgid(fake), fake);
	start_time = clock_now();
	kill(pid, sig);
	CHECK_NUMBER(cli_finish(pid), exit_code);
	CHECK(clock_now() - start_time < 3);
	CHECK(!cli_fake_runs());
	CHECK_STRING(cli_result_string("outcome"), "interrupted");
	CHECK(strstr(cli_out, "FAILED prog.stuck: the run was interrupted"));
}

TEST(vmrun_sigint)
{
	interrupt(SIGINT, 130);
}

TEST(vmrun_sigterm)
{
	interrupt(SIGTERM, 143);
}

TEST(vmrun_sighup)
{
	interrupt(SIGHUP, 129);
}

/* nohup, and background jobs of a shell */
TEST(vmrun_ignored_signal_stays_ignored)
{
	pid_t pid;

	signal(SIGHUP, SIG_IGN);
	pid = cli_start("slow_pass", NULL);
	cli_wait_for("run/channel.log", "@guest-end");
	kill(pid, SIGHUP);
	CHECK_NUMBER(cli_finish(pid), 0);
}

TEST(vmrun_killed)
{
	pid_t pid = cli_start("hang", NULL);
	double end = clock_now() + 5;

	cli_wait_for("run/channel.log", "ok 1 works");
	kill(pid, SIGKILL);
	CHECK_NUMBER(cli_finish(pid), -SIGKILL);
	while (cli_fake_runs() && clock_now() < end)
		usleep(10000);
	CHECK(!cli_fake_runs());
	CHECK_STRING(cli_result_string("outcome"), "incomplete");
}

TEST(vmrun_nobody_reads)
{
	int fds[2], status;
	pid_t pid;

	CHECK(!pipe(fds));
	close(fds[0]);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		const char *words[WORDS_MAX + 1] = { unit_vmrun };

		cli_usual_words(words + 1, "slow_pass");
		dup2(fds[1], 1);
		execv(unit_vmrun, (char **)words);
		_exit(99);
	}
	close(fds[1]);
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status));
	CHECK_NUMBER(WEXITSTATUS(status), 0);
	CHECK_STRING(cli_result_string("outcome"), "passed");
}

TEST(vmrun_qemu_missing)
{
	const char *words[WORDS_MAX] = { NULL };
	int i;

	cli_usual_words(words, "pass");
	setenv("PATH", unit_scratch, 1);
	for (i = 0; words[i]; i += 2)
		if (!strcmp(words[i], "--qemu"))
			words[i] = "--suite-name";
	CHECK_NUMBER(cli_finish(cli_start_words(words)), 125);
	CHECK(strstr(cli_out, "QEMU is missing: no qemu-system-x86_64 in PATH; apt-get install qemu-system-x86\n"));
	CHECK_STRING(cli_result_string("outcome"), "cannot boot");
	CHECK_NUMBER(RUN("pass", "--qemu", "/nonexistent"), 125);
	CHECK(strstr(cli_out, "QEMU: /nonexistent: No such file"));
}

TEST(vmrun_qemu_is_no_program)
{
	unit_write("text", "not a program\n", 14);
	CHECK(!chmod(unit_path("text"), 0755));
	CHECK_NUMBER(RUN("pass", "--qemu", unit_path("text")), 125);
	CHECK(strstr(cli_out, "Exec format error"));
}

TEST(vmrun_files_missing)
{
	CHECK_NUMBER(RUN("pass", "--kernel-image", "/nonexistent"), 125);
	CHECK(strstr(cli_out, "kernel image /nonexistent: No such file"));
	CHECK_NUMBER(RUN("pass", "--initrd", "/nonexistent"), 125);
	CHECK_NUMBER(RUN("pass", "--run-dir", "/dev/null/x"), 125);
}

TEST(vmrun_usage)
{
	unit_write("empty", "", 0);
	unit_write("allow", "*\t^WARNING:\n", 11);
	CHECK_NUMBER(RUN("pass", "--deny", unit_path("empty")), 2);
	CHECK(strstr(cli_err, "no pattern in the deny list"));
	CHECK_NUMBER(RUN("pass", "--deny", "/nonexistent"), 2);
	CHECK_NUMBER(RUN("pass", "--allow", unit_path("allow")), 2);
	CHECK_NUMBER(RUN("pass", "--skips", "/nonexistent"), 2);
	CHECK_NUMBER(RUN("pass", "--expect", "cma"), 2);
	CHECK_NUMBER(RUN("pass", "--cpus", "0"), 2);
	CHECK_NUMBER(RUN("pass", "--accel", "hvf"), 2);
	CHECK_NUMBER(RUN("pass", "--nonsense"), 2);
	CHECK(strstr(cli_err, "--nonsense"));
	CHECK_NUMBER(RUN("pass", "one", "two"), 2);
	CHECK_NUMBER(RUN("pass", "--memory"), 2);
	/* nothing of this has started anything */
	CHECK(access(cli_pid_file(), F_OK));
}

/* Results that cannot be kept are not a pass. */
TEST(vmrun_disk_full)
{
	static const char * const names[] = {
		"results.ktap", "results.xml", "result.json", "records.jsonl",
	};
	size_t i;
	char *path;
	int code;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		CHECK_NUMBER(RUN("pass"), 0);
		path = text_format("%s/run/%s", unit_scratch, names[i]);
		unlink(path);
		CHECK(!symlink("/dev/full", path));
		code = RUN("pass");
		if (code != 125)
			unit_fail(__FILE__, __LINE__, "%s on a full disk: %d",
				  names[i], code);
		CHECK(strstr(cli_err, names[i]));
		unlink(path);
		free(path);
	}
}

/* One row is asked for: only that one counts, and it must be there. */
TEST(vmrun_row)
{
	CHECK_NUMBER(RUN("pass", "--row", "prog.works"), 0);
	CHECK_NUMBER(RUN("pass", "--row", "prog.absent"), 2);
	CHECK(strstr(cli_out, "failed (exit code 2): no such row: prog.absent\n"));
	CHECK_STRING(cli_last_line(cli_out), "1 passed, 1 failed, 0 skipped");
	CHECK_STRING(cli_result_string("outcome"), "failed");
	CHECK_NUMBER(RUN("no_done", "--row", "prog.works"), 126);
	CHECK_NUMBER(RUN("panic", "--row", "prog.works"), 5);
}
