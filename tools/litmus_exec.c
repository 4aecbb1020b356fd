// SPDX-License-Identifier: GPL-2.0
/*
 * A program of the user's own that registers what it is told to. It reads requests
 * on its standard input, one a line, and answers each with one line on its standard
 * output; Documentation/tools.rst has the protocol.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "litmus.h"

/* The descriptors that the program is started with. */
#define MEMFD	3
#define FILE_FD	4

struct program {
	pid_t pid;
	FILE *to;
	FILE *from;
};

static _Noreturn void become(struct litmus_session *s, int in, int out)
{
	/* Out of the way of 3 and 4 first: each may stand on another's number. */
	int memfd = fcntl(s->memfd, F_DUPFD, 10);
	int file = s->file >= 0 ? fcntl(s->file, F_DUPFD, 10) : -1;
	int from = fcntl(in, F_DUPFD, 10), to = fcntl(out, F_DUPFD, 10);

	dup2(from, STDIN_FILENO);
	dup2(to, STDOUT_FILENO);
	dup2(memfd, MEMFD);
	if (file >= 0)
		dup2(file, FILE_FD);
	else
		close(FILE_FD);
	close_range(FILE_FD + 1, ~0U, 0);
	/* Kept across exec: what is counted here are small pages. */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	execvp(s->options->program[0], s->options->program);
	printf("error %d cannot run %s\n", errno, s->options->program[0]);
	fflush(stdout);
	_exit(127);
}

static int start(struct litmus_session *s, struct program *p)
{
	int in[2], out[2], err;

	if (pipe2(in, O_CLOEXEC))
		return -errno;
	if (pipe2(out, O_CLOEXEC)) {
		err = -errno;
		close(in[0]);
		close(in[1]);
		return err;
	}
	p->pid = fork();
	if (!p->pid)
		become(s, in[0], out[1]);
	err = p->pid < 0 ? -errno : 0;
	close(in[0]);
	close(out[1]);
	p->to = fdopen(in[1], "w");
	p->from = fdopen(out[0], "r");
	if (!err && p->to && p->from)
		return 0;
	return err ? err : -ENOMEM;
}

/* "ok WORDS" or "error ERRNO WORDS"; errno 0 is one that is not known. */
static int answered(struct litmus_session *s, const char *line, char *words,
		    size_t size)
{
	int err, len = 0;

	if (!strcmp(line, "ok") || !strncmp(line, "ok ", 3)) {
		snprintf(words, size, "%.*s", (int)size - 1, line[2] ? line + 3 : "");
		return 0;
	}
	if (sscanf(line, "error %d%n", &err, &len) != 1 || err < 0 || err > 4095)
		return litmus_fail(s, -EPROTO, "the program said \"%.80s\"", line);
	if (line[len] == ' ')
		litmus_fail(s, 0, "%s", line + len + 1);
	return err ? -err : -LITMUS_EHIDDEN;
}

static int ask(struct litmus_session *s, char *words, size_t size,
	       const char *fmt, ...) __printf(4, 5);

static int ask(struct litmus_session *s, char *words, size_t size,
	       const char *fmt, ...)
{
	struct program *p = s->state;
	char line[256] = "";
	va_list args;

	va_start(args, fmt);
	vfprintf(p->to, fmt, args);
	va_end(args);
	fputc('\n', p->to);
	/* It may have said why it has ended, and not have read this. */
	fflush(p->to);
	if (!fgets(line, sizeof(line), p->from))
		return litmus_fail(s, -EPIPE, "the program has ended");
	line[strcspn(line, "\n")] = '\0';
	return answered(s, line, words, size);
}

/* It ends when its input does, or is made to. */
static void reap(pid_t pid)
{
	int i;

	for (i = 0; i < 100; i++) {
		if (waitpid(pid, NULL, WNOHANG) == pid)
			return;
		usleep(20000);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void exec_close(struct litmus_session *s)
{
	struct program *p = s->state;

	if (p->to) {
		fputs("quit\n", p->to);
		fclose(p->to);
	}
	if (p->from)
		fclose(p->from);
	if (p->pid > 0)
		reap(p->pid);
	free(p);
	s->pid = 0;
}

static int exec_open(struct litmus_session *s)
{
	struct program *p;
	char words[64];
	int err;

	if (!s->options->program)
		return litmus_fail(s, -EINVAL, "no program: --exec PROGRAM");
	p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	s->state = p;
	/* A program that ends is told from by reading. */
	signal(SIGPIPE, SIG_IGN);
	err = start(s, p);
	if (!err)
		err = ask(s, words, sizeof(words), "hello 1");
	if (err) {
		exec_close(s);
		return err;
	}
	s->pid = p->pid;
	snprintf(s->what, sizeof(s->what), "%s%s%.60s", s->options->program[0],
		 *words ? ", " : "", words);
	return 0;
}

static int exec_map(struct litmus_session *s, struct litmus_area *area)
{
	static const char *const kinds[] = {
		[LITMUS_ANON] = "anon", [LITMUS_SHMEM] = "3", [LITMUS_FILE] = "4",
	};
	const char *touch = area->untouched ? "none" :
			    area->writable && area->kind != LITMUS_FILE ? "write" :
			    "read";
	char words[64];
	int err;

	err = ask(s, words, sizeof(words), "map %s %zu %s %s %s",
		  kinds[area->kind], area->len, area->writable ? "rw" : "r",
		  area->shared ? "shared" : "private", touch);
	if (err)
		return err;
	if (sscanf(words, "%" SCNx64, &area->addr) != 1)
		return litmus_fail(s, -EPROTO, "the program gave no address");
	return 0;
}

static int simple(struct litmus_session *s, const char *request)
{
	char words[8];

	return ask(s, words, sizeof(words), "%s", request);
}

static int exec_drop(struct litmus_session *s, const struct litmus_area *area)
{
	(void)area;
	return simple(s, "drop");
}

static int exec_unmap(struct litmus_session *s, const struct litmus_area *area)
{
	(void)area;
	return simple(s, "unmap");
}

static int exec_pin(struct litmus_session *s, const struct litmus_area *area,
		    bool write)
{
	(void)area;
	return simple(s, write ? "pin write" : "pin read");
}

static int exec_unpin(struct litmus_session *s, const struct litmus_area *area)
{
	(void)area;
	return simple(s, "unpin");
}

const struct litmus_provider litmus_exec = {
	.name = "exec",
	.summary = "a program of yours: --exec PROGRAM [ARGUMENT...]",
	.flags = LITMUS_ON_REQUEST,
	.open = exec_open,
	.map = exec_map,
	.drop = exec_drop,
	.unmap = exec_unmap,
	.pin = exec_pin,
	.unpin = exec_unpin,
	.close = exec_close,
};
