/* SPDX-License-Identifier: GPL-2.0 */
/* The time stamp counter of this host, which an emulated x86 CPU shows as its own. */
#ifndef VMRUN_TSC_H
#define VMRUN_TSC_H

/* Thousands of ticks a second, by CLOCK_MONOTONIC; 0 where the host has none. */
unsigned long tsc_khz(void);

#endif
