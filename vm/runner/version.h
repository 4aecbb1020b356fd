/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VMRUN_VERSION_H
#define VMRUN_VERSION_H

/*
 * Orders kernel releases as strcmp() orders strings: 6.12.9 < 6.12.10 <
 * 7.3-rc2 < 7.3 < 7.3.4. What follows the numbers decides last.
 */
int version_compare(const char *a, const char *b);

#endif
