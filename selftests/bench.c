// SPDX-License-Identifier: GPL-2.0
/*
 * What pinprobe costs, beside what does the same without it, in one process and
 * on the same pages: lines for people, and one JSON object per measurement.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>
#include "gup_loop/gup_loop.h"
#include "lib/device.h"
#include "lib/oracle.h"
#include "lib/vmstat.h"

#define ROUNDS_MAX	100
#define CHUNK		16384	/* pages in one read or one ioctl */
#define SPARE_KB	(128 << 10)

struct bench {
	int dev;
	int gup_loop;
	struct oracle oracle;
	char *map;
	size_t len;
	size_t page_size;
	size_t nr_pages;
	unsigned int rounds;
	struct pinprobe_page *records;
	uint64_t *pagemap;
	uint64_t *kpage;
	const char *layout;	/* of the pages */
	uint64_t pfn_sum;	/* what the last look at the pages added up to */
};

struct series {
	const char *name;
	int (*run)(struct bench *bench, uint64_t *ns);
	uint64_t ns[ROUNDS_MAX];
	uint64_t pfn_sum;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static int resolve(struct bench *bench, uint32_t flags, uint64_t *ns)
{
	const char *at = bench->map, *end = bench->map + bench->len;
	uint64_t start = now_ns(), next = 0;
	int nr, i;

	bench->pfn_sum = 0;
	for (; at < end; at = (char *)next) {
		nr = device_resolve(bench->dev, 0, at, end - at, flags,
				    bench->records, CHUNK, &next);
		if (nr < 0)
			return nr;
		for (i = 0; i < nr; i++) {
			const struct pinprobe_page *page = &bench->records[i];
			uint64_t n = page->nr_pages;

			bench->pfn_sum += n * page->pfn + n * (n - 1) / 2;
		}
	}
	*ns = now_ns() - start;
	return 0;
}

static int resolve_pages(struct bench *bench, uint64_t *ns)
{
	return resolve(bench, 0, ns);
}

static int resolve_runs(struct bench *bench, uint64_t *ns)
{
	return resolve(bench, PINPROBE_RESOLVE_RUNS, ns);
}

static int read_all(int fd, uint64_t *buf, size_t nr, uint64_t index)
{
	ssize_t len = nr * sizeof(*buf);

	if (pread(fd, buf, len, index * sizeof(*buf)) != len)
		return errno ? -errno : -EIO;
	return 0;
}

/* One read of each file for each stretch of consecutive PFNs. */
static int procfs_chunk(struct bench *bench, size_t nr)
{
	size_t i, run;
	uint64_t pfn;
	int err = 0;

	for (i = 0; i < nr && !err; i += run) {
		pfn = bench->pagemap[i] & ORACLE_PAGE_PFN;
		if (!(bench->pagemap[i] & ORACLE_PAGE_PRESENT))
			return -ENODATA;
		for (run = 1; i + run < nr; run++)
			if ((bench->pagemap[i + run] & ORACLE_PAGE_PFN) !=
			    pfn + run)
				break;
		err = read_all(bench->oracle.kpageflags, bench->kpage, run,
			       pfn);
		if (!err)
			err = read_all(bench->oracle.kpagecount, bench->kpage,
				       run, pfn);
		bench->pfn_sum += run * pfn + run * (run - 1) / 2;
	}
	return err;
}

static int procfs(struct bench *bench, uint64_t *ns)
{
	uint64_t first = (uintptr_t)bench->map / bench->page_size;
	uint64_t start = now_ns();
	size_t i, nr;
	int err = 0;

	bench->pfn_sum = 0;
	for (i = 0; i < bench->nr_pages && !err; i += nr) {
		nr = bench->nr_pages - i < CHUNK ? bench->nr_pages - i : CHUNK;
		err = read_all(bench->oracle.pagemap, bench->pagemap, nr,
			       first + i);
		if (!err)
			err = procfs_chunk(bench, nr);
	}
	*ns = now_ns() - start;
	return err;
}

static int pin(struct bench *bench, uint32_t flags, uint64_t *ns)
{
	uint64_t start = now_ns();
	int fd = device_pin(bench->dev, bench->map, bench->len,
			    PINPROBE_CALL_PIN_FAST,
			    PINPROBE_PIN_WRITE | PINPROBE_PIN_LONGTERM | flags,
			    NULL);

	*ns = now_ns() - start;
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static int pin_plain(struct bench *bench, uint64_t *ns)
{
	return pin(bench, 0, ns);
}

static int pin_snapshot(struct bench *bench, uint64_t *ns)
{
	return pin(bench, PINPROBE_PIN_SNAPSHOT, ns);
}

static int pin_loop(struct bench *bench, uint64_t *ns)
{
	struct gup_loop args = {
		.addr = (uintptr_t)bench->map,
		.nr_pages = bench->nr_pages,
	};

	if (ioctl(bench->gup_loop, GUP_LOOP_RUN, &args))
		return -errno;
	*ns = args.pin_ns;
	return 0;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static uint64_t median(const struct bench *bench, const struct series *series)
{
	return series->ns[bench->rounds / 2];
}

/* Rounds alternate, so that all of a group see the same disturbances. */
static int measure(struct bench *bench, struct series *group, size_t nr)
{
	unsigned int round;
	uint64_t warm_up;
	size_t i;
	int err;

	for (round = 0; round <= bench->rounds; round++) {
		for (i = 0; i < nr; i++) {
			err = group[i].run(bench, round ? &group[i].ns[round - 1]
							: &warm_up);
			if (err) {
				fprintf(stderr, "bench: %s: %s\n",
					group[i].name, strerror(-err));
				return err;
			}
			group[i].pfn_sum = bench->pfn_sum;
		}
	}
	for (i = 0; i < nr; i++) {
		const struct series *series = &group[i];

		qsort(group[i].ns, bench->rounds, sizeof(*group[i].ns),
		      compare);
		printf("# %-16s %6zu MiB %-9s min %.1f, median %.1f, max %.1f ms of %u\n",
		       series->name, bench->len >> 20, bench->layout,
		       series->ns[0] / 1e6,
		       median(bench, series) / 1e6,
		       series->ns[bench->rounds - 1] / 1e6, bench->rounds);
		printf("{\"bench\":\"%s\",\"bytes\":%zu,\"layout\":\"%s\",\"rounds\":%u,\"min_ns\":%" PRIu64
		       ",\"median_ns\":%" PRIu64 ",\"max_ns\":%" PRIu64 "}\n",
		       series->name, bench->len, bench->layout, bench->rounds,
		       series->ns[0],
		       median(bench, series), series->ns[bench->rounds - 1]);
	}
	return 0;
}

static void ratio(const struct bench *bench, const struct series *slow,
		  const struct series *fast)
{
	double times = (double)median(bench, slow) / median(bench, fast);
	double best = (double)slow->ns[0] / fast->ns[0];

	printf("# %s takes %.2f times as long as %s (best of each: %.2f)\n",
	       slow->name, times, fast->name, best);
	printf("{\"bench\":\"%s/%s\",\"bytes\":%zu,\"layout\":\"%s\",\"median_ratio\":%.4f,\"min_ratio\":%.4f}\n",
	       slow->name, fast->name, bench->len, bench->layout, times, best);
}

/* Touches every page, in order or so that neighbours lie far apart. */
static int touch(struct bench *bench, bool scattered)
{
	/* Odd, so that it meets each of a power of two of pages once. */
	size_t stride = scattered ? 0x9e3779b1 : 1, at = 0, i;

	bench->layout = scattered ? "scattered" : "in_order";
	madvise(bench->map, bench->len, MADV_NOHUGEPAGE);
	if (madvise(bench->map, bench->len, MADV_DONTNEED))
		return -errno;
	for (i = 0; i < bench->nr_pages; i++) {
		bench->map[at * bench->page_size] = 1;
		at = (at + stride) % bench->nr_pages;
	}
	return 0;
}

static int bench_resolve(struct bench *bench, bool scattered)
{
	struct series group[] = {
		{ .name = "resolve_pages", .run = resolve_pages },
		{ .name = "resolve_runs", .run = resolve_runs },
		{ .name = "procfs", .run = procfs },
	};
	int err = touch(bench, scattered);

	if (!err)
		err = measure(bench, group, 3);
	if (err)
		return err;
	/* All three must have seen the same pages, or nothing is compared. */
	if (group[0].pfn_sum != group[2].pfn_sum ||
	    group[1].pfn_sum != group[2].pfn_sum) {
		fprintf(stderr, "bench: PFNs differ from those of procfs\n");
		return -EIO;
	}
	ratio(bench, &group[2], &group[0]);
	ratio(bench, &group[2], &group[1]);
	return 0;
}

static int bench_pin(struct bench *bench)
{
	struct series group[] = {
		{ .name = "pin", .run = pin_plain },
		{ .name = "pin_snapshot", .run = pin_snapshot },
		{ .name = "gup_loop", .run = pin_loop },
	};
	int err;

	bench->gup_loop = open(GUP_LOOP_DEVICE, O_RDWR | O_CLOEXEC);
	err = touch(bench, false);
	if (err)
		return err;
	if (bench->gup_loop < 0)
		printf("# no %s: nothing to compare with\n", GUP_LOOP_DEVICE);
	err = measure(bench, group, bench->gup_loop < 0 ? 2 : 3);
	if (err || bench->gup_loop < 0)
		return err;
	ratio(bench, &group[0], &group[2]);
	ratio(bench, &group[1], &group[2]);
	close(bench->gup_loop);
	return 0;
}

static int prepare(struct bench *bench)
{
	int64_t free_kb = meminfo_kb("MemAvailable");

	if (free_kb < (int64_t)(bench->len >> 10) + SPARE_KB) {
		fprintf(stderr, "bench: %zu MiB wanted, %" PRId64
			" MiB available\n", bench->len >> 20, free_kb >> 10);
		return -ENOMEM;
	}
	bench->dev = device_open();
	if (bench->dev < 0) {
		fprintf(stderr, "bench: " PINPROBE_DEVICE ": %s\n",
			strerror(-bench->dev));
		return bench->dev;
	}
	bench->records = calloc(CHUNK, sizeof(*bench->records));
	bench->pagemap = calloc(CHUNK, sizeof(*bench->pagemap));
	bench->kpage = calloc(CHUNK, sizeof(*bench->kpage));
	bench->map = mmap(NULL, bench->len, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!bench->records || !bench->pagemap || !bench->kpage ||
	    bench->map == MAP_FAILED)
		return -ENOMEM;
	return oracle_open(&bench->oracle, 0);
}

static int show_usage(void)
{
	fprintf(stderr, "usage: bench [-s MiB] [-n rounds] [resolve|pin]\n");
	return 2;
}

int main(int argc, char **argv)
{
	struct bench bench = {
		.len = 1UL << 30,
		.rounds = 5,
		.page_size = sysconf(_SC_PAGESIZE),
	};
	bool want_pin, want_resolve;
	int opt, err;

	while ((opt = getopt(argc, argv, "s:n:")) != -1) {
		if (opt == 's')
			bench.len = strtoul(optarg, NULL, 0) << 20;
		else if (opt == 'n')
			bench.rounds = strtoul(optarg, NULL, 0);
		else
			return show_usage();
	}
	want_resolve = optind == argc || !strcmp(argv[optind], "resolve");
	want_pin = optind == argc || !strcmp(argv[optind], "pin");
	/* A power of two, so that touch() meets every page. */
	if (!bench.len || bench.len & (bench.len - 1) || !bench.rounds || bench.rounds > ROUNDS_MAX ||
	    (!want_pin && !want_resolve) || argc - optind > 1)
		return show_usage();
	bench.nr_pages = bench.len / bench.page_size;

	err = prepare(&bench);
	if (!err && want_resolve)
		err = bench_resolve(&bench, false);
	if (!err && want_resolve)
		err = bench_resolve(&bench, true);
	if (!err && want_pin)
		err = bench_pin(&bench);
	return err ? 1 : 0;
}
