// SPDX-License-Identifier: GPL-2.0
/*
 * A fork shares private pages with the child, but copies those that may be pinned
 * at once, so that the parent keeps the page the device knows. Which pages are
 * shared everybody may read of his own.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "litmus.h"

/* Tells whether it has the area too, and stays until it is killed. */
static _Noreturn void child(const struct litmus_area *area, size_t page, int to)
{
	unsigned char there[LITMUS_FILE_PAGES];
	char answer = 'm';

	if (area->len / page > sizeof(there) ||
	    mincore((void *)(uintptr_t)area->addr, area->len, there))
		answer = 'u';
	if (write(to, &answer, 1) == 1)
		for (;;)
			pause();
	_exit(1);
}

/* Exclusive pages while a child is there; -ENXIO if it does not have them. */
static long with_child(struct litmus_session *s, const struct litmus_area *area)
{
	char answer = 0;
	long count;
	pid_t pid;
	int ends[2];

	if (pipe(ends))
		return -errno;
	/* Not fork(): libraries have handlers for that. */
	pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!pid)
		child(area, s->page, ends[1]);
	close(ends[1]);
	if (pid < 0) {
		count = -errno;
	} else if (read(ends[0], &answer, 1) != 1) {
		count = -EPIPE;
	} else {
		count = answer == 'm' ? litmus_exclusive(s, area) : -ENXIO;
		kill(pid, SIGKILL);
	}
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return count;
}

static void why_not(struct litmus_evidence *e, long count)
{
	snprintf(e->fork.why_not, sizeof(e->fork.why_not), "%s",
		 count == -ENXIO ?
		 "the registered memory is not given to children (MADV_DONTFORK)" :
		 strerrorname_np(-count));
}

void litmus_probe_fork(struct litmus_session *s, struct litmus_evidence *e)
{
	struct litmus_area area = {
		.kind = LITMUS_ANON,
		.writable = true,
		.len = LITMUS_FILE_PAGES * s->page,
	};
	long count;
	int err;

	if (s->provider->flags & LITMUS_TAKES_MEMFD || s->pid) {
		snprintf(e->fork.why_not, sizeof(e->fork.why_not), "%s",
			 s->pid ? "the memory is in another process" :
			 "the call takes no private memory");
		return;
	}
	err = litmus_area_map(s, &area);
	if (err) {
		why_not(e, err);
		return;
	}
	/* The control: without a pin all are shared. */
	count = with_child(s, &area);
	if (count) {
		if (count < 0)
			why_not(e, count);
		else
			snprintf(e->fork.why_not, sizeof(e->fork.why_not),
				 "%ld of %d pages seem copied without a call",
				 count, LITMUS_FILE_PAGES);
		litmus_area_unmap(s, &area);
		return;
	}
	litmus_area_unmap(s, &area);
	err = litmus_area_map(s, &area);
	if (!err)
		err = litmus_pin(s, &area, true);
	if (err) {
		snprintf(e->fork.why_not, sizeof(e->fork.why_not), "%s",
			 litmus_why(s, err));
		return;
	}
	count = with_child(s, &area);
	litmus_unpin(s, &area);
	litmus_area_unmap(s, &area);
	if (count < 0) {
		why_not(e, count);
		return;
	}
	e->fork.pages = LITMUS_FILE_PAGES;
	e->fork.so = count;
}
