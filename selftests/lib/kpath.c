// SPDX-License-Identifier: GPL-2.0
/* Begin and end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "kpath_internal.h"

int kpath_begin(struct kpath *kp)
{
	int err;

	memset(kp, 0, sizeof(*kp));
	kp->prepared_here = !kpath_armed.ready;
	err = kpath_prepare();
	if (err)
		return err;
	err = kpath_record(true);
	if (err && kp->prepared_here)
		kpath_release();
	return err;
}

static uint64_t clock_us(void)
{
	struct timespec now;

	/* The clock that the instances stamp with, too. */
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000ULL + now.tv_nsec / 1000;
}

static int add_missing(struct kpath *kp)
{
	const struct kpath_probe *probe = kpath_probes;
	size_t i;

	for (i = 0; i < KPATH_ID_COUNT; i++, probe++) {
		if (kpath_armed.seen & 1U << i)
			continue;
		if (!kpath_add(kp, KPATH_UNTRACEABLE, 0,
			       "not seen: %s (%s)", probe->shows,
			       i == KPATH_BLOCK && kpath_armed.no_cma ?
			       "a kernel without CMA does not read it" :
			       probe->type == 't' ? probe->event :
			       probe->symbols[0]))
			return -ENOMEM;
	}
	return 0;
}

static int add_errno(struct kpath *kp, const char *call, int err,
		     uint64_t after_us)
{
	struct kpath_step *step;

	step = kpath_add(kp, KPATH_ERRNO, after_us, "%s: %s", call,
			 err ? kpath_error(-err) : "success");
	if (!step)
		return -ENOMEM;
	step->ret = err;
	return 0;
}

static int add_lost(struct kpath *kp, const struct kpath_lost *lost)
{
	if (lost->pages &&
	    !kpath_add(kp, KPATH_UNTRACEABLE, 0,
		       "%lu events of single pages did not fit into the buffer: of those pages only failures are shown",
		       (unsigned long)lost->pages))
		return -ENOMEM;
	if (lost->calls &&
	    !kpath_add(kp, KPATH_UNTRACEABLE, 0,
		       "%lu other events, the earliest, were overwritten",
		       (unsigned long)lost->calls))
		return -ENOMEM;
	return 0;
}

int kpath_end(struct kpath *kp, const char *call, int err)
{
	uint64_t end_us = clock_us(), start_us = end_us;
	struct kpath_events events = { .nr = 0 };
	struct kpath_lost lost = { .pages = 0 };
	int bad, worse;

	bad = kpath_record(false);
	bad = bad ?: kpath_read(&events, &lost);
	if (events.nr)
		start_us = events.event[0].ts_us;
	worse = kpath_steps(kp, &kpath_armed.facts, &events, lost.pages);
	worse = worse ?: add_errno(kp, call, err, end_us - start_us);
	worse = worse ?: add_missing(kp);
	worse = worse ?: add_lost(kp, &lost);
	free(events.event);
	if (kp->prepared_here)
		kpath_release();
	return bad ?: worse;
}

void kpath_free(struct kpath *kp)
{
	free(kp->steps);
	memset(kp, 0, sizeof(*kp));
}
