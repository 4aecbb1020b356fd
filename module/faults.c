// SPDX-License-Identifier: GPL-2.0
/*
 * Fault fixtures: "make mutants" loads the module with fault=NAME and demands
 * that a named test fails. Not built into a module that anybody else loads.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include "faults.h"

static const char * const pp_fault_names[] = {
	[PP_FAULT_NONE]			= "none",
	[PP_FAULT_DROP_LONGTERM]	= "drop_longterm",
	[PP_FAULT_SKIP_UNPIN]		= "skip_unpin",
	[PP_FAULT_OLD_PFN]		= "old_pfn",
	[PP_FAULT_UAF]			= "uaf",
	[PP_FAULT_LEAK]			= "leak",
	[PP_FAULT_LOCK_INVERSION]	= "lock_inversion",
};

static enum pp_fault pp_fault_active;

static int pp_fault_set(const char *val, const struct kernel_param *kp)
{
	int found = sysfs_match_string(pp_fault_names, val);

	if (found < 0)
		return found;
	pp_fault_active = found;
	return 0;
}

static int pp_fault_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%s\n", pp_fault_names[pp_fault_active]);
}

static const struct kernel_param_ops pp_fault_ops = {
	.set = pp_fault_set,
	.get = pp_fault_get,
};

module_param_cb(fault, &pp_fault_ops, NULL, 0600);
MODULE_PARM_DESC(fault, "what to do wrong: none, drop_longterm, skip_unpin, old_pfn, uaf, leak, lock_inversion");

/**
 * pp_fault - is this fault switched on
 * @fault: which
 */
bool pp_fault(enum pp_fault fault)
{
	return READ_ONCE(pp_fault_active) == fault;
}

/**
 * pp_fault_look - read what should not be read any more
 * @object: was freed
 */
void pp_fault_look(const void *object)
{
	if (pp_fault(PP_FAULT_UAF))
		(void)READ_ONCE(*(const unsigned long *)object);
}

static DEFINE_MUTEX(pp_fault_lock_a);
static DEFINE_MUTEX(pp_fault_lock_b);

/**
 * pp_fault_lock - take two locks in the one order and in the other
 *
 * Nobody else has them, so nothing hangs: only lockdep sees what could.
 */
void pp_fault_lock(void)
{
	if (!pp_fault(PP_FAULT_LOCK_INVERSION))
		return;
	mutex_lock(&pp_fault_lock_a);
	mutex_lock(&pp_fault_lock_b);
	mutex_unlock(&pp_fault_lock_b);
	mutex_unlock(&pp_fault_lock_a);

	mutex_lock(&pp_fault_lock_b);
	mutex_lock(&pp_fault_lock_a);
	mutex_unlock(&pp_fault_lock_a);
	mutex_unlock(&pp_fault_lock_b);
}
