/* SPDX-License-Identifier: GPL-2.0 */
/* Fixed buffers of io_uring, which the kernel is known to pin for long. */
#ifndef PINPROBE_LITMUS_URING_H
#define PINPROBE_LITMUS_URING_H

#include <stddef.h>

/**
 * litmus_uring_try() - registers a buffer and lets go of it
 * @addr: its start
 * @len: its length, bytes
 *
 * Return: 0 or -errno; -ENOSYS and -EPERM also where there is no io_uring.
 */
int litmus_uring_try(void *addr, size_t len);

#endif
