// SPDX-License-Identifier: GPL-2.0
/* pmdp_get_lockless(), which was pmd_read_atomic() */
#include <linux/mm.h>
#include <linux/pgtable.h>

pmd_t probe(pmd_t *pmdp);
pmd_t probe(pmd_t *pmdp)
{
	return pmdp_get_lockless(pmdp);
}
