// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tool_live.h"

#define WORDS_MAX	32

static void become(const char *const words[], int out, int err)
{
	const char *argv[WORDS_MAX + 2] = { "pinprobe" };
	int i;

	for (i = 0; words[i] && i < WORDS_MAX; i++)
		argv[i + 1] = words[i];
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0)
		execv(TOOL, (char *const *)argv);
	_exit(127);
}

/* All of a file that others write to, ended by NUL. */
static char *contents(int fd)
{
	off_t len = lseek(fd, 0, SEEK_END);
	char *s = len < 0 ? NULL : calloc(1, len + 1);

	if (s && pread(fd, s, len, 0) != len) {
		free(s);
		return NULL;
	}
	return s;
}

static bool says(int fd, const char *word)
{
	char *s = contents(fd);
	bool found = s && strstr(s, word);

	free(s);
	return found;
}

int tool_live_start(struct tool_live *live, const char *word,
		    const char *const words[])
{
	siginfo_t ended = {};

	live->out = memfd_create("stdout", MFD_CLOEXEC);
	live->err = memfd_create("stderr", MFD_CLOEXEC);
	if (live->out < 0 || live->err < 0)
		return -errno;
	live->pid = fork();
	if (!live->pid)
		become(words, live->out, live->err);
	if (live->pid < 0)
		return -errno;
	while (!says(live->err, word)) {
		if (waitid(P_PID, live->pid, &ended, WEXITED | WNOHANG | WNOWAIT) ||
		    ended.si_pid)
			return says(live->err, word) ? 0 : -EPROTO;
		usleep(20000);
	}
	return 0;
}

int tool_live_end(struct tool_live *live, struct tool *tool)
{
	memset(tool, 0, sizeof(*tool));
	tool->code = tool_wait(live->pid);
	tool->out = contents(live->out);
	tool->err = contents(live->err);
	close(live->out);
	close(live->err);
	return tool->out && tool->err ? 0 : -EIO;
}
