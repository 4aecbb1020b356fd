/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_COMPAT_SLAB_H
#define PINPROBE_COMPAT_SLAB_H

#include <linux/slab.h>

/* Kernels that have kmalloc_obj() want it; before, there was kmalloc(). */
#ifndef kmalloc_obj
#define kmalloc_obj(obj)	kmalloc(sizeof(obj), GFP_KERNEL)
#endif

#endif /* PINPROBE_COMPAT_SLAB_H */
