/* SPDX-License-Identifier: GPL-2.0 */
/* Page frames by /proc alone, for programs that know nothing of pinprobe. */
#ifndef SELFTESTS_FRAMES_H
#define SELFTESTS_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of the caller's page at @addr; 0: it has none, or may not be told. */
uint64_t frame_of(const void *addr);

/* KPF_* of a frame; 0: not known. */
uint64_t frame_flags(uint64_t pfn);

#endif /* SELFTESTS_FRAMES_H */
