// SPDX-License-Identifier: GPL-2.0
/* Processes that do something at the moment they are told to. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "child.h"

#define HEAR_TIMEOUT_MS 10000

int child_start(struct child *child, int (*run)(int sock, void *arg), void *arg)
{
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -errno;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(pair[0]);
		_exit(run(pair[1], arg));
	}
	close(pair[1]);
	if (pid < 0) {
		close(pair[0]);
		return -errno;
	}
	child->pid = pid;
	child->sock = pair[0];
	return 0;
}

int child_wait(struct child *child)
{
	int status;

	if (waitpid(child->pid, &status, 0) != child->pid)
		return -errno;
	if (WIFSIGNALED(status))
		return -WTERMSIG(status);
	return WEXITSTATUS(status);
}

int child_end(struct child *child)
{
	close(child->sock);
	return child_wait(child);
}

int child_kill(struct child *child)
{
	kill(child->pid, SIGKILL);
	return child_end(child);
}

int child_say(int sock, int value, int fd)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { };
	struct iovec io = { .iov_base = &value, .iov_len = sizeof(value) };
	struct msghdr msg = { .msg_iov = &io, .msg_iovlen = 1 };

	if (fd >= 0) {
		msg.msg_control = &control;
		msg.msg_controllen = sizeof(control);
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
	}
	return sendmsg(sock, &msg, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

int child_hear(int sock, int *value, int *fd)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { };
	struct iovec io = { .iov_base = value, .iov_len = sizeof(*value) };
	struct msghdr msg = { .msg_iov = &io, .msg_iovlen = 1 };
	struct pollfd wait = { .fd = sock, .events = POLLIN };
	struct cmsghdr *head;
	ssize_t got;

	if (fd) {
		msg.msg_control = &control;
		msg.msg_controllen = sizeof(control);
		*fd = -1;
	}
	if (poll(&wait, 1, HEAR_TIMEOUT_MS) <= 0)
		return -ETIMEDOUT;
	got = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
	if (got < 0)
		return -errno;
	if (got != sizeof(*value))
		return -EPIPE;
	head = fd ? CMSG_FIRSTHDR(&msg) : NULL;
	if (head && head->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(head), sizeof(*fd));
	return 0;
}
