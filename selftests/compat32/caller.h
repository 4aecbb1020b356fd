/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SELFTESTS_CALLER_H
#define SELFTESTS_CALLER_H

/*
 * The 32-bit program, as abi_compat32 carries it. Hidden: the linker gives
 * labels of one section that are looked up in the GOT of arm64 one entry.
 */
extern const char caller_start[] __attribute__((visibility("hidden")));
extern const char caller_end[] __attribute__((visibility("hidden")));

#endif /* SELFTESTS_CALLER_H */
