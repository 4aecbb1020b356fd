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
 * @PP_FAULT_UAF: look at a pin once more after it was freed
 * @PP_FAULT_LEAK: never free what RESOLVE allocates
 * @PP_FAULT_LOCK_INVERSION: take two locks in both orders
 */
enum pp_fault {
	PP_FAULT_NONE,
	PP_FAULT_DROP_LONGTERM,
	PP_FAULT_SKIP_UNPIN,
	PP_FAULT_OLD_PFN,
	PP_FAULT_UAF,
	PP_FAULT_LEAK,
	PP_FAULT_LOCK_INVERSION,
};

#ifdef PINPROBE_FAULTS
bool pp_fault(enum pp_fault fault);
void pp_fault_look(const void *object);
void pp_fault_lock(void);
#else
static inline bool pp_fault(enum pp_fault fault)
{
	return false;
}

static inline void pp_fault_look(const void *object)
{
}

static inline void pp_fault_lock(void)
{
}
#endif

#endif /* PINPROBE_FAULTS_H */
