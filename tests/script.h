/* SPDX-License-Identifier: GPL-2.0 */
/* Runs bash with the libraries of vm/ and a cache of its own. */
#ifndef TESTS_SCRIPT_H
#define TESTS_SCRIPT_H

#define SCRIPT_LIBRARY	". \"$VM/lib/all.sh\"\n"

/* Its exit code; *out is what it printed, on both. */
int script_run(const char *text, char **out);

#endif
