// SPDX-License-Identifier: GPL-2.0
/*
 * What "pinprobe explain" costs those that it watches: registering and deregistering
 * the same memory with a session attached and without, in turn, in one guest. Lines
 * for people, and one JSON object per measurement. Exit code 1 if a session lost
 * something; that a limit is missed is printed, for a clock decides nothing.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "lib/rxe.h"
#include "lib/tool.h"
#include "lib/vmstat.h"

#define PAIRS_MAX	100
#define REPEATS_MAX	25
#define SMALL		(64UL << 10)
#define SPARE_KB	(256 << 10)

/* Regions of one size, which together are the memory that is registered. */
struct shape {
	const char *name;
	size_t region;		/* bytes; 0: all of it */
	size_t part;		/* of the memory, is divided by this */
	double limit;		/* that a session may slow it by */
	uint64_t without[PAIRS_MAX], with[PAIRS_MAX];	/* ns */
};

static struct shape shapes[] = {
	{ "one_region", 0, 1, 0.10 },
	{ "regions_64k", SMALL, 4, 0.15 },
};

#define SHAPES	(sizeof(shapes) / sizeof(*shapes))

/* What the sessions said at their end. */
struct seen {
	uint64_t sessions, calls, taken, let_go, peak;
	bool lost;
};

struct session {
	pid_t pid;
	int out, err;
};

struct bench {
	struct rxe rxe;
	struct ibv_mr **mr;
	char *map;
	size_t len, page_size;
	unsigned int pairs, repeats;
	const char *layout;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static int once(struct bench *bench, const struct shape *shape, uint64_t *ns)
{
	size_t len = bench->len / shape->part;
	size_t region = shape->region ?: len, nr = len / region, i, done;
	uint64_t start = now_ns();
	int err = 0;

	for (done = 0; done < nr && !err; done++) {
		bench->mr[done] = ibv_reg_mr(bench->rxe.pd,
					     bench->map + done * region, region,
					     IBV_ACCESS_LOCAL_WRITE);
		if (!bench->mr[done]) {
			err = -errno;
			break;
		}
	}
	for (i = 0; i < done; i++)
		if (ibv_dereg_mr(bench->mr[i]) && !err)
			err = -errno;
	*ns = now_ns() - start;
	return err;
}

static int by_time(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The median of some: what else a machine does takes its time in strokes. */
static int some(struct bench *bench, const struct shape *shape, uint64_t *ns)
{
	uint64_t each[REPEATS_MAX];
	unsigned int i;
	int err = 0;

	for (i = 0; i < bench->repeats && !err; i++)
		err = once(bench, shape, &each[i]);
	if (err)
		return err;
	qsort(each, bench->repeats, sizeof(*each), by_time);
	*ns = each[bench->repeats / 2];
	return 0;
}

/* The first one finds caches as something else left them. */
static int timed(struct bench *bench, unsigned int pair, bool with)
{
	uint64_t warm_up;
	size_t i;
	int err = 0;

	for (i = 0; i < SHAPES && !err; i++) {
		struct shape *shape = &shapes[i];

		err = once(bench, shape, &warm_up);
		if (!err)
			err = some(bench, shape, with ? &shape->with[pair] :
				   &shape->without[pair]);
		if (err)
			fprintf(stderr, "bench_explain: %s: %s\n", shape->name,
				strerror(-err));
	}
	return err;
}

/* What was written to a file so far, to be freed. */
static char *contents(int fd)
{
	off_t len = lseek(fd, 0, SEEK_END);
	char *all = calloc(1, len + 1);

	if (all && pread(fd, all, len, 0) != len)
		all[0] = 0;
	return all;
}

/* Until it says that it follows; whether that is all is said before. */
static int attached(struct session *s)
{
	const struct timespec moment = { .tv_nsec = 20000000 };
	bool following = false, all = true;
	char *said = NULL;
	int status;

	while (!following && !waitpid(s->pid, &status, WNOHANG)) {
		nanosleep(&moment, NULL);
		free(said);
		said = contents(s->err);
		following = said && strstr(said, "following;");
		all = said && !strstr(said, "not seen");
	}
	if (!following || !all)
		fprintf(stderr, "bench_explain: no session, or not of all:\n%s",
			said ?: "");
	free(said);
	return following && all ? 0 : -EIO;
}

static int session_begin(struct session *s)
{
	s->out = tool_file("stdout");
	s->err = tool_file("stderr");
	if (s->out < 0 || s->err < 0)
		return -errno;
	s->pid = fork();
	if (!s->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(s->out, STDOUT_FILENO);
		dup2(s->err, STDERR_FILENO);
		execl(TOOL, "pinprobe", "explain", "--system", "--json", NULL);
		_exit(127);
	}
	return s->pid < 0 ? -errno : attached(s);
}

/* The summary is the last line. */
static json_object *summary(int fd)
{
	char *all = contents(fd), *at, *line = all;
	json_object *json;

	if (!all)
		return NULL;
	for (at = strchr(all, '\n'); at && at[1]; at = strchr(line, '\n'))
		line = at + 1;
	json = json_tokener_parse(line);
	free(all);
	return json;
}

static int session_finish(struct session *s, struct seen *seen)
{
	json_object *json;
	int64_t peak;
	int code;

	kill(s->pid, SIGINT);
	code = tool_wait(s->pid);
	if (code < 0) {
		fprintf(stderr, "bench_explain: the session was ended by signal %d\n",
			-code);
		return -EIO;
	}
	json = summary(s->out);
	close(s->out);
	close(s->err);
	if (!tool_at(json, "summary")) {
		fprintf(stderr, "bench_explain: the session ended without a summary\n");
		return -EIO;
	}
	seen->sessions++;
	seen->calls += tool_number(json, "summary/calls");
	seen->taken += tool_number(json, "summary/pages_taken");
	seen->let_go += tool_number(json, "summary/pages_let_go");
	peak = tool_number(json, "summary/ledger_peak_bytes");
	if (peak > (int64_t)seen->peak)
		seen->peak = peak;
	if (tool_at(json, "summary/losses")) {
		fprintf(stderr, "bench_explain: %s\n",
			tool_string(json, "summary/losses"));
		seen->lost = true;
	}
	json_object_put(json);
	return 0;
}

static int timed_with(struct bench *bench, unsigned int pair, struct seen *seen)
{
	struct session session = { .pid = -1 };
	int err = session_begin(&session), end;

	if (err)
		return err;
	err = timed(bench, pair, true);
	end = session_finish(&session, seen);
	return err ?: end;
}

/* Which of the two comes first changes, for what was warm and what drifts. */
static int pair(struct bench *bench, unsigned int nr, struct seen *seen)
{
	int err = nr & 1 ? timed_with(bench, nr, seen) : timed(bench, nr, false);

	if (err)
		return err;
	return nr & 1 ? timed(bench, nr, false) : timed_with(bench, nr, seen);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *values, unsigned int nr)
{
	qsort(values, nr, sizeof(*values), by_size);
	return nr & 1 ? values[nr / 2] :
	       (values[nr / 2 - 1] + values[nr / 2]) / 2;
}

static void told(const struct bench *bench, const struct shape *shape)
{
	double with[PAIRS_MAX], without[PAIRS_MAX], ratio[PAIRS_MAX];
	double a, b, r, low, high;
	unsigned int i;

	for (i = 0; i < bench->pairs; i++) {
		with[i] = shape->with[i];
		without[i] = shape->without[i];
		ratio[i] = with[i] / without[i];
	}
	a = median(with, bench->pairs);
	b = median(without, bench->pairs);
	r = median(ratio, bench->pairs);
	low = ratio[bench->pairs / 4];
	high = ratio[bench->pairs - 1 - bench->pairs / 4];
	printf("# explain %-11s %4zu MiB %-9s %.1f ms with, %.1f ms without; of %u pairs %+.1f %% (half of them %+.1f to %+.1f), limit %+.0f %%: %s\n",
	       shape->name, bench->len / shape->part >> 20, bench->layout,
	       a / 1e6, b / 1e6, bench->pairs, 100 * (r - 1), 100 * (low - 1),
	       100 * (high - 1), 100 * shape->limit,
	       r - 1 <= shape->limit ? "kept" : "MISSED");
	printf("{\"bench\":\"explain/%s\",\"bytes\":%zu,\"layout\":\"%s\",\"pairs\":%u,\"median_with_ns\":%.0f,\"median_without_ns\":%.0f,\"median_ratio\":%.4f,\"quarter_ratio\":%.4f,\"three_quarter_ratio\":%.4f,\"limit\":%.2f}\n",
	       shape->name, bench->len / shape->part, bench->layout, bench->pairs,
	       a, b, r, low, high, 1 + shape->limit);
}

/* Pages that the kernel took for the regions, of all sessions of a layout. */
static uint64_t registered(const struct bench *bench)
{
	uint64_t pages = 0;
	size_t i;

	for (i = 0; i < SHAPES; i++)
		pages += (1 + bench->repeats) * bench->len / shapes[i].part /
			 bench->page_size;
	return pages * bench->pairs;
}

static int account(const struct bench *bench, const struct seen *seen)
{
	uint64_t pages = registered(bench);

	printf("# explain: %" PRIu64 " sessions saw %" PRIu64 " calls, %" PRIu64
	       " pages taken and %" PRIu64 " let go, of %" PRIu64
	       " registered here; %s; ledger %.1f MiB at most\n",
	       seen->sessions, seen->calls, seen->taken, seen->let_go, pages,
	       seen->lost ? "NOT ALL WAS SEEN" : "nothing was lost",
	       seen->peak / 1048576.0);
	printf("{\"bench\":\"explain\",\"layout\":\"%s\",\"sessions\":%" PRIu64
	       ",\"calls\":%" PRIu64 ",\"pages_taken\":%" PRIu64
	       ",\"pages_let_go\":%" PRIu64 ",\"pages_registered\":%" PRIu64
	       ",\"lost\":%s,\"ledger_peak_bytes\":%" PRIu64 "}\n",
	       bench->layout, seen->sessions, seen->calls, seen->taken,
	       seen->let_go, pages, seen->lost ? "true" : "false", seen->peak);
	if (seen->taken >= pages && seen->let_go >= pages)
		return seen->lost ? -EOVERFLOW : 0;
	fprintf(stderr, "bench_explain: pages were taken or let go unseen\n");
	return -EIO;
}

/* Touches every page, in order or so that neighbours lie far apart. */
static int touch(struct bench *bench, bool scattered)
{
	size_t nr = bench->len / bench->page_size, at = 0, i;
	/* Odd, so that it meets each of a power of two of pages once. */
	size_t stride = scattered ? 0x9e3779b1 : 1;

	bench->layout = scattered ? "scattered" : "in_order";
	madvise(bench->map, bench->len, MADV_NOHUGEPAGE);
	if (madvise(bench->map, bench->len, MADV_DONTNEED))
		return -errno;
	for (i = 0; i < nr; i++) {
		bench->map[at * bench->page_size] = 1;
		at = (at + stride) % nr;
	}
	return 0;
}

static int layout(struct bench *bench, bool scattered)
{
	struct seen seen = {};
	int err = touch(bench, scattered);
	unsigned int i;

	for (i = 0; i < bench->pairs && !err; i++)
		err = pair(bench, i, &seen);
	for (i = 0; i < SHAPES && !err; i++)
		told(bench, &shapes[i]);
	return err ?: account(bench, &seen);
}

static int prepare(struct bench *bench)
{
	int64_t free_kb = meminfo_kb("MemAvailable");
	int err;

	if (free_kb < (int64_t)(bench->len >> 10) + SPARE_KB) {
		fprintf(stderr, "bench_explain: %zu MiB wanted, %" PRId64
			" MiB available\n", bench->len >> 20, free_kb >> 10);
		return -ENOMEM;
	}
	err = rxe_open(&bench->rxe);
	if (err) {
		fprintf(stderr, "bench_explain: rxe: %s\n", strerror(-err));
		return err;
	}
	bench->mr = calloc(bench->len / SMALL + 1, sizeof(*bench->mr));
	bench->map = mmap(NULL, bench->len, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return !bench->mr || bench->map == MAP_FAILED ? -ENOMEM : 0;
}

static int show_usage(void)
{
	fprintf(stderr, "usage: bench_explain [-s MiB] [-n pairs] [-r times]\n");
	return 2;
}

int main(int argc, char **argv)
{
	struct bench bench = {
		.len = 1UL << 30,
		.pairs = 11,
		.repeats = 5,
		.page_size = sysconf(_SC_PAGESIZE),
	};
	int opt, err;

	setlinebuf(stdout);
	while ((opt = getopt(argc, argv, "s:n:r:")) != -1) {
		if (opt == 's')
			bench.len = strtoul(optarg, NULL, 0) << 20;
		else if (opt == 'n')
			bench.pairs = strtoul(optarg, NULL, 0);
		else if (opt == 'r')
			bench.repeats = strtoul(optarg, NULL, 0);
		else
			return show_usage();
	}
	/* A power of two, so that touch() meets every page. */
	if (bench.len < 1 << 20 || bench.len & (bench.len - 1) || !bench.pairs ||
	    bench.pairs > PAIRS_MAX || !bench.repeats ||
	    bench.repeats > REPEATS_MAX || optind != argc)
		return show_usage();
	err = prepare(&bench);
	if (!err)
		err = layout(&bench, false);
	if (!err)
		err = layout(&bench, true);
	return err ? 1 : 0;
}
