// SPDX-License-Identifier: GPL-2.0
#include <stdint.h>
#include <time.h>

#include "tsc.h"

#ifdef __x86_64__
#include <x86intrin.h>

/* To a few millionths; the kernel's own calibration takes no longer. */
#define MEASURED_NS	20000000

struct moment {
	uint64_t ns, ticks;
};

/* Of some readings that with the least between: one may have been interrupted. */
static struct moment moment(void)
{
	struct moment best = { 0 };
	uint64_t least = UINT64_MAX;
	struct timespec t;
	int i;

	for (i = 0; i < 5; i++) {
		uint64_t before = __rdtsc(), after;

		clock_gettime(CLOCK_MONOTONIC, &t);
		after = __rdtsc();
		if (after - before >= least)
			continue;
		least = after - before;
		best.ticks = before + least / 2;
		best.ns = t.tv_sec * 1000000000ULL + t.tv_nsec;
	}
	return best;
}

unsigned long tsc_khz(void)
{
	const struct timespec pause = { .tv_nsec = MEASURED_NS };
	struct moment from = moment(), to;

	nanosleep(&pause, NULL);
	to = moment();
	return (to.ticks - from.ticks) * 1000000 / (to.ns - from.ns);
}
#else
unsigned long tsc_khz(void)
{
	return 0;
}
#endif
