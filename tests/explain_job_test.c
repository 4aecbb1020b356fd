// SPDX-License-Identifier: GPL-2.0
/* Job, rank and communicator, from the environment of a process. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "unit.h"
#include "../tools/explain_job.c"

/* A process that sleeps, with that environment. */
static pid_t with(char *const env[])
{
	char *const argv[] = { (char *)"sleep", (char *)"60", NULL };
	char path[64], c[512] = "";
	pid_t pid = fork();
	FILE *f;

	if (!pid) {
		execve("/bin/sleep", argv, env);
		_exit(1);
	}
	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	while (strcmp(c, "sleep")) {
		f = fopen(path, "re");
		c[f ? fread(c, 1, sizeof(c) - 1, f) : 0] = 0;
		if (f)
			fclose(f);
	}
	return pid;
}

static char *job_of(char *const env[])
{
	pid_t pid = with(env);
	char *job = explain_job(pid);

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return job;
}

TEST(explain_job_of_a_rank)
{
	char *const env[] = {
		(char *)"SECRET=x", (char *)"NCCL_COMM_ID=10.0.0.1:4711",
		(char *)"RANK=3", (char *)"NOT_RANK=9", (char *)"MASTER_PORT=29500", NULL
	};

	CHECK_STRING(job_of(env), "NCCL_COMM_ID=10.0.0.1:4711 RANK=3 MASTER_PORT=29500");
}

TEST(explain_job_of_none)
{
	char *const env[] = { (char *)"HOME=/", NULL };

	CHECK(!job_of(env));
	CHECK(!explain_job(0x7ffffffe));
}
