/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SELFTESTS_DEVICE_H
#define SELFTESTS_DEVICE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
/* By path: programs of the host compile this without -I. */
#include "../../uapi/linux/pinprobe.h"

/*
 * All return 0 (or a descriptor) on success and -errno on failure, so that an
 * errno survives the printf() between a call and its assertion.
 */
int device_open(void);	/* -EPROTO, and a line, if the ABI is another */
int device_info(int dev, struct pinprobe_info *info);

/* Fills up to @room records; returns how many, or -errno. @next may be NULL. */
int device_resolve(int dev, pid_t pid, const void *addr, size_t len,
		   uint32_t flags, struct pinprobe_page *pages, uint32_t room,
		   uint64_t *next);

/* The record of one page; -errno on failure. */
int device_resolve_one(int dev, const void *addr, struct pinprobe_page *page);

/* Returns the pin fd or -errno; @outcome may be NULL. */
int device_pin(int dev, const void *addr, size_t len, uint32_t call,
	       uint32_t flags, struct pinprobe_outcome *outcome);
/* With a deadline, 0: the module's default. */
int device_pin_within(int dev, const void *addr, size_t len, uint32_t call,
		      uint32_t flags, uint32_t timeout_ms,
		      struct pinprobe_outcome *outcome);

int pin_state(int fd, struct pinprobe_pin_state *state);
int pin_pages(int fd, uint32_t when, uint64_t index, uint32_t flags,
	      struct pinprobe_page *pages, uint32_t room, uint64_t *next);

const char *zone_name(uint8_t zone);
const char *migratetype_name(uint8_t migratetype);
const char *state_name(uint8_t state);
const char *stage_name(uint32_t stage);

#endif /* SELFTESTS_DEVICE_H */
