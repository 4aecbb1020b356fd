// SPDX-License-Identifier: GPL-2.0
/* ptep_get_lockless(), which was gup_get_pte() of mm/gup.c */
#include <linux/mm.h>
#include <linux/pgtable.h>

pte_t probe(pte_t *ptep);
pte_t probe(pte_t *ptep)
{
	return ptep_get_lockless(ptep);
}
