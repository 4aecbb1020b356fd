/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_FAULTS_H
#define PINPROBE_FAULTS_H

#include <linux/types.h>

/**
 * enum pp_fault - ways to be wrong on purpose
 * @PP_FAULT_NONE: none
 * @PP_FAULT_DROP_LONGTERM: ask for the pin without FOLL_LONGTERM
 * @PP_FAULT_SKIP_UNPIN: give all pages of a batch back but the last
 * @PP_FAULT_OLD_PFN: report where a page was before as where it is now
 */
enum pp_fault {
	PP_FAULT_NONE,
	PP_FAULT_DROP_LONGTERM,
	PP_FAULT_SKIP_UNPIN,
	PP_FAULT_OLD_PFN,
};

#ifdef PINPROBE_FAULTS
bool pp_fault(enum pp_fault fault);
#else
static inline bool pp_fault(enum pp_fault fault)
{
	return false;
}
#endif

#endif /* PINPROBE_FAULTS_H */
