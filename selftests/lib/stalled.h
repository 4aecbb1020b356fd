/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A block device that answers when it is told to: device-mapper's, suspended in
 * between.
 */
#ifndef SELFTESTS_STALLED_H
#define SELFTESTS_STALLED_H

#include <stdbool.h>
#include <stdint.h>

struct stalled {
	int control;
	int fd;			/* the device, O_RDONLY | O_DIRECT; -1 if not opened */
	char path[32];
	char name[32];
	bool exists;
};

/*
 * All return 0 or -errno; -ENODEV if this kernel has no device-mapper. The first
 * is one that reads as zeros, and opened; the second the first @sectors of a disk.
 */
int stalled_open(struct stalled *stalled);
int stalled_open_disk(struct stalled *stalled, const char *disk,
		      uint64_t sectors);
int stalled_suspend(struct stalled *stalled);
int stalled_resume(struct stalled *stalled);

/* Resumes, and removes. */
int stalled_close(struct stalled *stalled);

#endif /* SELFTESTS_STALLED_H */
