// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>
#include "tool.h"

#define WORDS_MAX	32

void tool_become(const char *const words[], int out, int err)
{
	const char *argv[WORDS_MAX + 2] = { "pinprobe" };
	int i;

	for (i = 0; words[i] && i < WORDS_MAX; i++)
		argv[i + 1] = words[i];
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(out, STDOUT_FILENO) >= 0 &&
	    (err < 0 || dup2(err, STDERR_FILENO) >= 0))
		execv(TOOL, (char *const *)argv);
	_exit(127);
}

char *tool_contents(int fd)
{
	off_t len = lseek(fd, 0, SEEK_END);
	char *s = len < 0 ? NULL : calloc(1, len + 1);

	if (s && pread(fd, s, len, 0) != len) {
		free(s);
		return NULL;
	}
	return s;
}

int tool_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) != pid)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int collect(struct tool *tool, pid_t pid, int out, int err)
{
	tool->code = tool_wait(pid);
	tool->out = tool_contents(out);
	tool->err = tool_contents(err);
	if (!tool->out || !tool->err)
		return -EIO;
	/* It could not be run. */
	if (tool->code == 127)
		return -ENOEXEC;
	tool->json = json_tokener_parse(tool->out);
	return 0;
}

int tool_file(const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd >= 0)
		fcntl(fd, F_SETFL, O_APPEND);
	return fd;
}

int tool_run(struct tool *tool, const char *const words[])
{
	int out = tool_file("stdout"), err = tool_file("stderr"), ret = 0;
	pid_t pid;

	memset(tool, 0, sizeof(*tool));
	pid = out < 0 || err < 0 ? -1 : fork();
	if (!pid)
		tool_become(words, out, err);
	ret = pid < 0 ? -errno : collect(tool, pid, out, err);
	close(out);
	close(err);
	return ret;
}

void tool_free(struct tool *tool)
{
	json_object_put(tool->json);
	free(tool->out);
	free(tool->err);
	memset(tool, 0, sizeof(*tool));
}

/* Reads until what came is an object, or cannot become one. */
static json_object *read_object(int fd)
{
	json_tokener *tokener = json_tokener_new();
	json_object *json = NULL;
	char buf[512];
	ssize_t len;

	while (!json && (len = read(fd, buf, sizeof(buf))) > 0) {
		json = json_tokener_parse_ex(tokener, buf, len);
		if (!json && json_tokener_get_error(tokener) != json_tokener_continue)
			break;
	}
	json_tokener_free(tokener);
	return json;
}

pid_t tool_start(json_object **first, const char *const words[])
{
	int ends[2];
	pid_t pid;

	*first = NULL;
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (!pid)
		tool_become(words, ends[1], -1);
	if (pid < 0)
		pid = -errno;
	close(ends[1]);
	if (pid > 0)
		*first = read_object(ends[0]);
	close(ends[0]);
	return pid;
}

json_object *tool_at(json_object *json, const char *path)
{
	char *copy = strdup(path), *next = *path ? copy : NULL, *key;

	while (json && next && (key = strsep(&next, "/"))) {
		if (json_object_is_type(json, json_type_array))
			json = json_object_array_get_idx(json, atoi(key));
		else if (!json_object_object_get_ex(json, key, &json))
			json = NULL;
	}
	free(copy);
	return json;
}

int64_t tool_number(json_object *json, const char *path)
{
	json_object *value = tool_at(json, path);

	return json_object_is_type(value, json_type_int) ?
		json_object_get_int64(value) : -1;
}

const char *tool_string(json_object *json, const char *path)
{
	json_object *value = tool_at(json, path);

	return json_object_is_type(value, json_type_string) ?
		json_object_get_string(value) : "";
}

json_object *tool_find(json_object *json, const char *path, const char *key,
		       const char *value)
{
	json_object *array = tool_at(json, path), *member;
	size_t i;

	if (!json_object_is_type(array, json_type_array))
		return NULL;
	for (i = 0; i < json_object_array_length(array); i++) {
		member = json_object_array_get_idx(array, i);
		if (!strcmp(tool_string(member, key), value))
			return member;
	}
	return NULL;
}
