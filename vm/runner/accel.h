/* SPDX-License-Identifier: GPL-2.0 */
/* Which accelerator to use: decided by booting with it. */
#ifndef VMRUN_ACCEL_H
#define VMRUN_ACCEL_H

#include <stdbool.h>

#include "options.h"

#define ACCEL_PROBE_SECONDS	5

struct accel {
	const char *name;	/* "kvm" or "tcg" */
	char *why;
	bool cached;
	int signal;		/* came while probing; no answer then */
};

/*
 * scratch is a folder for the probe's console. The answer for this host, QEMU,
 * CPU and guest kernel is kept in o->accel_cache.
 */
void accel_decide(struct accel *a, const struct options *o,
		  const char *binary, const char *scratch);
/* The cached answer turned out to be wrong. */
void accel_forget(const struct options *o, const char *binary);

/* Pure parts. */
char *accel_cache_find(const char *path, const char *key, bool *works);
bool accel_console_alive(const char *bytes, unsigned long len);

#endif
