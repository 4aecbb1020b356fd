// SPDX-License-Identifier: GPL-2.0
/*
 * The plain case of a page table, read without a lock: base pages and nothing.
 * hmm_range_fault() reads anything, and spends more on each page than all of
 * the rest of RESOLVE. So it is asked only where something else stands.
 *
 * Interrupts are off while a table is read, as in gup_fast() (mm/gup.c), for the
 * same reason: whoever frees a table waits for that.
 */
#include <linux/hmm.h>
#include <linux/mm.h>
#include <linux/pgtable.h>
#include "ptes.h"

#ifdef CONFIG_HIGHPTE
unsigned long pp_ptes_read(struct vm_area_struct *vma, unsigned long addr,
			   unsigned long nr, unsigned long *pfns)
{
	return 0;
}
#else
/* The table that maps @addr, or NULL if it is not mapped by one. */
static pte_t *pp_ptes_find(struct mm_struct *mm, unsigned long addr)
{
	p4d_t *p4dp;
	pud_t *pudp;
	pgd_t pgd;
	p4d_t p4d;
	pud_t pud;
	pmd_t pmd;

	pgd = READ_ONCE(*pgd_offset(mm, addr));
	if (pgd_none(pgd) || pgd_bad(pgd))
		return NULL;
	p4dp = p4d_offset(&pgd, addr);
	p4d = READ_ONCE(*p4dp);
	if (p4d_none(p4d) || p4d_bad(p4d))
		return NULL;
	pudp = pud_offset(&p4d, addr);
	pud = READ_ONCE(*pudp);
	if (pud_none(pud) || pud_leaf(pud) || pud_bad(pud))
		return NULL;
	pmd = pmdp_get_lockless(pmd_offset(&pud, addr));
	if (!pmd_present(pmd) || pmd_leaf(pmd) || pmd_bad(pmd))
		return NULL;
	return pte_offset_kernel(&pmd, addr);
}

/**
 * pp_ptes_read - read entries as hmm_range_fault() would, while they are plain
 * @vma: the mapping; the mmap lock is held
 * @addr: first address, bytes
 * @nr: most pages to read; all of them in @vma
 * @pfns: out: entries in the form of &hmm_range.hmm_pfns
 *
 * Return: how many were read; the one behind them needs hmm_range_fault(), or
 * lies in another table.
 */
unsigned long pp_ptes_read(struct vm_area_struct *vma, unsigned long addr,
			   unsigned long nr, unsigned long *pfns)
{
	unsigned long i = 0, left = (PMD_SIZE - (addr & ~PMD_MASK)) / PAGE_SIZE;
	pte_t *ptep, pte;

	if (vma->vm_flags & (VM_HUGETLB | VM_MIXEDMAP))
		return 0;
	nr = min(nr, left);
	local_irq_disable();
	ptep = pp_ptes_find(vma->vm_mm, addr);
	for (; ptep && i < nr; i++, ptep++) {
		pte = ptep_get_lockless(ptep);
		if (pte_none(pte)) {
			pfns[i] = 0;
			continue;
		}
		if (!pte_present(pte) || pte_protnone(pte) || pte_special(pte))
			break;
		pfns[i] = pte_pfn(pte) | HMM_PFN_VALID;
		if (pte_write(pte))
			pfns[i] |= HMM_PFN_WRITE;
	}
	local_irq_enable();
	return i;
}
#endif
