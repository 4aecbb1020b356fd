// SPDX-License-Identifier: GPL-2.0
#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "clock.h"

static sigset_t watched;

double clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* What our parent had us ignore (nohup, a background job) stays ignored. */
static void clock_watch(int sig)
{
	struct sigaction old;

	if (!sigaction(sig, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaddset(&watched, sig);
}

void clock_init(void)
{
	sigemptyset(&watched);
	clock_watch(SIGINT);
	clock_watch(SIGTERM);
	clock_watch(SIGHUP);
	sigaddset(&watched, SIGCHLD);
	sigprocmask(SIG_BLOCK, &watched, NULL);
	/* A reader of our output that went away must not end the run. */
	signal(SIGPIPE, SIG_IGN);
}

int clock_wait(double seconds)
{
	struct timespec t;
	int got;

	t.tv_sec = seconds;
	t.tv_nsec = (seconds - t.tv_sec) * 1e9;
	got = sigtimedwait(&watched, NULL, &t);
	return got > 0 && got != SIGCHLD ? got : 0;
}

bool clock_signalled(void)
{
	sigset_t come;

	sigemptyset(&come);
	sigpending(&come);
	return sigismember(&come, SIGINT) == 1 ||
	       sigismember(&come, SIGTERM) == 1 ||
	       sigismember(&come, SIGHUP) == 1;
}
