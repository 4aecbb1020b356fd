// SPDX-License-Identifier: GPL-2.0
/* How records reach whoever reads them. */
#include <sys/socket.h>
#include <sys/wait.h>
#include "unit.h"
/* Another file of tests has one of its own. */
#define out_error out_error_unused
#include "../tools/out.c"

#define LONG	100000

static void write_records(int to)
{
	char s[LONG + 1];

	memset(s, 'a', LONG);
	s[LONG] = 0;
	dup2(to, STDOUT_FILENO);
	out_whole_records();
	puts(s);
	fflush(stdout);
	puts("second");
	fflush(stdout);
	_exit(0);
}

/* A socket that keeps them apart tells how many writes there were. */
TEST(out_records_are_whole)
{
	static char got[2 * LONG];
	int ends[2], status;
	pid_t pid;

	CHECK_NUMBER(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
	pid = fork();
	if (!pid)
		write_records(ends[1]);
	close(ends[1]);
	CHECK_NUMBER(recv(ends[0], got, sizeof(got), 0), LONG + 1);
	CHECK_NUMBER(recv(ends[0], got, sizeof(got), 0), 7);
	CHECK_NUMBER(recv(ends[0], got, sizeof(got), 0), 0);
	CHECK_NUMBER(waitpid(pid, &status, 0), pid);
	CHECK_NUMBER(status, 0);
}
