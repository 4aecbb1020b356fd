// SPDX-License-Identifier: GPL-2.0
/*
 * Holds with a fork() before or behind them. A pinned page of anonymous memory is
 * copied for the child at once, any other is shared until somebody writes: what
 * the hold is on then, and who meets it, depends on who writes.
 *
 * Where the child is the one that the consumer comes for, the row goes on in the
 * child, and the process that began it is left as the holder.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../lib/child.h"
#include "holds.h"

struct forked {
	struct child child;	/* pid 0: this is the child, sock is to the parent */
	struct held held;
};

/* A child that does nothing but have the memory, until it is told to end. */
static int idle(int sock, void *arg)
{
	int value, err;

	do
		err = child_hear(sock, &value, NULL);
	while (!err || err == -ETIMEDOUT);
	return 0;
}

static struct forked *new_forked(const struct hold *hold)
{
	struct forked *forked = calloc(1, sizeof(*forked));

	if (!forked)
		return NULL;
	forked->held.hold = hold;
	memset(forked->held.fd, -1, sizeof(forked->held.fd));
	return forked;
}

static int take_hold(struct world *world, struct area *area,
		     struct forked *forked)
{
	return forked->held.hold->take(world, area, &forked->held);
}

static int drop_hold(struct world *world, struct area *area,
		     struct forked *forked)
{
	return forked->held.hold->drop(world, area, &forked->held);
}

/* The parent comes: @before or behind the hold it has a child. */
static int take_with_child(struct world *world, struct area *area,
			   struct held *held, const struct hold *hold,
			   bool before)
{
	struct forked *forked = new_forked(hold);
	int err = 0;

	if (!forked)
		return -ENOMEM;
	if (!before)
		err = take_hold(world, area, forked);
	if (!err)
		err = child_start(&forked->child, idle, NULL);
	if (!err && before)
		err = take_hold(world, area, forked);
	if (!err)
		held->private = forked;
	else
		free(forked);
	return err;
}

/* The process that holds, while the row goes on in its child. */
static _Noreturn void stay_behind(struct world *world, struct area *area,
				  struct forked *forked)
{
	int value, err, status;

	while ((err = child_hear(forked->child.sock, &value, NULL)) ==
	       -ETIMEDOUT)
		;
	if (!err) {
		err = drop_hold(world, area, forked);
		/* What the two share is the child's alone now. */
		munmap(area->addr, area->len);
		child_say(forked->child.sock, -err, -1);
	}
	if (waitpid(forked->child.pid, &status, 0) != forked->child.pid)
		_exit(1);
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
	}
	_exit(0);
}

static void leave_held(struct held *held)
{
	size_t i;

	for (i = 0; i < sizeof(held->fd) / sizeof(*held->fd); i++)
		if (held->fd[i] >= 0)
			close(held->fd[i]);
}

/* The child comes, and hears from the parent whether the hold is there. */
static int take_as_child(struct world *world, struct area *area,
			 struct held *held, const struct hold *hold,
			 bool before)
{
	struct forked *forked = new_forked(hold);
	int pair[2], err = 0, value;
	pid_t pid;

	if (!forked)
		return -ENOMEM;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -errno;
	if (!before)
		err = take_hold(world, area, forked);
	if (err)
		return err;
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid) {
		close(pair[1]);
		forked->child.pid = pid;
		forked->child.sock = pair[0];
		if (before)
			err = take_hold(world, area, forked);
		child_say(pair[0], -err, -1);
		stay_behind(world, area, forked);
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(pair[0]);
	leave_held(&forked->held);
	forked->child.sock = pair[1];
	held->private = forked;
	err = child_hear(pair[1], &value, NULL);
	return err ? err : -value;
}

static int drop(struct world *world, struct area *area, struct held *held)
{
	struct forked *forked = held->private;
	int err, value;

	held->private = NULL;
	if (!forked)
		return 0;
	if (forked->child.pid) {
		err = drop_hold(world, area, forked);
		child_end(&forked->child);
	} else {
		err = child_say(forked->child.sock, 0, -1);
		if (!err)
			err = child_hear(forked->child.sock, &value, NULL);
		if (!err)
			err = -value;
		close(forked->child.sock);
	}
	free(forked);
	return err;
}

#define FORK_HOLD(symbol, row_name, says, page, how, of, first)		\
	static int take_##symbol(struct world *world, struct area *area, \
				 struct held *held)			\
	{								\
		return how(world, area, held, &hold_##of, first);	\
	}								\
	const struct hold hold_##symbol = {				\
		.name = row_name,					\
		.what = says,						\
		.kind = page,						\
		.take = take_##symbol,					\
		.drop = drop,						\
	}

FORK_HOLD(vmsplice_forked, "vmsplice_forked",
	  "vmsplice() into a pipe that nobody reads, then fork(); the parent comes",
	  HOLD_REFERENCE, take_with_child, vmsplice, false);
FORK_HOLD(vmsplice_forked_child, "vmsplice_forked_child",
	  "vmsplice() into a pipe that nobody reads, then fork(); the child comes",
	  HOLD_REFERENCE, take_as_child, vmsplice, false);
FORK_HOLD(pin_forked, "pin_forked",
	  "pin_user_pages_fast() without FOLL_LONGTERM, then fork(); the parent comes",
	  HOLD_FOLL_PIN, take_with_child, pin, false);
FORK_HOLD(pin_forked_child, "pin_forked_child",
	  "pin_user_pages_fast() without FOLL_LONGTERM, then fork(); the child comes",
	  HOLD_ELSEWHERE, take_as_child, pin, false);
FORK_HOLD(forked_pin, "forked_pin",
	  "fork(), then pin_user_pages_fast() without FOLL_LONGTERM; the parent comes",
	  HOLD_FOLL_PIN, take_with_child, pin, true);
FORK_HOLD(forked_pin_child, "forked_pin_child",
	  "fork(), then pin_user_pages_fast() without FOLL_LONGTERM; the child comes",
	  HOLD_ELSEWHERE, take_as_child, pin, true);
