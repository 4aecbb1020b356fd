// SPDX-License-Identifier: GPL-2.0
/*
 * Fault fixtures: "make mutants" loads the module with fault=NAME and demands
 * that a named test fails. Not built into a module that anybody else loads.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include "faults.h"

static const char * const pp_fault_names[] = {
	[PP_FAULT_NONE]			= "none",
	[PP_FAULT_DROP_LONGTERM]	= "drop_longterm",
	[PP_FAULT_SKIP_UNPIN]		= "skip_unpin",
	[PP_FAULT_OLD_PFN]		= "old_pfn",
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
MODULE_PARM_DESC(fault, "what to do wrong: none, drop_longterm, skip_unpin, old_pfn");

/**
 * pp_fault - is this fault switched on
 * @fault: which
 */
bool pp_fault(enum pp_fault fault)
{
	return READ_ONCE(pp_fault_active) == fault;
}
