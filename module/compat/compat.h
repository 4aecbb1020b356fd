/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Everything that differs between kernels. Kbuild force-includes this file, so
 * that the rest of the module reads like code for one kernel. What a kernel has
 * is found by compiling module/compat/probes/ against it, never by its version:
 * vendors backport.
 */
#ifndef PINPROBE_COMPAT_H
#define PINPROBE_COMPAT_H

/* Made by module/compat/probe.sh; "make module" runs it. */
#include "compat-probes.h"

#include "gup.h"
#include "folio.h"
#include "compat/migrate.h"
#include "pageblock.h"
#include "pgtable.h"
#include "slab.h"
#include "task.h"

#endif /* PINPROBE_COMPAT_H */
