/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel tells crash dumps of itself. */
#ifndef PINPROBE_VMCOREINFO_H
#define PINPROBE_VMCOREINFO_H

#include <stdint.h>

#include "source.h"

/**
 * vmcoreinfo_symbol() - a value of the kernel's note for crash dumps
 * @source:	where /proc is
 * @name:	a symbol; of an array it is the address of the first member
 *
 * It is in /proc/kcore, which needs CAP_SYS_RAWIO (CONFIG_PROC_KCORE).
 *
 * Return: the address; 0: it is not there, or may not be read.
 */
uint64_t vmcoreinfo_symbol(const struct source *source, const char *name);

#endif
