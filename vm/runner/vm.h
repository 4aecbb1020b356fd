/* SPDX-License-Identifier: GPL-2.0 */
/* Runs the guest and feeds what it writes to the readers. */
#ifndef VMRUN_VM_H
#define VMRUN_VM_H

#include "run.h"

/* Fills in r->ended and what belongs to it. The guest is gone afterwards. */
void vm_run(struct run *r, const char *binary, const char *dir);

#endif
