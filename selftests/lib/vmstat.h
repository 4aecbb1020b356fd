/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SELFTESTS_VMSTAT_H
#define SELFTESTS_VMSTAT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct vmstat_pins {
	int64_t acquired;
	int64_t released;
};

/* nr_foll_pin_*, folded from all CPUs first; 0 or -errno. Needs root. */
int vmstat_pins(struct vmstat_pins *pins);

/* Pages held by FOLL_PIN in the whole system, or -errno. */
int64_t vmstat_held(void);

/*
 * @nr lines of /proc/vmstat by name; one that this kernel lacks counts 0. Not
 * folded: exact only where the kernel counts by event (pgmigrate_*, thp_*). 0 or
 * -errno.
 */
int vmstat_counters(const char *const *names, uint64_t *values, size_t nr);

/*
 * Polls until vmstat_held() is @held: some holders let go of their pages
 * milliseconds after close(). 0, -ETIMEDOUT or -errno.
 */
int vmstat_wait_held(int64_t held, unsigned int timeout_ms);

/* A "Key:   N kB" line of /proc/PID/status (@pid 0: self); -errno if missing. */
int64_t status_kb(pid_t pid, const char *key);

/* The same of /proc/meminfo. */
int64_t meminfo_kb(const char *key);

/* Milliseconds of CLOCK_MONOTONIC. */
int64_t now_ms(void);

#endif /* SELFTESTS_VMSTAT_H */
