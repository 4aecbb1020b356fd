// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "text.h"
#include "unit.h"
#include "vmrun_cli.h"

char *cli_out;
char *cli_err;

char *cli_pid_file(void)
{
	return unit_path("pid");
}

/* words: options beyond the usual ones, ended by NULL */
static void exec_vmrun(const char **words)
{
	const char *argv[WORDS_MAX] = { unit_vmrun };
	int n = 1, fd;

	/* It must not outlive a test that failed or hung. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (*words)
		argv[n++] = *words++;
	fd = open(unit_path("out"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
	dup2(fd, 1);
	fd = open(unit_path("err"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
	dup2(fd, 2);
	execv(unit_vmrun, (char **)argv);
	_exit(99);
}

int cli_finish(pid_t pid)
{
	int status;

	CHECK(waitpid(pid, &status, 0) == pid);
	cli_out = unit_read(unit_path("out"), NULL);
	cli_err = unit_read(unit_path("err"), NULL);
	return WIFEXITED(status) ? WEXITSTATUS(status) :
	       -WTERMSIG(status);
}

pid_t cli_start_words(const char **words)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		exec_vmrun(words);
	return pid;
}

void cli_usual_words(const char **words, const char *fake)
{
	const char *usual[WORDS_MAX] = {
		"--run-dir", unit_path("run"),
		"--qemu", text_format("%s/fake-qemu", unit_tests),
		"--kernel-image", "/dev/null", "--initrd", "/dev/null",
		"--kernel-release", "7.3.4", "--kernel-name", "debian-7.3",
		"--profile", "cma", "--accel", "tcg",
		"--deny", text_format("%s/console-deny", unit_vm),
		"--skips", text_format("%s/expected-skips", unit_vm),
		"--repeat-command", "vm/run --suite 'it'",
	};

	memcpy(words, usual, sizeof(usual));
	setenv("FAKE", fake, 1);
	setenv("FAKE_PID", cli_pid_file(), 1);
}

pid_t cli_start(const char *fake, ...)
{
	const char *words[WORDS_MAX] = { NULL };
	va_list args;
	int n = 0;

	cli_usual_words(words, fake);
	while (words[n])
		n++;
	va_start(args, fake);
	while ((words[n] = va_arg(args, const char *)))
		n++;
	va_end(args);
	return cli_start_words(words);
}

json_object *cli_result(void)
{
	json_object *j = json_object_from_file(unit_path("run/result.json"));

	CHECK(j);
	return j;
}

const char *cli_result_string(const char *key)
{
	json_object *value;

	CHECK(json_object_object_get_ex(cli_result(), key, &value));
	return json_object_get_string(value);
}

bool cli_fake_runs(void)
{
	char *s = unit_read(cli_pid_file(), NULL);
	pid_t pid = atoi(s);

	free(s);
	return !kill(pid, 0);
}

void cli_wait_for(const char *name, const char *text)
{
	double end = clock_now() + 20;
	char *path = unit_path(name), *s;
	bool found = false;

	while (!found && clock_now() < end) {
		usleep(20000);
		if (access(path, R_OK))
			continue;
		s = unit_read(path, NULL);
		found = strstr(s, text);
		free(s);
	}
	CHECK(found);
}

const char *cli_last_line(char *s)
{
	char *p;

	s[strlen(s) - 1] = '\0';
	p = strrchr(s, '\n');
	return p ? p + 1 : s;
}
