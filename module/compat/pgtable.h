/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_COMPAT_PGTABLE_H
#define PINPROBE_COMPAT_PGTABLE_H

#include <linux/mm.h>
#include <linux/pgtable.h>

/*
 * Before "mm: Rename pmd_read_atomic()" (in v6.2) it was called that. On 32-bit
 * PAE it could read halves that do not belong together.
 */
#ifndef PP_HAVE_PMDP_GET_LOCKLESS
#define pmdp_get_lockless	pmd_read_atomic
#endif

/*
 * Before Linux kernel commit 2a4a06da8a4b ("mm/gup: Provide gup_get_pte() more
 * generic") (in v5.11) it was mm/gup.c's own, and on 64 bits as simple as this.
 */
#ifndef PP_HAVE_PTEP_GET_LOCKLESS
#define ptep_get_lockless(ptep)	READ_ONCE(*(ptep))
#endif

#endif /* PINPROBE_COMPAT_PGTABLE_H */
