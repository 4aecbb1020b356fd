/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SELFTESTS_CALLER_H
#define SELFTESTS_CALLER_H

/* The 32-bit program, as abi_compat32 carries it. */
extern const char caller_start[], caller_end[];

#endif /* SELFTESTS_CALLER_H */
