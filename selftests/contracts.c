// SPDX-License-Identifier: GPL-2.0
/*
 * The oracle of long-term pins, executed: each row of contracts/plan is run and
 * compared with what contracts/expect says for this kernel.
 *
 * contracts [--row GLOB,...] [--shuffle SEED] [--repeat N] [--list | --outcomes]
 * --outcomes: what each row did, and no judgement.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
#include "contracts/model_rows.h"
#include "contracts/placements.h"
#include "contracts/print.h"
#include "contracts/rows.h"
#include "lib/memory.h"
#include "lib/migrations.h"
#include "lib/promise.h"
#include "lib/vmstat.h"

#define KSFT_FAIL	1
#define KSFT_SKIP	4

/* A row that is not back by then has hung; what may hang has its own deadline. */
#define ROW_DEADLINE_MS	60000
/* Pins that somebody drops a little after he said so. */
#define BALANCE_MS	2000

struct options {
	const char *glob;
	bool shuffle, list, outcomes;
	unsigned int seed, repeat;
};

static int complain(const char *name)
{
	fprintf(stderr,
		"usage: %s [--row GLOB,...] [--shuffle SEED] [--repeat N] [--list | --outcomes]\n",
		name);
	return 2;
}

static int parse(int argc, char **argv, struct options *options)
{
	static const struct option known[] = {
		{ "row", required_argument, NULL, 'r' },
		{ "shuffle", required_argument, NULL, 's' },
		{ "repeat", required_argument, NULL, 'n' },
		{ "list", no_argument, NULL, 'l' },
		{ "outcomes", no_argument, NULL, 'o' },
		{ }
	};
	int c;

	*options = (struct options){ .glob = "*", .repeat = 1 };
	while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (c) {
		case 'r':
			options->glob = optarg;
			break;
		case 's':
			options->shuffle = true;
			options->seed = strtoul(optarg, NULL, 0);
			break;
		case 'n':
			options->repeat = strtoul(optarg, NULL, 0);
			break;
		case 'l':
			options->list = true;
			break;
		case 'o':
			options->outcomes = true;
			break;
		default:
			return complain(argv[0]);
		}
	}
	return optind < argc || !options->repeat ? complain(argv[0]) : 0;
}

static int open_world(struct world *world)
{
	struct utsname name;

	memset(world, 0, sizeof(*world));
	world->page_size = page_size();
	world->pmd_size = pmd_size();
	world->unpinnable = promise_unpinnable();
	if (promise_made("none"))
		world->unpinnable = 0;
	if (uname(&name) || sscanf(name.release, "%d.%d", &world->version,
				   &world->patchlevel) != 2)
		return -EIO;
	return 0;
}

/* What older kernels do nobody has looked up for every row. */
static bool before_tables(const struct world *world)
{
	if (world->version > 6 || (world->version == 6 && world->patchlevel >= 1))
		return false;
	print_begin(1);
	printf("ok 1 tables # SKIP not-this-kernel: they begin with v6.1, this is v%d.%d\n",
	       world->version, world->patchlevel);
	return true;
}

static void row_process(struct world *world, const struct row *row,
			struct row_result *result)
{
	int err = look_open(&world->look);

	if (!err && !look_refs(&world->look))
		err = -ENODEV;
	if (err) {
		result->end = ROW_BROKEN;
		snprintf(result->why, sizeof(result->why), "/dev/pinprobe: %s",
			 strerror(-err));
		return;
	}
	row_run(world, row, result);
}

/* Waits for the row's process; what it did not get to say is its end. */
static void await_row(pid_t pid, struct row_result *result)
{
	int64_t deadline = now_ms() + ROW_DEADLINE_MS;
	int status = 0;
	pid_t ended;

	/*
	 * Not to sleep until then: a pin that waits for who isolates a block falls into
	 * step with him where nobody else ever runs.
	 */
	while (!(ended = waitpid(pid, &status, WNOHANG)) && now_ms() < deadline)
		usleep(1000);
	if (!ended) {
		kill(pid, SIGKILL);
		result->end = ROW_LOST;
		snprintf(result->why, sizeof(result->why),
			 "not back after %d s", ROW_DEADLINE_MS / 1000);
		waitpid(pid, &status, 0);
	} else if (WIFSIGNALED(status)) {
		result->end = ROW_LOST;
		snprintf(result->why, sizeof(result->why), "ended by signal %d",
			 WTERMSIG(status));
	}
}

static void run_row(struct world *world, const struct row *row,
		    struct row_result *result)
{
	struct row_pages *pages = result->pages;
	int64_t held = vmstat_held();
	pid_t pid;

	memset(result, 0, sizeof(*result));
	result->pages = pages;
	pages->nr = pages->looks = 0;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		row_process(world, row, result);
		_exit(0);
	}
	if (pid < 0) {
		result->end = ROW_BROKEN;
		snprintf(result->why, sizeof(result->why), "fork: %s",
			 strerror(errno));
		return;
	}
	await_row(pid, result);
	if (!result->left[0] && vmstat_wait_held(held, BALANCE_MS))
		snprintf(result->left, sizeof(result->left),
			 "%lld pages pinned before the row, %lld after",
			 (long long)held, (long long)vmstat_held());
}

/* What a row's process writes its result to. */
static struct row_result *share_result(void)
{
	struct shared {
		struct row_result result;
		struct row_pages pages;
	} *shared;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return NULL;
	shared->result.pages = &shared->pages;
	return &shared->result;
}

static int run_all(struct world *world, const struct options *options,
		   struct row *rows, size_t nr)
{
	struct row_result *result = share_result();
	struct print print = { 0 };
	size_t i;

	if (!result)
		return KSFT_FAIL;
	if (options->shuffle)
		rows_shuffle(rows, nr, options->seed);
	if (!options->outcomes)
		print_begin(nr * options->repeat);
	for (i = 0; i < nr * options->repeat; i++) {
		run_row(world, &rows[i % nr], result);
		if (options->outcomes)
			print_outcome(world, &rows[i % nr], result);
		else
			print_row(&print, world, &rows[i % nr], result);
	}
	if (options->outcomes)
		return 0;
	print_end(&print);
	if (print.failed)
		return KSFT_FAIL;
	return print.passed ? 0 : KSFT_SKIP;
}

int main(int argc, char **argv)
{
	struct options options;
	struct world world;
	struct row *rows;
	char why[256];
	ssize_t nr, i;
	int ret;

	ret = parse(argc, argv, &options);
	if (ret)
		return ret;
	if (model_rows_complaint()[0]) {
		printf("Bail out! %s\n", model_rows_complaint());
		return KSFT_FAIL;
	}
	if (table_check(&contract_tables, rows_known, why)) {
		printf("Bail out! %s\n", why);
		return KSFT_FAIL;
	}
	ret = open_world(&world);
	if (ret) {
		printf("Bail out! %s\n", strerror(-ret));
		return KSFT_FAIL;
	}
	if (!options.list && before_tables(&world))
		return KSFT_SKIP;
	nr = rows_plan(&world, options.glob, &rows);
	if (nr <= 0) {
		printf("Bail out! no row is called %s\n", options.glob);
		return KSFT_FAIL;
	}
	if (options.list) {
		for (i = 0; i < nr; i++)
			puts(rows[i].name);
		return 0;
	}
	ret = placements_prepare();
	if (ret) {
		printf("Bail out! free pages of the CPUs: %s\n", strerror(-ret));
		return KSFT_FAIL;
	}
	ret = migrations_start();
	if (ret) {
		printf("Bail out! tracefs: %s\n", strerror(-ret));
		return KSFT_FAIL;
	}
	ret = run_all(&world, &options, rows, nr);
	migrations_stop();
	return ret;
}
