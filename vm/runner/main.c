// SPDX-License-Identifier: GPL-2.0
/* Runs a guest, watches it, and says what came of it. See vmrun --help. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "accel.h"
#include "clock.h"
#include "first_bad.h"
#include "grid_main.h"
#include "judge.h"
#include "options.h"
#include "outputs.h"
#include "placement.h"
#include "plan.h"
#include "qemu.h"
#include "report.h"
#include "run.h"
#include "sum.h"
#include "text.h"
#include "vm.h"

#define EXIT_USAGE	2
#define EXIT_CANNOT	125

static int say(char *error, int exit_code)
{
	fprintf(stderr, "vmrun: %s\n", error);
	free(error);
	return exit_code;
}

static char *folder_make(const char *dir)
{
	char *path = text_dup(dir), *slash;
	int err = 0;

	for (slash = strchr(path + 1, '/'); slash && !err;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0755) && errno != EEXIST)
			err = errno;
		*slash = '/';
	}
	if (!err && mkdir(path, 0755) && errno != EEXIST)
		err = errno;
	free(path);
	return err ? text_format("%s: %s", dir, strerror(err)) : NULL;
}

/* Lists that are not usable are a usage error; they are read first. */
static int run_prepare(struct run *r, struct report *p, const char *dir)
{
	char *error = outputs_begin(r, dir);

	if (!error)
		error = report_begin(p, r, dir);
	return error ? say(error, EXIT_CANNOT) : 0;
}

static int run_finish(struct run *r, struct report *p, const char *dir)
{
	char *error;

	run_end(r);
	error = outputs_write(r, dir);
	if (!error && (p->records_failed || fflush(p->records)))
		error = text_format("%s/records.jsonl: cannot be written", dir);
	report_end(p, dir);
	if (!error)
		return r->verdict.exit_code;
	/* Results that nobody can read later are not a pass. */
	return say(error, r->verdict.exit_code ? r->verdict.exit_code :
		   EXIT_CANNOT);
}

static void check_file(struct run *r, const char *what, const char *path)
{
	if (!r->start_error && access(path, R_OK))
		r->start_error = text_format("%s %s: %s", what, path,
					     strerror(errno));
}

static void run_guest(struct run *r, struct report *p, const char *dir)
{
	const struct options *o = r->options;
	struct accel accel = { .name = "not decided" };
	char *binary = qemu_find(o, &r->start_error);

	check_file(r, "kernel image", o->kernel_image);
	check_file(r, "initramfs", o->initrd);
	r->ended = ENDED_NOT_STARTED;
	if (!r->start_error) {
		accel_decide(&accel, o, binary, dir);
		r->accel = accel.name;
		r->accel_why = accel.why;
		r->scale = (strcmp(accel.name, "tcg") ? 1 : 4) * o->slow;
		if (!accel.signal)
			report_accel(p);
		r->ended = ENDED_SIGNAL;
		r->signal = accel.signal;
		if (!accel.signal)
			vm_run(r, binary, dir);
		if (accel.cached && !r->console.kernel_seen)
			accel_forget(o, binary);
	}
	free(binary);
}

static const char *now_utc(void)
{
	static char s[sizeof("2026-01-01T00:00:00Z")];
	time_t now = time(NULL);
	struct tm tm;

	if (!gmtime_r(&now, &tm) ||
	    !strftime(s, sizeof(s), "%Y-%m-%dT%H:%M:%SZ", &tm))
		return NULL;
	return s;
}

static int main_run(const struct options *o)
{
	struct report report = { 0 };
	struct run run;
	char *error;
	int code;

	error = run_init(&run, o, &report_ops, &report);
	if (error) {
		run_free(&run);
		return say(error, EXIT_USAGE);
	}
	clock_init();
	run.began = now_utc();
	error = folder_make(o->run_dir);
	code = error ? say(error, EXIT_CANNOT) :
	       run_prepare(&run, &report, o->run_dir);
	if (!code) {
		run_guest(&run, &report, o->run_dir);
		code = run_finish(&run, &report, o->run_dir);
	}
	report_free(&report);
	run_free(&run);
	return code;
}

static int main_judge(struct options *o)
{
	struct report report = { 0 };
	struct judge judge;
	struct run run = { 0 };
	char *error;
	int code;

	error = judge_options(&judge, o);
	if (error)
		return say(error, EXIT_USAGE);
	error = run_init(&run, o, &report_ops, &report);
	if (!error)
		error = report_begin(&report, &run, o->judge);
	if (!error) {
		judge_end_of(&judge, &run);
		error = judge_feed(&run, o->judge);
	}
	code = error ? say(error, EXIT_USAGE) :
	       run_finish(&run, &report, o->judge);
	report_free(&report);
	run_free(&run);
	judge_release(&judge);
	return code;
}

static int main_help(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	options_help();
	return 0;
}

/* What starts no guest. */
static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} verbs[] = {
	{ "--sum", sum_main },
	{ "--table", grid_main_table },
	{ "--merge", grid_main_table },
	{ "--chart", placement_main },
	{ "--diff", grid_main_diff },
	{ "--cell", grid_main_cell },
	{ "--plan", plan_main },
	{ "--first-bad", first_bad_main },
	{ "--help", main_help },
};

int main(int argc, char **argv)
{
	struct options options;
	char *error;
	size_t i;

	for (i = 0; argc > 1 && i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(argv[1], verbs[i].name))
			return verbs[i].run(argc, argv);
	error = options_parse(&options, argc, argv);
	if (error)
		return say(error, EXIT_USAGE);
	return options.judge ? main_judge(&options) : main_run(&options);
}
