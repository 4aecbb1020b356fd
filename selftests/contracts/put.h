/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CONTRACTS_PUT_H
#define CONTRACTS_PUT_H

/* Writes @text to a file of sysfs or the like in one call; 0 or -errno. */
int put(const char *path, const char *text);

#endif /* CONTRACTS_PUT_H */
