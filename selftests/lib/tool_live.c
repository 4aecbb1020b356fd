// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tool_live.h"

static bool says(int fd, const char *word)
{
	char *s = tool_contents(fd);
	bool found = s && strstr(s, word);

	free(s);
	return found;
}

int tool_live_start(struct tool_live *live, const char *word,
		    const char *const words[])
{
	siginfo_t ended = {};

	live->out = tool_file("stdout");
	live->err = tool_file("stderr");
	if (live->out < 0 || live->err < 0)
		return -errno;
	live->pid = fork();
	if (!live->pid)
		tool_become(words, live->out, live->err);
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
	tool->out = tool_contents(live->out);
	tool->err = tool_contents(live->err);
	close(live->out);
	close(live->err);
	return tool->out && tool->err ? 0 : -EIO;
}
