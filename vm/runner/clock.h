/* SPDX-License-Identifier: GPL-2.0 */
/* Waiting: for time to pass, or for a signal that ends the run. */
#ifndef VMRUN_CLOCK_H
#define VMRUN_CLOCK_H

#include <stdbool.h>

/* Seconds since some moment; never goes back. */
double clock_now(void);
/* From here on SIGINT, SIGTERM and SIGHUP are only seen by clock_wait(). */
void clock_init(void);
/* Sleeps, at most that long; the signal that came, or 0. */
int clock_wait(double seconds);
/* Whether a signal has come that clock_wait() will tell of. */
bool clock_signalled(void);

#endif
