/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_KMSG_H
#define PINPROBE_KMSG_H

#define KMSG_PATH	"/dev/kmsg"

/**
 * kmsg_each() - goes through the kernel's log, as far as it is still there
 * @each:	gets each record of it, ended by NUL
 * @ctx:	handed to it
 *
 * Return: 0 or -errno, if the log cannot be opened.
 */
int kmsg_each(void (*each)(void *ctx, const char *record), void *ctx);

#endif
