// SPDX-License-Identifier: GPL-2.0
/* CONFIG_HMM_MIRROR, without which RESOLVE has no page-table walker */
#include <linux/hmm.h>

#ifndef CONFIG_HMM_MIRROR
#error CONFIG_HMM_MIRROR is not set
#endif

int probe(struct hmm_range *range);
int probe(struct hmm_range *range)
{
	return hmm_range_fault(range);
}
