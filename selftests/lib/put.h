/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SELFTESTS_PUT_H
#define SELFTESTS_PUT_H

/* Writes @text to a file of sysfs or the like in one call; 0 or -errno. */
int put(const char *path, const char *text);

#endif /* SELFTESTS_PUT_H */
