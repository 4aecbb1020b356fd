// SPDX-License-Identifier: GPL-2.0
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "text.h"
#include "unit.h"

#define TEST_SECONDS	120

#define JOBS		6

struct job {
	const struct unit_test *test;
	pid_t pid;
	char *scratch;
	FILE *output;
};

static struct unit_test *tests;
static char *top;		/* holds all scratch folders */
static sig_atomic_t interrupted;

char unit_scratch[PATH_MAX];
const char *unit_tests;
const char *unit_vmrun;
const char *unit_vm;

/* A test leaves its memory to its end; vmrun itself may not leak. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

/* Kept in order of name, so that the order of linking does not matter. */
void unit_register(struct unit_test *t)
{
	struct unit_test **p = &tests;

	while (*p && strcmp((*p)->name, t->name) < 0)
		p = &(*p)->next;
	t->next = *p;
	*p = t;
}

void unit_fail(const char *file, int line, const char *fmt, ...)
{
	va_list args;

	printf("# %s:%d: ", file, line);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	_exit(1);
}

void unit_check_string(const char *file, int line, const char *what,
		       const char *got, const char *want)
{
	if (!got || strcmp(got, want))
		unit_fail(file, line, "%s: got \"%s\", want \"%s\"", what,
			  got ? got : "(null)", want);
}

void unit_check_number(const char *file, int line, const char *what,
		       long long got, long long want)
{
	if (got != want)
		unit_fail(file, line, "%s: got %lld, want %lld", what, got,
			  want);
}

char *unit_path(const char *name)
{
	return text_format("%s/%s", unit_scratch, name);
}

void unit_write(const char *name, const char *bytes, size_t len)
{
	char *path = unit_path(name);
	FILE *f = fopen(path, "we");

	if (!f || fwrite(bytes, 1, len, f) != len || fclose(f))
		unit_fail(__FILE__, __LINE__, "cannot write %s", path);
	free(path);
}

char *unit_read(const char *path, size_t *len)
{
	struct text t = { 0 };
	FILE *f = fopen(path, "re");
	char buf[4096];
	size_t got;

	if (!f)
		unit_fail(__FILE__, __LINE__, "cannot read %s", path);
	text_add(&t, "", 0);
	while ((got = fread(buf, 1, sizeof(buf), f)) > 0)
		text_add(&t, buf, got);
	fclose(f);
	if (len)
		*len = t.len;
	return t.s;
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void on_signal(int sig)
{
	interrupted = sig;
}

static void job_start(struct job *j, const struct unit_test *t)
{
	snprintf(unit_scratch, sizeof(unit_scratch), "%s/%s", top, t->name);
	j->test = t;
	j->scratch = text_dup(unit_scratch);
	j->output = tmpfile();
	if (!j->output || mkdir(unit_scratch, 0700)) {
		perror(unit_scratch);
		exit(1);
	}
	fflush(stdout);
	j->pid = fork();
	if (!j->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		dup2(fileno(j->output), STDOUT_FILENO);
		dup2(fileno(j->output), STDERR_FILENO);
		alarm(TEST_SECONDS);
		t->run();
		fflush(stdout);
		exit(0);
	}
}

static bool job_end(struct job *j, int status, unsigned int number)
{
	char line[1000];

	rewind(j->output);
	while (fgets(line, sizeof(line), j->output))
		printf("%s%s%s", line[0] == '#' ? "" : "# ", line,
		       strchr(line, '\n') ? "" : "\n");
	if (WIFSIGNALED(status))
		printf("# ended by signal %d (%s)\n", WTERMSIG(status),
		       strsignal(WTERMSIG(status)));
	printf("%s %u %s\n", status ? "not ok" : "ok", number, j->test->name);
	fflush(stdout);
	fclose(j->output);
	nftw(j->scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(j->scratch);
	memset(j, 0, sizeof(*j));
	return !status;
}

/* Most of the slow ones wait, for deadlines: several run at a time. */
static unsigned int run_all(const char *only, unsigned int *failed)
{
	const struct unit_test *t = tests;
	struct job jobs[JOBS] = { 0 };
	unsigned int number = 0;
	int i, status, running = 0;
	pid_t pid;

	while ((t || running) && !interrupted) {
		for (i = 0; t && i < JOBS; t = t->next) {
			if (only && strcmp(only, t->name))
				continue;
			while (i < JOBS && jobs[i].pid)
				i++;
			if (i == JOBS)
				break;
			job_start(&jobs[i], t);
			running++;
		}
		pid = running ? waitpid(-1, &status, 0) : 0;
		for (i = 0; pid > 0 && i < JOBS; i++) {
			if (jobs[i].pid != pid)
				continue;
			*failed += !job_end(&jobs[i], status, ++number);
			running--;
		}
	}
	for (i = 0; i < JOBS; i++)
		if (jobs[i].pid && !kill(jobs[i].pid, SIGKILL))
			waitpid(jobs[i].pid, NULL, 0);
	return number;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };
	const char *tmp = getenv("TMPDIR");
	unsigned int number, failed = 0;

	if (argc < 4) {
		fputs("usage: unit TESTS-FOLDER VMRUN VM-FOLDER [NAME]\n",
		      stderr);
		return 2;
	}
	/* A shell has its background jobs ignore it; the tests send it. */
	signal(SIGHUP, SIG_DFL);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	top = mkdtemp(text_format("%s/vmrun-unit-XXXXXX", tmp ? tmp : "/tmp"));
	if (!top) {
		perror("vmrun-unit");
		return 1;
	}
	unit_tests = argv[1];
	unit_vmrun = argv[2];
	unit_vm = argv[3];
	number = run_all(argc > 4 ? argv[4] : NULL, &failed);
	nftw(top, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	if (interrupted)
		return 128 + interrupted;
	printf("1..%u\n", number);
	printf("%u passed, %u failed, 0 skipped\n", number - failed, failed);
	return failed || !number;
}
