// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel counts over a call. The counters lie by up to a batch for each
 * CPU and node, unless they may be refreshed, and other processes pin as well:
 * the buffer grows until both are small beside it.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "litmus.h"
#include "out.h"

/* The largest stat_threshold there is (mm/vmstat.c in the kernel). */
#define BATCH	125

struct pins {
	int64_t acquired;
	int64_t released;
};

static bool refresh(void)
{
	int fd = open("/proc/sys/vm/stat_refresh", O_WRONLY | O_CLOEXEC);
	bool done;

	if (fd < 0)
		return false;
	done = write(fd, "1", 1) == 1;
	close(fd);
	return done;
}

/* The number behind a name at the start of a line, -ENOENT if there is none. */
static int64_t number_of(const char *path, const char *name)
{
	FILE *file = fopen(path, "re");
	size_t len = strlen(name);
	int64_t value = -ENOENT;
	char line[256];

	if (!file)
		return -errno;
	while (value < 0 && fgets(line, sizeof(line), file))
		if (!strncmp(line, name, len))
			sscanf(line + len, "%" SCNd64, &value);
	fclose(file);
	return value;
}

static int read_pins(struct pins *pins)
{
	refresh();
	pins->acquired = number_of("/proc/vmstat", "nr_foll_pin_acquired ");
	pins->released = number_of("/proc/vmstat", "nr_foll_pin_released ");
	return pins->acquired < 0 || pins->released < 0 ? -ENOENT : 0;
}

int64_t litmus_acquired(void)
{
	return refresh() ? number_of("/proc/vmstat", "nr_foll_pin_acquired ") : -1;
}

/* What is charged to the process, kB. */
static int64_t charged(const struct litmus_session *s)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/status", s->pid ? s->pid : getpid());
	return number_of(path, "VmPin:");
}

static uint64_t lag(void)
{
	const char *const nodes = "/sys/devices/system/node/node[0-9]*";
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	size_t nr = 1;
	glob_t found;

	if (refresh())
		return 0;
	if (!glob(nodes, 0, NULL, &found)) {
		nr = found.gl_pathc;
		globfree(&found);
	}
	return (uint64_t)BATCH * (cpus > 0 ? cpus : 1) * nr;
}

static void wait_for(const struct timespec *from, const struct timespec *to)
{
	int64_t ns = (to->tv_sec - from->tv_sec) * 1000000000LL +
		     to->tv_nsec - from->tv_nsec;
	struct timespec time;

	/* Below that a sleep is longer than asked for anyway. */
	if (ns < 1000000)
		ns = 1000000;
	time.tv_sec = ns / 1000000000;
	time.tv_nsec = ns % 1000000000;
	nanosleep(&time, NULL);
}

/* One call, and as long a time without. */
static int one_round(struct litmus_session *s, struct litmus_evidence *e,
		     const struct litmus_area *area)
{
	struct pins before, held, quiet;
	struct litmus_count *c = &e->count;
	struct timespec from, to;
	int64_t call, hold, memlock;
	int err;

	memlock = charged(s);
	clock_gettime(CLOCK_MONOTONIC, &from);
	if (read_pins(&before))
		return litmus_fail(s, -ENOENT,
				   "this kernel has no nr_foll_pin_acquired");
	err = litmus_pin(s, area, true);
	if (err)
		return err;
	read_pins(&held);
	clock_gettime(CLOCK_MONOTONIC, &to);
	e->memlock_kb = charged(s) - memlock;
	wait_for(&from, &to);
	read_pins(&quiet);
	err = litmus_unpin(s, area);
	if (err)
		return err;

	call = held.acquired - before.acquired;
	hold = call - (held.released - before.released);
	if (!c->rounds || call < c->call_min)
		c->call_min = call;
	if (!c->rounds || call > c->call_max)
		c->call_max = call;
	if (!c->rounds || hold < c->held_min)
		c->held_min = hold;
	if (!c->rounds || hold > c->held_max)
		c->held_max = hold;
	if (quiet.acquired - held.acquired > c->quiet_max)
		c->quiet_max = quiet.acquired - held.acquired;
	c->rounds++;
	return 0;
}

static int rounds(struct litmus_session *s, struct litmus_evidence *e,
		  size_t pages)
{
	struct litmus_area area = {
		.kind = s->provider->flags & LITMUS_TAKES_MEMFD ? LITMUS_SHMEM :
			LITMUS_ANON,
		.shared = s->provider->flags & LITMUS_TAKES_MEMFD,
		.writable = true,
		.len = pages * s->page,
	};
	struct litmus_count fresh = { .pages = pages };
	int err = litmus_area_map(s, &area);

	if (err)
		return err;
	fresh.lag = lag();
	e->count = fresh;
	while (!err && e->count.rounds < LITMUS_ROUNDS) {
		out_progress("counting pins, round %u of %d, %zu pages",
			     e->count.rounds + 1, LITMUS_ROUNDS, pages);
		err = one_round(s, e, &area);
	}
	litmus_area_unmap(s, &area);
	return err;
}

/* Half of what is locked may be; CAP_IPC_LOCK has no part in some accounts. */
static size_t allowed_pages(const struct litmus_session *s)
{
	size_t most = s->provider->max_pages;
	struct rlimit limit;

	if (!most || most > LITMUS_PAGES_MAX)
		most = LITMUS_PAGES_MAX;
	if (geteuid() && !getrlimit(RLIMIT_MEMLOCK, &limit) &&
	    limit.rlim_cur != RLIM_INFINITY &&
	    limit.rlim_cur / 2 / s->page < most)
		most = limit.rlim_cur / 2 / s->page;
	return most;
}

void litmus_probe_count(struct litmus_session *s, struct litmus_evidence *e)
{
	size_t most = allowed_pages(s);
	size_t pages = most < LITMUS_PAGES_FIRST ? most : LITMUS_PAGES_FIRST;
	struct litmus_count last = { 0 };
	int err;

	if (!pages) {
		snprintf(e->count.why_not, sizeof(e->count.why_not),
			 "RLIMIT_MEMLOCK is too small for any page");
		return;
	}
	for (;;) {
		err = rounds(s, e, pages);
		/* Larger ones may not be had; the smaller ones were. */
		if (err && last.rounds) {
			e->count = last;
			return;
		}
		if (err || litmus_count_sure(&e->count) || pages >= most)
			break;
		last = e->count;
		pages = pages * 2 < most ? pages * 2 : most;
	}
	if (err)
		snprintf(e->count.why_not, sizeof(e->count.why_not),
			 "with %zu pages: %s", pages, litmus_why(s, err));
}
